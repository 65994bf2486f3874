import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type Address,
  type Change,
  createDocuments,
  type DocumentPath,
  fullAccess,
  openFilesStore,
  parseExistingPath,
  revisionOf,
} from "../../../src/app.ts";
import { openByPath } from "../../../src/backends/files/directory.ts";
import { workerScript } from "../../helpers/worker-script.ts";
import { readTrail, readTrails } from "../../helpers/written-records.ts";
import { at, openNotes, scratchFolder, stamp } from "./scratch.ts";

const worker = workerScript("./plain-write-worker.ts", import.meta.url);
const draftName = `.recollect-draft-${crypto.randomUUID()}`;

const any = (path: string): Address<DocumentPath> => ({
  root: "project",
  path: parseExistingPath(path) as DocumentPath,
});

/** A project of plain files, with an ordinary root of notes inside it. */
function openProject(options: { folder?: string; now?: () => number; byPath?: boolean } = {}) {
  const folder = options.folder ?? scratchFolder();
  mkdirSync(join(folder, "src"), { recursive: true });
  writeFileSync(join(folder, "src/main.ts"), "main");
  const store = openFilesStore({
    now: options.now ?? Date.now,
    ...(options.byPath ? { openDirectory: openByPath } : {}),
    roots: [
      { name: "project", folder, plain: true, create: false },
      { name: "notes", folder: join(folder, ".serena/memories") },
    ],
  });
  onTestFinished(() => store.close());
  const documents = createDocuments({
    roots: [
      { name: "project", policy: fullAccess, store, naming: "any" },
      { name: "notes", policy: fullAccess, store },
    ],
  });
  return { folder, store, documents };
}

function draftsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.includes("recollect-draft"));
}

describe.each([
  ["by descriptors", false],
  ["by paths", true],
])("a plain root %s", (_, byPath) => {
  it("BANK-2 is written whole, makes parents, and keeps no history, journal or auxiliary folder", async () => {
    const { folder, store, documents } = openProject({ byPath });
    const made = await documents.write(any("new/er/.env.local"), "A=1", stamp);
    expect(made).toMatchObject({ kind: "committed", outcome: { was: undefined } });
    const replaced = await documents.write(any("src/main.ts"), "changed", stamp);
    expect(replaced).toMatchObject({
      outcome: { was: revisionOf(Buffer.from("main")), rev: revisionOf(Buffer.from("changed")) },
    });
    expect(readFileSync(join(folder, "new/er/.env.local"), "utf8")).toBe("A=1");
    expect((await documents.read(any("src/main.ts")))?.content).toBe("changed");
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual([
      "new",
      "new/er",
      "new/er/.env.local",
      "src",
      "src/main.ts",
    ]);
    expect(await readTrails(store)).toEqual([]);
    expect(await documents.recent({ root: "project", limit: 5 })).toEqual([]);
    expect(await store.recover()).toEqual({ completed: 0, discarded: 0 });
    expect(await store.recover({ root: "project" })).toEqual({ completed: 0, discarded: 0 });
  });

  it("BANK-2 takes names that KER-1 refuses, and none that lead to a reserved folder", async () => {
    const { documents } = openProject({ byPath });
    for (const name of ["-x", "a:b", "COM1", "e\u0301", " trailing ", "~x", ".gitignore", "x".repeat(250)]) {
      expect((await documents.write(any(name), name, stamp)).kind, name).toBe("committed");
      expect((await documents.read(any(name)))?.content).toBe(name);
    }
    for (const name of [".git/config", ".GIT/x", ".recollect/lock", "a/../b", "/etc/x", "a//b", "a\0b"]) {
      const forged = { root: "project", path: name as DocumentPath };
      await expect(documents.write(forged, "x", stamp), name).rejects.toMatchObject({ code: "INVALID_PATH" });
    }
    await expect(documents.write(any("x".repeat(256)), "x", stamp)).rejects.toMatchObject({ code: "INVALID_PATH" });
  });

  it("KER-8 leaves what lies in an inner, ordinary root to that root: its names, its history", async () => {
    const { folder, store, documents } = openProject({ byPath });
    await documents.write(any(".serena/memories/a.md"), "one", stamp);
    await documents.write(any(".serena/memories/a.md"), "two", stamp);
    const places = (await readTrails(store)).map(({ root, path }) => ({ root, path }));
    expect(places).toEqual([at("a.md"), at("a.md")]);
    const { textOf } = await readTrail(store.trail("notes"));
    expect(await textOf("a.md", revisionOf(Buffer.from("one")))).toBe("one");
    expect(existsSync(join(folder, ".serena/memories/.recollect"))).toBe(true);
    expect(existsSync(join(folder, ".serena/.recollect"))).toBe(false);
    await expect(documents.write(any(".serena/memories/.hidden"), "x", stamp)).rejects.toMatchObject({
      code: "INVALID_PATH",
    });
    await expect(documents.write(any(".serena/memories"), "x", stamp)).rejects.toMatchObject({
      code: "NOT_A_DOCUMENT",
    });
  });

  it("BANK-2 takes one write at a time and nothing else", async () => {
    const { folder, store, documents } = openProject({ byPath });
    const main = any("src/main.ts");
    const refused: Change[][] = [
      [{ kind: "append", at: main, content: "x" }],
      [{ kind: "remove", at: main }],
      [],
      [
        { kind: "put", at: main, content: "x" },
        { kind: "put", at: main, content: "y" },
      ],
    ];
    for (const changes of refused) {
      await expect(store.commit([main].map(store.resolve), () => changes, stamp)).rejects.toMatchObject({
        code: "NOT_ALLOWED",
      });
    }
    await expect(documents.append(main, "x", stamp)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    await expect(documents.remove(main, stamp)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    await expect(documents.move(main, any("b.ts"), stamp)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    await expect(documents.move(main, at("b.md"), stamp)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    const both = store.commit(
      [main, at("b.md")].map(store.resolve),
      () => [{ kind: "put", at: main, content: "x" }],
      stamp,
    );
    await expect(both).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    const other = store.commit(
      [main].map(store.resolve),
      () => [{ kind: "put", at: any("b.ts"), content: "x" }],
      stamp,
    );
    await expect(other).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(readFileSync(join(folder, "src/main.ts"), "utf8")).toBe("main");
    expect(existsSync(join(folder, "src/.recollect"))).toBe(false);
  });

  it("KER-2 never writes through or over a link, a folder or a pipe, and replaces a hard link", async () => {
    const { folder, documents } = openProject({ byPath });
    const outside = scratchFolder();
    writeFileSync(join(outside, "secret"), "secret");
    symlinkSync(join(outside, "secret"), join(folder, "link"));
    symlinkSync(join(outside, "absent"), join(folder, "dangling"));
    symlinkSync(outside, join(folder, "linked"));
    spawnSync("mkfifo", [join(folder, "pipe")]);
    for (const name of ["link", "dangling", "linked/secret", "linked/new", "pipe", "src", "src/main.ts/x"]) {
      await expect(documents.write(any(name), "x", stamp), name).rejects.toMatchObject({ code: "NOT_A_DOCUMENT" });
    }
    linkSync(join(outside, "secret"), join(folder, "hard"));
    expect((await documents.write(any("hard"), "x", stamp)).kind).toBe("committed");
    expect(readFileSync(join(folder, "hard"), "utf8")).toBe("x");
    expect(readdirSync(outside)).toEqual(["secret"]);
    expect(readFileSync(join(outside, "secret"), "utf8")).toBe("secret");
    expect(lstatSync(join(folder, "link")).isSymbolicLink()).toBe(true);
    expect(draftsIn(folder)).toEqual([]);
  });

  it("KER-4 keeps the mode of what it replaces", async () => {
    const { folder, documents } = openProject({ byPath });
    for (const mode of [0o755, 0o600, 0o640]) {
      chmodSync(join(folder, "src/main.ts"), mode);
      await documents.write(any("src/main.ts"), `mode ${mode}`, stamp);
      expect(statSync(join(folder, "src/main.ts")).mode & 0o777).toBe(mode);
    }
  });

  it("KER-6 compares revisions, and looks again where somebody saves the file meanwhile", async () => {
    const { folder, store, documents } = openProject({ byPath });
    const rev = revisionOf(Buffer.from("main"));
    expect(await documents.write(any("src/main.ts"), "x", stamp, { mustNotExist: true })).toMatchObject({
      kind: "conflict",
      current: rev,
    });
    const seen: (string | undefined)[] = [];
    await store.commit(
      [any("src/main.ts")].map(store.resolve),
      (current) => {
        seen.push(current(any("src/main.ts"))?.content);
        if (seen.length === 1) writeFileSync(join(folder, "src/main.ts"), "saved by hand");
        return [{ kind: "put", at: any("src/main.ts"), content: "ours" }];
      },
      stamp,
    );
    expect(seen).toEqual(["main", "saved by hand"]);
    const made = await store.commit(
      [any("fresh.ts")].map(store.resolve),
      (current) => {
        if (current(any("fresh.ts"))) return { kind: "taken" as const };
        writeFileSync(join(folder, "fresh.ts"), "theirs");
        return [{ kind: "put" as const, at: any("fresh.ts"), content: "ours" }];
      },
      stamp,
    );
    expect(made).toEqual({ kind: "taken" });
    expect(readFileSync(join(folder, "fresh.ts"), "utf8")).toBe("theirs");
    expect(draftsIn(folder)).toEqual([]);
  });

  it("KER-2 gives up where the target becomes a link or its folder is swapped meanwhile", async () => {
    const { folder, store } = openProject({ byPath });
    const outside = scratchFolder();
    writeFileSync(join(outside, "main.ts"), "outside");
    const swapped = store.commit(
      [any("src/main.ts")].map(store.resolve),
      () => {
        if (!lstatSync(join(folder, "src")).isSymbolicLink()) {
          renameSync(join(folder, "src"), join(folder, "moved"));
          symlinkSync(outside, join(folder, "src"));
        }
        return [{ kind: "put", at: any("src/main.ts"), content: "ours" }];
      },
      stamp,
    );
    await swapped.catch(() => undefined);
    expect(readFileSync(join(outside, "main.ts"), "utf8")).toBe("outside");
    expect(readdirSync(outside)).toEqual(["main.ts"]);
  });
});

describe("drafts of plain files", () => {
  it("BANK-2 are neither listed nor written to by name, in no spelling", async () => {
    const { folder, documents } = openProject();
    writeFileSync(join(folder, draftName), "left");
    expect((await documents.browse({ root: "project" }))?.files).toEqual([]);
    expect((await documents.list({ root: "project" })).entries.map(({ path }) => path)).toEqual(["src/main.ts"]);
    for (const name of [draftName, ".Recollect-Draft-x", `src/${draftName}`, `${draftName}x/y`]) {
      await expect(documents.write(any(name), "x", stamp), name).rejects.toMatchObject({ code: "INVALID_PATH" });
    }
  });

  it("KER-7 are removed by the next write to the folder once they are a minute old, and nothing else is", async () => {
    const { folder, documents } = openProject();
    const old = new Date(Date.now() - 61_000);
    const names = [draftName, ".recollect-draft-mine", `.recollect-draft-${crypto.randomUUID()}`];
    for (const name of names) writeFileSync(join(folder, name), "left");
    for (const name of names.slice(0, 2)) utimesSync(join(folder, name), old, old);
    await documents.write(any("a.txt"), "a", stamp);
    expect(names.filter((name) => existsSync(join(folder, name)))).toEqual(names.slice(1));
  });
});

describe("a plain root beside documents that are not configured here", () => {
  it("KER-5 KER-6b writes them as documents, with their lock and their history", async () => {
    const { folder, documents } = openProject();
    const other = openNotes(join(folder, "memory"));
    await other.documents.write(at("a.md"), "theirs", stamp);
    const appends = Array.from({ length: 20 }, () => other.documents.append(at("log.md"), "+", stamp));
    await documents.write(any("memory/a.md"), "ours", stamp);
    await Promise.all(appends);
    const { records, textOf } = await readTrail(other.store.trail("notes"));
    expect(await textOf("a.md", revisionOf(Buffer.from("theirs")))).toBe("theirs");
    expect(records.map(({ rev }) => rev)).toContain(revisionOf(Buffer.from("ours")));
    expect((await other.documents.read(at("a.md")))?.content).toBe("ours");
    await expect(documents.append(any("memory/a.md"), "x", stamp)).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  });

  it("BANK-2 leaves them out of the changes, of recovery and of what changed last", async () => {
    const { folder, store, documents } = openProject();
    await openNotes(join(folder, "memory")).documents.write(at("a.md"), "theirs", stamp);
    writeFileSync(join(folder, "memory/.recollect/new-0"), "of somebody who may be alive");
    expect(await readTrails(store)).toEqual([]);
    expect(await documents.recent({ root: "project", limit: 10 })).toEqual([]);
    for (const scope of [undefined, { root: "project" }, { root: "project", folder: parseExistingPath("memory") }]) {
      expect(await store.recover(scope)).toEqual({ completed: 0, discarded: 0 });
    }
    expect(existsSync(join(folder, "memory/.recollect/new-0"))).toBe(true);
  });

  it("KER-2 follows no intent and no position of a clone into plain folders", async () => {
    const { folder, store, documents } = openProject();
    const notes = join(folder, ".serena/memories");
    await documents.write(at("a.md"), "a", stamp);
    const { positions } = await store.trail("notes").records({});
    expect(positions[""]).toBeDefined();
    await store.trail("project").release({ src: positions[""] });
    const forged = { recollect: "intent", format: 1, batch: "b", folders: ["../../src"], steps: [], records: [] };
    writeFileSync(join(notes, ".recollect/intent"), JSON.stringify({ ...forged, coordinator: "../../src" }));
    await expect(documents.write(at("a.md"), "b", stamp)).rejects.toMatchObject({ code: "RECOVERY_NEEDED" });
    expect(readdirSync(join(folder, "src"))).toEqual(["main.ts"]);
  });
});

function run(folder: string, path: string, nth: number, how: "kill" | "fail" | "trace") {
  const { stdout, signal, stderr } = spawnSync(process.execPath, [worker, folder, path, String(nth), how], {
    encoding: "utf8",
  });
  if (signal === null && stdout === "") throw new Error(stderr);
  return { answer: stdout.trim(), killed: signal === "SIGKILL" };
}

function contentOf(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

describe.each([
  ["replaces", "file.md", "old"],
  ["makes", "deep/er/file.md", undefined],
])("a write that %s a plain file", (_, path, old) => {
  function prepare(): string {
    const folder = scratchFolder();
    if (old !== undefined) writeFileSync(join(folder, path), old);
    return folder;
  }

  it("KER-4 leaves the old or the new content, whichever call it was killed at", { timeout: 120_000 }, async () => {
    const seen = new Set<string | undefined>();
    for (let nth = 1; ; nth += 1) {
      const folder = prepare();
      const { answer, killed } = run(folder, path, nth, "kill");
      const found = contentOf(join(folder, path));
      expect([old, "new"], `killed at call ${nth}`).toContain(found);
      if (answer === "acknowledged") expect(found).toBe("new");
      const { documents } = openProject({ folder, now: () => Date.now() + 120_000 });
      expect((await documents.read(any(path)))?.content).toBe(found);
      await documents.write(any(path), "later", stamp);
      expect(draftsIn(folder), `killed at call ${nth}`).toEqual([]);
      seen.add(found);
      if (!killed) break;
    }
    expect(seen).toEqual(new Set([old, "new"]));
  });

  it("KER-4 syncs the draft before it takes its place, and the folder and each new parent before the answer", () => {
    const calls = run(prepare(), path, 0, "trace").answer.split(" ");
    const durable = calls.filter((name) => ["mkdirSync", "fsyncSync", "renameSync"].includes(name));
    const parents = old === undefined ? ["mkdirSync", "fsyncSync", "mkdirSync", "fsyncSync"] : [];
    expect(durable).toEqual([...parents, "fsyncSync", "renameSync", "fsyncSync"]);
  });

  it("KER-10 keeps the old content and leaves no draft, whichever call failed", { timeout: 120_000 }, () => {
    let failures = 0;
    for (let nth = 1; ; nth += 1) {
      const folder = prepare();
      const { answer } = run(folder, path, nth, "fail");
      expect(contentOf(join(folder, path)), `failed at call ${nth}`).toBe(answer === "acknowledged" ? "new" : old);
      expect(draftsIn(folder), `failed at call ${nth}`).toEqual([]);
      if (answer === "acknowledged") break;
      expect(answer).toBe("DISK_FULL");
      expect(contentOf(join(folder, "afterwards.md"))).toBe("new");
      failures += 1;
    }
    expect(failures).toBeGreaterThan(4);
  });
});
