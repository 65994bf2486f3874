import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openGitHistory } from "../../src/history/git/history.ts";
import { verifyRoot } from "../../src/history/git/verify/verify.ts";
import { createHistory } from "../../src/history/history.ts";
import type { Log } from "../../src/kernel/log.ts";
import { ada, at, bob, fsck, git, openWorld, scratchFolder, textsOf } from "./scratch.ts";

const texts = ["one\n", "two\n", "three\n", "four\n"];

/** Four revisions, each taken over by a process of its own. */
async function filled() {
  const folder = scratchFolder();
  const tips: string[] = [];
  for (const text of texts) {
    const { documents, history, close } = openWorld(folder);
    await documents.write(at("a.md"), text, ada);
    await history.catchUp();
    tips.push(git(folder, "rev-parse", "history").trim());
    await close();
  }
  const place = join(folder, ".recollect/history");
  return { folder, place, ref: join(place, "refs/heads/history"), tips };
}

function opened(folder: string) {
  const said: string[] = [];
  const world = openWorld(folder, { log: (_, __, fields) => void said.push(String(fields?.["message"])) });
  const verify = async () => {
    const { findings } = await verifyRoot({ trail: world.store.trail("notes"), env: process.env, waitMs: 5000 });
    return findings.filter(({ level }) => level !== "note").map(({ says }) => says);
  };
  return { ...world, said, verify };
}

function packsOf(place: string, ending: string): string[] {
  const folder = join(place, "objects/pack");
  const names = readdirSync(folder).filter((name) => name.endsWith(ending));
  return names.map((name) => join(folder, name));
}

describe("HIST-4b a branch that is gone or was set back", () => {
  const ways: Record<string, (one: Awaited<ReturnType<typeof filled>>) => void> = {
    "is empty": ({ ref }) => writeFileSync(ref, ""),
    "is gone": ({ ref }) => rmSync(ref),
    "is no id": ({ ref }) => writeFileSync(ref, "something\n"),
    "is two commits back": ({ ref, tips }) => writeFileSync(ref, `${tips[1]}\n`),
    "names nothing": ({ ref }) => writeFileSync(ref, `${"1".repeat(40)}\n`),
  };
  it.each(Object.entries(ways))("%s: the noted end is named again, and it is said", async (_, harm) => {
    const before = await filled();
    harm(before);
    const { documents, history, said, verify } = opened(before.folder);
    expect(await verify()).not.toEqual([]);
    await documents.write(at("a.md"), "five\n", bob);
    await history.catchUp();
    expect(await textsOf(history, "a.md")).toEqual(["five\n", ...texts.toReversed()]);
    expect(said).toEqual([expect.stringContaining(`brought back to ${before.tips[3]?.slice(0, 10)}`)]);
    expect(await verify()).toEqual([]);
    expect(fsck(before.folder)).toBe("");
  });

  it("a branch behind its note is not moved where the note is what a killed recorder left", async () => {
    const { folder, tips } = await filled();
    writeFileSync(join(folder, ".recollect/history-tip"), `recollect history ${tips[2]}\n`);
    const { history, said } = opened(folder);
    await history.catchUp();
    expect(said).toEqual([]);
    expect(git(folder, "rev-parse", "history").trim()).toBe(tips[3]);
  });
});

describe("HIST-4b history that was rewritten on purpose", () => {
  it("is not set back to what was before a purge that was killed before it noted its end", async () => {
    const { folder, ref, tips } = await filled();
    const time = new Date().toISOString();
    const facts = [`seen {"kind":"outside","time":"${time}"}`, "purge {}", 'end {"positions":{},"depth":0}'];
    const message = ["purge a leaked value", "", "recollect-history 1", ...facts, ""].join("\n");
    const people = ["-c", "user.name=outside", "-c", "user.email=none"];
    const made = git(folder, ...people, "commit-tree", "-m", message, `${tips[3]}^{tree}`).trim();
    writeFileSync(ref, `${made}\n`);
    const { history, said } = opened(folder);
    await history.catchUp();
    expect(said.filter((one) => one.includes("brought back"))).toEqual([]);
    expect(git(folder, "rev-list", "history").split("\n")).not.toContain(tips[3]);
    expect(readFileSync(join(folder, ".recollect/history-tip"), "utf8")).not.toContain(tips[3]);
  });
});

describe("HIST-4b history that was lost", () => {
  it("is a reason to drop nothing that is old, until somebody knows of it", async () => {
    const { folder, place } = await filled();
    rmSync(place, { recursive: true });
    const { store, history, documents } = opened(folder);
    await documents.write(at("a.md"), "five\n", bob);
    await history.catchUp();
    const later = () => Date.now() + 10 * 86_400_000;
    const keeping = openGitHistory({ trail: store.trail("notes"), env: process.env, now: later, keepMs: 1000 });
    expect(await keeping.trim()).toBe(0);
    await history.acceptLoss("person:bob");
    expect(await keeping.trim()).toBeGreaterThan(0);
    expect(await textsOf(keeping, "a.md")).toEqual(["five\n"]);
  });

  it("begins anew where all of it is gone, is told by verify until somebody knows of it", async () => {
    const { folder, place, tips } = await filled();
    rmSync(place, { recursive: true });
    const { history, said, verify, documents } = opened(folder);
    await history.catchUp();
    expect(said).toEqual([expect.stringContaining("was lost"), expect.stringContaining("is not in history")]);
    await documents.write(at("a.md"), "five\n", bob);
    await history.catchUp();
    expect(said).toHaveLength(2);
    expect(await textsOf(history, "a.md")).toEqual(["five\n", "four\n"]);
    expect(git(folder, "log", "--format=%B")).toContain(tips[3]);
    expect(await verify()).toEqual([expect.stringContaining("was lost")]);
    expect((await history.status()).faults).toEqual([expect.stringContaining("was lost")]);
    expect(await history.acceptLoss("person:bob")).toBe(true);
    expect(await history.acceptLoss("person:bob")).toBe(false);
    expect(await verify()).toEqual([]);
    expect((await history.status()).faults).toEqual([]);
    await documents.write(at("a.md"), "six\n", bob);
    await history.catchUp();
    expect(await verify()).toEqual([]);
    expect(await textsOf(history, "a.md")).toEqual(["six\n", "five\n", "four\n"]);
  });

  it("goes on from what can be read where only the last packs are gone", async () => {
    const { folder, place, tips } = await filled();
    const kept = git(folder, "rev-list", "--objects", tips[1] ?? "")
      .split("\n")
      .map((line) => line.slice(0, 40));
    for (const index of packsOf(place, ".idx")) {
      const listed = git(folder, "verify-pack", "-v", index).matchAll(/^([0-9a-f]{40}) commit/gm);
      if ([...listed].every(([, id]) => kept.includes(id ?? ""))) continue;
      rmSync(index.replace(/idx$/, "pack"));
      rmSync(index);
    }
    const { history, said, verify, documents } = opened(folder);
    await documents.write(at("a.md"), "five\n", bob);
    await history.catchUp();
    expect(said).toEqual([
      expect.stringContaining(`goes on from ${tips[1]?.slice(0, 10)}`),
      expect.stringContaining("is not in history"),
    ]);
    expect(await textsOf(history, "a.md")).toEqual(["five\n", "four\n", "two\n", "one\n"]);
    expect(await verify()).toEqual([expect.stringContaining("was lost")]);
    await history.acceptLoss("person:bob");
    expect(await verify()).toEqual([]);
  });

  it("is not what a note says that nobody can read", async () => {
    const { folder, ref, tips } = await filled();
    writeFileSync(join(folder, ".recollect/history-tip"), "something\n");
    rmSync(ref);
    const { history, said } = opened(folder);
    await history.catchUp();
    expect(said).toEqual([expect.stringContaining(`goes on from ${tips[3]?.slice(0, 10)}`)]);
    expect(await textsOf(history, "a.md")).toEqual(texts.toReversed());
  });
});

describe("HIST-1 history that is damaged in part", () => {
  it("makes the lost index of a pack again", async () => {
    const { folder, place } = await filled();
    for (const index of packsOf(place, ".idx")) rmSync(index);
    const { history, said, verify } = opened(folder);
    expect((await history.status()).faults).not.toEqual([]);
    await history.catchUp();
    expect(said).toHaveLength(4);
    expect(await textsOf(history, "a.md")).toEqual(texts.toReversed());
    expect(await verify()).toEqual([]);
  });

  it("shows what can be read where nothing can be recorded, and says so", async () => {
    const { folder, place } = await filled();
    // A pack that is damaged, and so is its index: nothing can be made of it again.
    const [oldest] = packsOf(place, ".pack").filter((pack) =>
      git(folder, "verify-pack", "-v", pack.replace(/pack$/, "idx")).includes(
        git(folder, "rev-parse", "history~3").trim(),
      ),
    );
    if (!oldest) throw new Error("no such pack");
    rmSync(oldest.replace(/pack$/, "idx"));
    rmSync(oldest);
    const { documents, history: own, said } = opened(folder);
    const history = createHistory({ histories: [own], documents });
    const page = await history.log({ root: "notes", limit: 2 });
    expect(page.operations).toHaveLength(2);
    expect((await history.show(at("a.md"), "~1")).text).toBe("three\n");
    expect((await own.log({ path: at("a.md").path, limit: 100 })).operations.length).toBeGreaterThan(1);
    expect(said.join()).toContain("recollect verify");
  });

  it("reads where nothing can be recorded, and says what is not in it", async () => {
    const { folder } = await filled();
    const programs = join(folder, ".programs");
    mkdirSync(programs);
    const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
    const script = `#!/bin/sh\ncase " $* " in *" fast-import "*) exit 128;; esac\nexec ${real} "$@"\n`;
    writeFileSync(join(programs, "git"), script, { mode: 0o755 });
    const env = { ...process.env, PATH: `${programs}:${process.env["PATH"]}` };
    const { documents, history: own } = openWorld(folder, { env });
    const said: string[] = [];
    const log: Log = (_, __, fields) => void said.push(String(fields?.["message"]));
    const history = createHistory({ histories: [own], documents, log });
    await documents.write(at("a.md"), "five\n", bob);
    expect((await history.show(at("a.md"))).text).toBe("four\n");
    expect(said).toEqual([expect.stringContaining("only what can be read is shown")]);
    await expect(history.undo({ author: "agent:ada" }, bob)).rejects.toMatchObject({ code: "STORAGE_FAILED" });
  });

  it("tells of settings that are not ours, and of a history that is no folder", async () => {
    const { folder, place } = await filled();
    const config = readFileSync(join(place, "config"));
    writeFileSync(join(place, "config"), `${config}[core]\n\tfsmonitor = true\n`);
    const { history } = opened(folder);
    expect((await history.status()).faults).toEqual([expect.stringContaining("config")]);
    rmSync(place, { recursive: true });
    writeFileSync(place, "");
    expect((await history.status()).faults).toEqual([expect.stringContaining("is not a folder")]);
  });
});
