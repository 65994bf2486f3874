import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readlinkSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  createDocuments,
  fullAccess,
  type Operation,
  openFilesStore,
  parseExistingPath,
  type RootPolicy,
} from "../../../src/app.ts";
import { type Directory, openByPath } from "../../../src/backends/files/directory.ts";
import { at, openNotes, scratchFolder, stamp } from "./scratch.ts";

describe("browsing a folder on disk", () => {
  it("BANK-2 shows dot files, odd names and empty folders, and neither links, pipes nor reserved folders", async () => {
    const [folder, outside] = [scratchFolder(), scratchFolder()];
    const { documents } = openNotes(folder);
    await documents.write(at("a.md"), "a", stamp);
    for (const name of [".env", "a:b", "e\u0301", "-x", ".gitignore"]) writeFileSync(join(folder, name), name);
    for (const name of [".git", ".GIT", ".vscode", "empty", "C:"]) mkdirSync(join(folder, name));
    writeFileSync(join(folder, "\\odd"), "no path can name it");
    symlinkSync(outside, join(folder, "linked"));
    symlinkSync(join(outside, "none"), join(folder, "dangling"));
    spawnSync("mkfifo", [join(folder, "pipe")]);
    expect(await documents.browse({ root: "notes" })).toEqual({
      folders: [".vscode", "empty"],
      files: ["-x", ".env", ".gitignore", "a.md", "a:b", "e\u0301"],
    });
    expect(await documents.browse({ root: "notes", folder: parseExistingPath("empty") })).toEqual({
      folders: [],
      files: [],
    });
    const linked = documents.browse({ root: "notes", folder: parseExistingPath("linked") });
    await expect(linked).rejects.toMatchObject({ code: "NOT_A_DOCUMENT" });
  });

  it("KER-2 never lists through a folder that is swapped for a link all the time", async () => {
    const [folder, outside] = [scratchFolder(), scratchFolder()];
    writeFileSync(join(outside, "secret.md"), "secret");
    mkdirSync(join(folder, "in/deep"), { recursive: true });
    writeFileSync(join(folder, "in/deep/a.md"), "a");
    mkdirSync(join(outside, "deep"));
    writeFileSync(join(outside, "deep/secret.md"), "secret");
    swapAllTheTime(join(folder, "in"), join(folder, "aside"), outside);
    const { documents } = openNotes(folder);
    const seen = { listed: 0, refused: 0 };
    while (seen.listed < 200 || seen.refused < 20) {
      const found = await documents
        .browse({ root: "notes", folder: parseExistingPath("in/deep") })
        .catch((error: { code: string }) => error.code);
      if (typeof found === "object") expect(found).toEqual({ folders: [], files: ["in/deep/a.md"] });
      seen[typeof found === "object" ? "listed" : "refused"] += 1;
      await setImmediate();
    }
  });

  it("KER-7 brings a cut-off operation to its end first, and needs no right to write for that", async () => {
    const folder = scratchFolder();
    const { documents } = openNotes(folder);
    await documents.write(at("a.md"), "a", stamp);
    const intent = {
      recollect: "intent",
      format: 1,
      batch: "b",
      coordinator: "gone",
      folders: [],
      steps: [],
      records: [],
    };
    writeFileSync(join(folder, ".recollect/intent"), JSON.stringify(intent));
    expect((await documents.browse({ root: "notes" }))?.files).toEqual(["a.md"]);
  });

  it("KER-2 tells nothing of a folder that was swapped for a link right before the look, without /proc", async () => {
    const [folder, outside] = [scratchFolder(), scratchFolder()];
    writeFileSync(join(outside, "secret.md"), "secret");
    mkdirSync(join(folder, "in"));
    const swapping = (directory: Directory): Directory => ({
      ...directory,
      child: (name) => swapping(directory.child(name)),
      at: (name) => {
        const path = directory.at(name);
        if (name === "." && path === join(folder, "in")) {
          renameSync(path, join(folder, "aside"));
          symlinkSync(outside, path);
        }
        return path;
      },
    });
    const { documents } = openNotes(folder, { openDirectory: (path) => swapping(openByPath(path)) });
    const listing = documents.browse({ root: "notes", folder: parseExistingPath("in") });
    await expect(listing).rejects.toHaveProperty("code");
    expect(readlinkSync(join(folder, "in"))).toBe(outside);
  });

  it("KER-2 works on a system without /proc", async () => {
    const folder = scratchFolder();
    mkdirSync(join(folder, "a"));
    writeFileSync(join(folder, "a/b.md"), "b");
    const { documents } = openNotes(folder, { openDirectory: openByPath });
    expect(await documents.browse({ root: "notes", folder: parseExistingPath("a") })).toEqual({
      folders: [],
      files: ["a/b.md"],
    });
  });
});

/** Swaps a folder for a link to another and back, in a process of its own, until the test is over. */
function swapAllTheTime(place: string, aside: string, outside: string): void {
  const script = `
    const { renameSync, symlinkSync, unlinkSync } = require("node:fs");
    const [place, aside, outside] = process.argv.slice(1);
    const rest = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    for (;;) {
      renameSync(place, aside);
      symlinkSync(outside, place);
      rest();
      unlinkSync(place);
      renameSync(aside, place);
      rest();
    }`;
  const child = spawn(process.execPath, ["-e", script, place, aside, outside], { stdio: "ignore" });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await once(child, "close");
  });
}

describe("browsing overlapping roots", () => {
  function openNested(inner: RootPolicy) {
    const folder = scratchFolder();
    mkdirSync(join(folder, "bank/sealed/deep"), { recursive: true });
    writeFileSync(join(folder, "bank/sealed/law.md"), "law");
    const store = openFilesStore({
      now: Date.now,
      roots: [
        { name: "project", folder, plain: true },
        { name: "sealed", folder: join(folder, "bank/sealed") },
      ],
    });
    onTestFinished(() => store.close());
    return createDocuments({
      roots: [
        { name: "project", policy: new Set<Operation>(["list"]), store, naming: "any" },
        { name: "sealed", policy: inner, store },
      ],
    });
  }
  const browse = (documents: ReturnType<typeof openNested>, folder: string) =>
    documents.browse({ root: "project", folder: parseExistingPath(folder) });

  it("KER-8 asks the innermost root, which is left out or refused where it may not be listed", async () => {
    const documents = openNested(new Set<Operation>(["read"]));
    expect(await browse(documents, "bank")).toEqual({ folders: [], files: [] });
    for (const folder of ["bank/sealed", "bank/sealed/deep"]) {
      await expect(browse(documents, folder)).rejects.toMatchObject({ code: "NOT_ALLOWED", data: { root: "sealed" } });
    }
  });

  it("KER-8 shows it with paths of the root that was asked where it may", async () => {
    const documents = openNested(fullAccess);
    expect(await browse(documents, "bank")).toEqual({ folders: ["bank/sealed"], files: [] });
    expect(await browse(documents, "bank/sealed")).toEqual({
      folders: ["bank/sealed/deep"],
      files: ["bank/sealed/law.md"],
    });
  });
});
