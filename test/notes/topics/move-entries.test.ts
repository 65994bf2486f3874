import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createDocuments } from "../../../src/kernel/documents.ts";
import { fullAccess } from "../../../src/kernel/root-policy.ts";
import { type DocumentStores, documentStores, mixedStores, openRoots } from "../../helpers/document-stores.ts";
import { documentsOf } from "../../helpers/folder-snapshot.ts";
import { someRuns } from "../../helpers/some-cases.ts";
import { workerScript } from "../../helpers/worker-script.ts";
import { moveAll, moveEach } from "./move-all.ts";
import { entryText, memoryFolder, onDisk, scratch, topicsOf } from "./open-topics.ts";

const worker = workerScript("./killed-move-worker.ts", import.meta.url);

function world(folder = scratch(memoryFolder())) {
  return { folder, own: onDisk(join(folder, "own")), external: onDisk(join(folder, "external")) };
}

function textsIn(folder: string): Record<string, string> {
  const files = Object.entries(documentsOf(folder)).filter(([, what]) => what.startsWith("file"));
  return Object.fromEntries(files.map(([path]) => [path, readFileSync(join(folder, path), "utf8")]));
}

const archived = (title: string, date: string, from = "tokens") =>
  entryText(title, date).replace("\n", `\n**Archived from:** ${from}\n`);

/** A folder of topics on each side, kept where it is said. */
async function openBoth(storesOf: (root: string) => DocumentStores) {
  const roots = ["own", "external"];
  const opened = await openRoots(
    storesOf,
    roots.map((name) => ({ name })),
  );
  const documents = createDocuments({
    roots: roots.map((name) => ({ name, policy: fullAccess, store: opened.storeOf(name) })),
  });
  return { own: topicsOf(opened, "own"), external: topicsOf(opened, "external"), move: () => moveEach(documents) };
}

it.each(mixedStores)("PG-1 TOP-7 entries move from $one.name to $other.name", async ({ one, other }) => {
  const { own, external, move } = await openBoth((root) => (root === "own" ? one : other));
  await own.put("auth/tokens.md", entryText("m1", "2026-01-01"));
  await own.put("archive/auth/2025.md", archived("o1", "2025-02-01"));
  await external.put("auth/tokens.md", entryText("x", "2026-02-01"));
  await move();
  expect(await external.titles("auth/tokens.md")).toEqual(["x", "m1"]);
  expect(await external.titles("archive/auth/2025.md")).toEqual(["o1"]);
  expect(await own.paths()).toEqual(["index.md"]);
});

describe.each(documentStores)("PG-1 topics on $name", (stores) => {
  const open = () => openBoth(() => stores);

  describe("TOP-7 entries that are moved into another folder", () => {
    it("TOP-7 take the place of their date, and keep their order of one day", async () => {
      const { own, external, move } = await open();
      await own.put(
        "auth/tokens.md",
        ["m4", "m3"].map((one) => entryText(one, "2026-03-02")).join("") + entryText("m1", "2026-01-01"),
      );
      await external.put("auth/tokens.md", entryText("new", "2026-04-01") + entryText("mid", "2026-02-01"));
      await move();
      expect(await external.titles("auth/tokens.md")).toEqual(["new", "m4", "m3", "mid", "m1"]);
      expect([await own.has("auth/tokens.md"), await own.has("index.md")]).toEqual([false, true]);
      expect(await external.text("index.md")).toContain("auth/tokens.md): 5 entries, newest 2026-04-01");
      expect(await own.text("index.md")).not.toContain("tokens");
    });

    it("TOP-2 TOP-7 come over byte for byte, and what people wrote around them stays", async () => {
      const { own, external, move } = await open();
      const byHand =
        "## 2026-02-02: By hand\n**Owner:** Ada\n\n```\n## 2020-01-01: no heading\n---\n```\nfree text\n\n---\n\n";
      await own.put("auth/tokens.md", `# Tokens\n\nRead this first.\n\n${byHand}`);
      await move();
      expect(await own.text("auth/tokens.md")).toBe("# Tokens\n\nRead this first.\n\n");
      expect(await external.text("auth/tokens.md")).toBe(byHand);
    });

    it("TOP-2 TOP-7 an open fence, a missing end of line and other line ends swallow nothing", async () => {
      const { own, external, move } = await open();
      await own.put(
        "auth/tokens.md",
        `${entryText("a", "2026-03-03").replaceAll("\n", "\r\n")}## 2026-01-03: b\n\`\`\`\nopen`,
      );
      await external.put("auth/tokens.md", `${entryText("x", "2026-02-03")}## 2026-01-31: y\n\`\`\`\nopen`);
      await move();
      expect(await external.titles("auth/tokens.md")).toEqual(["a", "x", "y", "b"]);
      expect(await external.text("auth/tokens.md")).not.toContain("\r");
      await external.put("before.md", await external.text("auth/tokens.md"));
      await own.put("auth/tokens.md", "## 2026-01-03: b\n```\nopen");
      await move();
      expect(await external.text("auth/tokens.md")).toBe(await external.text("before.md"));
    });

    it("TOP-3 TOP-7 are not stored twice, be they in the file or in the archive there", async () => {
      const { own, external, move } = await open();
      await own.put("auth/tokens.md", entryText("both") + entryText("archived there") + entryText("only here"));
      await own.put("archive/auth/2026.md", archived("old both", "2026-01-01") + archived("old here", "2026-01-01"));
      await external.put("auth/tokens.md", entryText("both"));
      await external.put(
        "archive/auth/2026.md",
        archived("archived there", "2026-11-01") + archived("old both", "2026-01-01"),
      );
      await move();
      expect(await external.titles("auth/tokens.md")).toEqual(["only here", "both"]);
      expect(await external.titles("archive/auth/2026.md")).toEqual(["archived there", "old here", "old both"]);
      expect(await own.all()).toEqual({ "index.md": expect.any(String) });
    });

    it("TOP-4 TOP-7 that are archived stay so, each in the place of its date; too many are pruned there", async () => {
      const { own, external, move } = await open();
      await own.put("archive/auth/2025.md", archived("o2", "2025-06-01") + archived("o1", "2025-02-01", "keys"));
      await own.put(
        "auth/tokens.md",
        Array.from({ length: 6 }, (_, one) => entryText(`m${one}`, "2026-01-01")).join(""),
      );
      await external.put("archive/auth/2025.md", archived("x3", "2025-12-01") + archived("x1", "2025-01-01"));
      await external.put(
        "auth/tokens.md",
        Array.from({ length: 6 }, (_, one) => entryText(`x${one}`, "2026-02-01")).join(""),
      );
      await move();
      expect(await external.titles("archive/auth/2025.md")).toEqual(["x3", "o2", "o1", "x1"]);
      expect(await external.text("archive/auth/2025.md")).toContain(archived("o1", "2025-02-01", "keys"));
      expect(await external.has("auth/keys.md")).toBe(false);
      expect(await external.titles("auth/tokens.md")).toEqual([
        "x0",
        "x1",
        "x2",
        "x3",
        "x4",
        "x5",
        "m0",
        "m1",
        "m2",
        "m3",
      ]);
      expect(await external.titles("archive/auth/2026.md")).toEqual(["m4", "m5"]);
      expect(await own.archives()).toEqual([]);
    });

    it("TOP-7 what people wrote into an archive, where no subtopic is named, stays", async () => {
      const { own, move } = await open();
      await own.put("archive/auth/2025.md", entryText("by hand", "2025-01-01") + archived("ours", "2025-01-01"));
      await move();
      expect(await own.titles("archive/auth/2025.md")).toEqual(["by hand"]);
    });
  });
});

it("TOP-7 KER-7 a move that is killed at any change loses nothing, and ends as if it had not been when done again", {
  timeout: 120_000,
}, async () => {
  const prepared = world();
  prepared.own.put("auth/tokens.md", entryText("m1", "2026-01-01"));
  prepared.own.put("archive/auth/2025.md", archived("o1", "2025-02-01"));
  prepared.external.put("auth/tokens.md", entryText("x", "2026-02-01"));
  const copy = () => {
    const made = world();
    cpSync(prepared.folder, made.folder, { recursive: true });
    return made;
  };
  const done = copy();
  await moveAll(done.folder);
  const after = textsIn(done.folder);
  expect(done.external.titles("auth/tokens.md")).toEqual(["x", "m1"]);

  let halves = 0;
  async function killAt(nth: number): Promise<boolean> {
    const { folder } = copy();
    const [, signal] = await once(spawn(process.execPath, [worker, folder, String(nth)]), "close");
    const found = Object.values(textsIn(folder)).join("\n");
    for (const title of ["m1", "o1", "x"]) expect(found, `killed at call ${nth}`).toContain(`: ${title}\n`);
    if (found.match(/: m1\n/g)?.length === 2) halves += 1;
    await moveAll(folder);
    expect(textsIn(folder), `done again after call ${nth}`).toEqual(after);
    return signal === "SIGKILL";
  }
  // Not every change, two at a time: each of the commits has many more.
  const step = someRuns(8, 4);
  for (let nth = 1; ; nth += 2 * step) {
    const killed = await Promise.all([killAt(nth), killAt(nth + step)]);
    if (killed.includes(false)) break;
  }
  expect(halves).toBeGreaterThan(0);
});
