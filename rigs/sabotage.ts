import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { clientSabotages } from "./sabotage-clients.ts";

interface Edit {
  readonly file: string;
  /** Must occur exactly once, so that a broken build can never silently be the good one. */
  readonly from: string;
  readonly to: string;
}

export interface Sabotage {
  readonly name: string;
  readonly why: string;
  readonly edits: readonly Edit[];
}

const openByRealPath = `return openByRealPath;
}

import { realpathSync, statSync } from "node:fs";

function openByRealPath(path: string, root = path): Directory {
  const inside = (inner: string): string => {
    let real: string;
    try {
      real = realpathSync(inner);
    } catch (error) {
      if ((error as { code?: string }).code === "ENOENT") return inner;
      throw error;
    }
    if (real === root || real.startsWith(root + "/")) return inner;
    throw Object.assign(new Error("outside"), { code: "ELOOP" });
  };
  const { dev, ino } = statSync(inside(path), { bigint: true });
  return {
    device: dev,
    inode: ino,
    at: (name) => inside(join(path, name)),
    stat: () => statSync(path, { bigint: true }),
    child: (name) => {
      const inner = inside(join(path, name));
      if (!statSync(inner).isDirectory()) throw Object.assign(new Error("not a folder"), { code: "ENOTDIR" });
      return openByRealPath(inner, root);
    },
    verify: () => {},
    sync: async (blocking) => {
      const descriptor = openSync(path, constants.O_RDONLY);
      await syncDescriptor(descriptor, blocking).finally(() => closeSync(descriptor));
    },
    syncNow: () => {},
    close: () => {},
  };`;

/** Builds that are broken on purpose. Each rig is trusted only because it was seen to catch its own. */
export const sabotages: readonly Sabotage[] = [
  {
    name: "no-lock",
    why: "every attempt to take a lock succeeds, so writers lose each other's writes",
    edits: [
      {
        file: "backends/files/lock-file.ts",
        from: `    tryAlone,\n    release: () => run("ROLLBACK"),`,
        to: `    tryAlone: () => true,\n    release: () => {},`,
      },
    ],
  },
  {
    name: "in-place",
    why: "the document is truncated and written in place, piece by piece, so readers and kills meet half of it",
    edits: [
      {
        file: "backends/files/durable-file.ts",
        from: `if (staged === undefined) return;`,
        to: `if (staged === undefined || before) return;`,
      },
      {
        file: "backends/files/durable-file.ts",
        from: `else if (before) renameSync(fresh, place);`,
        to: `else if (before) {
    const descriptor = openSync(place, constants.O_WRONLY | constants.O_TRUNC);
    void syncDescriptor(descriptor, true);
    const half = effect.content.bytes.length >> 1;
    writeAll(descriptor, effect.content.bytes.subarray(0, half));
    void syncDescriptor(descriptor, true);
    writeAll(descriptor, effect.content.bytes.subarray(half));
    void syncDescriptor(descriptor, true);
    closeSync(descriptor);
    discardFresh(auxiliary, index);
  }`,
      },
      {
        // Its old bytes have to be copied aside: a second name of the same file would change with it.
        file: "backends/files/durable-file.ts",
        from: `    linkSync(from, to);\n    return "linked";`,
        to: `    copyFileSync(from, to, constants.COPYFILE_EXCL);\n    return "copied";`,
      },
      {
        file: "backends/files/durable-file.ts",
        from: `  closeSync,\n  fchmodSync,`,
        to: `  closeSync,\n  constants,\n  copyFileSync,\n  fchmodSync,`,
      },
    ],
  },
  {
    name: "no-folder-sync",
    why: "the rename is never made durable, so a power cut brings the old document back",
    edits: [
      {
        file: "backends/files/directory.ts",
        from: `sync: (blocking) => syncDescriptor(descriptor, blocking),`,
        to: `sync: () => Promise.resolve(),`,
      },
      {
        file: "backends/files/directory.ts",
        from: `syncNow: () => fsyncSync(descriptor),`,
        to: `syncNow: () => {},`,
      },
    ],
  },
  {
    name: "root-by-path",
    why: "a root is opened by its path each time, through a link that took the place of a folder above it",
    edits: [
      {
        file: "backends/files/root-handle.ts",
        from: `openWithoutLinks(realPath, openDirectory)`,
        to: `openDirectory(realPath)`,
      },
    ],
  },
  {
    name: "realpath-then-open",
    why: "paths are checked first and opened afterwards, following whatever was put there in between",
    edits: [
      {
        file: "backends/files/directory.ts",
        from: `return process.platform === "linux" && existsSync("/proc/self/fd") ? openByDescriptor : openByPath;`,
        to: openByRealPath,
      },
      {
        file: "backends/files/document-file.ts",
        from: `const readFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) |`,
        to: `const readFlags = constants.O_RDONLY |`,
      },
    ],
  },
  {
    name: "swallow-sync-error",
    why: "a failed sync is taken for a good one, so what was never durable is acknowledged",
    edits: [
      {
        file: "backends/files/directory.ts",
        from: `    fsyncSync(descriptor);\n    return Promise.resolve();`,
        to: `    try {\n      fsyncSync(descriptor);\n    } catch {}\n    return Promise.resolve();`,
      },
    ],
  },
  {
    name: "no-retract",
    why: "a change that could not be made durable stays in place although it was refused",
    edits: [
      {
        file: "backends/files/apply.ts",
        from: `if (retract(effect, fresh, staged)) await part.folder.sync(false);\n      else part.assertInPlace();`,
        to: `await part.folder.sync(false);`,
      },
    ],
  },
  {
    name: "weak-lock",
    why: "a lock that could be opened for reading alone is taken for a good one, and excludes nobody",
    edits: [{ file: "backends/files/lock-file.ts", from: `if (found.every(isWritable)) return;`, to: `return;` }],
  },
  {
    name: "history-early-release",
    why: "superseded bytes are dropped before the commits that hold them count, so a kill in between loses them",
    edits: [
      {
        file: "history/git/feed-import.ts",
        from: `  { repository, git }: { readonly repository: Repository; readonly git: Git },`,
        to: `  { repository, git, trail }: { readonly repository: Repository; readonly git: Git; readonly trail?: { release(at: unknown): Promise<void> } },`,
      },
      {
        // With time enough to be killed in.
        file: "history/git/feed-import.ts",
        from: `  await repository.moveTip(tip);`,
        to: `  await trail?.release(result.state.positions);\n  await new Promise((done) => setTimeout(done, 100));\n  await repository.moveTip(tip);`,
      },
    ],
  },
  {
    name: "history-forgets",
    why: "where the recorder stood is not kept with its commits, so what it took over comes again",
    edits: [
      {
        file: "history/git/run-writer.ts",
        from: `: { positions, depth: 0 };`,
        to: `: { positions: {}, depth: 0 };`,
      },
      {
        file: "history/git/recorded-state.ts",
        from: `  if (kept) return kept;`,
        to: ``,
      },
      {
        // Time enough to be killed in.
        file: "history/git/record-runs.ts",
        from: `    await trail.release(releasesAll`,
        to: `    await new Promise((done) => setTimeout(done, 100));\n    await trail.release(releasesAll`,
      },
      {
        file: "history/git/recorded-state.ts",
        from: `export const maxDepth = 32;`,
        to: `export const maxDepth = 0;`,
      },
    ],
  },
  {
    name: "versions-no-kept-copy",
    why: "no copy of what was written is kept, so an editor that saves before history has it takes the version",
    edits: [
      {
        file: "backends/files/kept-revisions.ts",
        from: `    closeSync(writeContent(effect, name, content.bytes));`,
        to: `    if (content.bytes.length < 0) closeSync(writeContent(effect, name, content.bytes));`,
      },
    ],
  },
  {
    name: "versions-no-mirror",
    why: "the mirror never follows the history, so what deletes a folder deletes its history for good",
    edits: [
      { file: "history/git/history.ts", from: `    await mirror?.follow(opened, since);`, to: `    void since;` },
    ],
  },
  {
    name: "versions-no-bring-back",
    why: "a history that was deleted begins anew, and what its mirror has is forgotten",
    edits: [
      {
        file: "history/git/history.ts",
        from: `    if (mirror) await bringBack(mirror, context);`,
        to: `    if (!mirror) await bringBack(mirror as never, context);`,
      },
    ],
  },
  {
    name: "migration-forgets",
    why: "a copy that was killed does not see what is there already, and copies it again",
    edits: [
      {
        file: "kernel/operation-source.ts",
        from: `if (position !== undefined) return position;`,
        to: `if (position !== undefined) return Math.max(0, position - 5);`,
      },
    ],
  },
  {
    name: "http-early-answer",
    why: "a write over MCP is acknowledged now and then although nothing was written",
    edits: [
      {
        file: "mcp/append-memory.ts",
        from: `await records.append(memory_name, content);`,
        to: `await (Math.random() < 0.1 ? records.append(\`\${memory_name}-lost\`, content) : records.append(memory_name, content));`,
      },
    ],
  },
  {
    name: "fleet-early-answer",
    why: "a write to the database is now and then acknowledged before it is committed, whatever comes of it then",
    edits: [
      {
        file: "backends/postgres/take-turns.ts",
        from: `      const rows = await lanes.commit({ space, statement, documents: writes.length, bytes: bytesOf(writes) });\n      return attemptsOf(writes, rows);`,
        // Not always: the first write of a space finds it missing, so that nothing at all would ever be written.
        to: `      const committing = lanes.commit({ space, statement, documents: writes.length, bytes: bytesOf(writes) });
      if (Math.random() < 0.1) {
        void committing.catch(() => {});
        return writes.map(() => ({ kind: "written" as const, time: new Date() }));
      }
      return attemptsOf(writes, await committing);`,
      },
    ],
  },
  {
    name: "fleet-stale-search",
    why: "a server looks for what others wrote only when it begins, so that its search does not know it",
    edits: [
      {
        file: "backends/postgres/source.ts",
        from: `    const from = position;`,
        to: `    const from = position;\n    if (from) return [];`,
      },
    ],
  },
  {
    name: "fleet-retries",
    why: "what was committed when the connection was lost is taken for undone and done once more, so that it is there twice",
    edits: [
      {
        file: "backends/postgres/settle-doubt.ts",
        from: `if (ended.kind === "settled") return ended.done;`,
        to: `if (ended.kind === "settled") return new Map();`,
      },
    ],
  },
  {
    name: "sync-force",
    why: "what is sent replaces what the remote has, so that of two who send at once one is lost",
    edits: [
      {
        file: "sync/remote.ts",
        from: `["push", ...flags,`,
        to: `["push", "--force", ...flags,`,
      },
    ],
  },
  {
    name: "sync-head-first",
    why: "the branch moves before the folder has what it stands for, so that a kill in between takes it back",
    edits: [
      {
        file: "sync/rounds.ts",
        from: "  await repository.moveRefs(marks);",
        to: "  await repository.moveRefs([...marks.slice(2), ...moveHead(state, to)]);\n  state = { ...state, head: to };",
      },
    ],
  },
  ...clientSabotages,
];

export const goodSource = fileURLToPath(new URL("../src", import.meta.url));

/** Copies the sources beside the repository's own, breaks the copy, and says where it is. */
export function sabotage(name: string): string {
  const chosen = sabotages.find((one) => one.name === name);
  if (!chosen) throw new Error(`No broken build “${name}”. There are: ${sabotages.map((one) => one.name).join(", ")}.`);
  const rigFolder = fileURLToPath(new URL("../.rig", import.meta.url));
  mkdirSync(rigFolder, { recursive: true });
  const folder = mkdtempSync(join(rigFolder, `${name}-`));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const source = join(folder, "src");
  cpSync(goodSource, source, { recursive: true });
  for (const [file, text] of brokenFiles(chosen)) writeFileSync(join(source, file), text);
  return source;
}

/** The files that a sabotage changes, as they are then. Throws where the sources are no longer as it expects them. */
export function brokenFiles({ name, edits }: Sabotage): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { file, from, to } of edits) {
    const parts = (texts.get(file) ?? readFileSync(join(goodSource, file), "utf8")).split(from);
    if (parts.length !== 2) {
      const found = `“${from.slice(0, 60)}” occurs ${parts.length - 1} times in ${file}, not once`;
      throw new Error(`${found}: mend the sabotage “${name}”.`);
    }
    texts.set(file, parts.join(to));
  }
  return texts;
}

/** The sources to run: the good ones, or a broken copy. */
export function sourceOf(broken: string | undefined): string {
  return broken === undefined ? goodSource : sabotage(broken);
}
