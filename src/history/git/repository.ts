import {
  chmodSync,
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { syncFolder } from "../../backends/files/sync-folder.ts";
import { RecollectError } from "../../kernel/errors.ts";

const historyBranch = "refs/heads/history";
/** Branches of runs under way; what is left there belongs to nobody. */
const runs = "refs/recollect";
const folders = ["", "objects", "objects/pack", "objects/info", "refs", "refs/heads", runs];
/** What git and the recorder read as files. */
const files = ["config", "HEAD", "packed-refs"];
/** Files by which a repository that came with a clone could lead git elsewhere. */
const refused = ["commondir", "config.worktree", "shallow", "objects/info/alternates", "info/grafts"];

const leftMs = 3_600_000;
const graphs = "objects/info/commit-graphs";
const wholeGraphLock = "objects/info/commit-graph.lock";

const config = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
\tlogAllRefUpdates = false
[gc]
\tauto = 0
`;

/** The repository of a root's history: a bare one that ordinary git can read. */
export interface Repository {
  readonly folder: string;
  /** How messages name it. */
  readonly shownAs: string;
  /** Whether the group works in it too. */
  readonly isShared: boolean;
  /** Refuses what came from somebody else. */
  check(): void;
  /** Makes what is missing of it. With the recorder's lock held. */
  ensure(): void;
  /** Undefined where nothing was recorded yet. */
  tip(): string | undefined;
  /** The name of a branch for one run, and its tip once the run is done. */
  runBranch(id: string): { readonly name: string; tip(): string | undefined; remove(): void };
  /** Moves history on to what a run made, durably. With the recorder's lock held. */
  moveTip(commit: string): Promise<void>;
  /** Takes away what killed runs left. With the recorder's lock held. */
  sweep(): void;
  /** Takes away what a git left that was killed while it wrote a commit graph. False where one may still be writing it. */
  freeGraph(): boolean;
  packSizes(): readonly number[];
  /** How many bytes it has on disk. */
  size(): number;
}

export interface RepositoryOptions {
  /** Which branch holds the history; a mirror has one for each folder. */
  readonly branch?: string | undefined;
  /** The mode of its folders; by default that of the folder around it. */
  readonly mode?: number | undefined;
  /** How messages name it; by default as the history beside the documents. */
  readonly shownAs?: string | undefined;
}

export function openRepository(
  folder: string,
  { branch = historyBranch, mode: given, shownAs = ".recollect/history" }: RepositoryOptions = {},
): Repository {
  const at = (name: string) => join(folder, name);
  const mode = () => (given ?? statSync(dirname(folder)).mode) & 0o2777;

  function ensure(): void {
    for (const name of folders) {
      makeFolder(at(name), mode(), notOurs);
    }
    check();
    if (readOrUndefined(at("config")) !== config) replaceFile(at("config"), config, mode());
    const head = `ref: ${historyBranch}\n`;
    if (readOrUndefined(at("HEAD")) !== head) {
      replaceFile(at("HEAD"), head, mode());
      syncFolder(folder);
      syncFolder(dirname(folder));
    }
  }

  function check(): void {
    // The outer ones first: nothing can be looked for below a file.
    const odd =
      folders.find((name) => lstatOrUndefined(at(name))?.isDirectory() === false) ??
      refused.find((name) => lstatOrUndefined(at(name))) ??
      files.find((name) => lstatOrUndefined(at(name))?.isDirectory());
    if (odd !== undefined) throw notOurs(odd);
    // Git reads it before anything that we say: only what we wrote ourselves may be in it.
    const found = readOrUndefined(at("config"));
    if (found !== undefined && found !== config && !isBlank(found)) throw notOurs("config");
  }

  function notOurs(name: string): RecollectError {
    const says = `“${shownAs}${name && `/${name}`}” was not made by Recollect. Move it away.`;
    return new RecollectError("NOT_ALLOWED", says);
  }

  return {
    folder,
    shownAs,
    check,
    get isShared() {
      return (mode() & 0o020) !== 0;
    },
    ensure,
    tip: () => readRef(at(branch)) ?? packedRef(at("packed-refs"), branch),
    runBranch: (id) => {
      const name = `${runs}/${id}`;
      return { name, tip: () => readRef(at(name)), remove: () => rmSync(at(name), { force: true }) };
    },
    moveTip: async (commit) => {
      syncFolder(at("objects/pack"));
      const lock = at(`${branch}.lock`);
      await takeRefLock(lock);
      writeSynced(lock, `${commit}\n`, "w", mode());
      if (lstatSync(at(branch), { throwIfNoEntry: false })?.isDirectory()) rmSync(at(branch), { recursive: true });
      renameSync(lock, at(branch));
      syncFolder(at("refs/heads"));
    },
    sweep: () => {
      const packs = readdirSync(at("objects/pack"));
      const left = [
        ...readdirSync(at(runs)).map((name) => `${runs}/${name}`),
        ...packs.filter((name) => name.startsWith("tmp_")).map((name) => `objects/pack/${name}`),
        ...packs.map((name) => `objects/pack/${name}`).filter((name) => name.endsWith(".keep") && isOfImport(at(name))),
        ...readdirSync(folder).filter((name) => name.startsWith("fast_import_crash_")),
      ];
      // A git whose parent was killed may still be at work.
      for (const name of left) if (isOld(at(name))) rmSync(at(name), { force: true, recursive: true });
    },
    freeGraph: () => {
      const names = existsSync(at(graphs)) ? readdirSync(at(graphs)) : [];
      const drafts = names.filter((name) => /^tmp_|\.lock$/.test(name)).map((name) => `${graphs}/${name}`);
      const left = [...drafts, wholeGraphLock].filter((name) => existsSync(at(name)));
      if (!left.every((name) => isOld(at(name)))) return false;
      for (const name of left) rmSync(at(name), { force: true });
      return true;
    },
    packSizes: () =>
      readdirSync(at("objects/pack"))
        .filter((name) => name.endsWith(".pack"))
        .map((name) => lstatSync(at(`objects/pack/${name}`), { throwIfNoEntry: false })?.size ?? 0),
    size: () => sizeOf(folder),
  };
}

function isOld(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs > leftMs;
}

function makeFolder(path: string, mode: number, notOurs: (name: string) => RecollectError): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (found) throw notOurs("");
  try {
    mkdirSync(path);
    chmodSync(path, mode);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
}

/**
 * Git's own protocol for a branch. Whoever is alive holds it for a moment; a file that stays was left by a killed
 * process, and stops nobody.
 */
async function takeRefLock(path: string): Promise<void> {
  const first = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (!first) return;
  for (let waited = 0; waited < 2000; waited += 50) {
    await delay(50);
    const now = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (now?.ino !== first.ino || now.ctimeNs !== first.ctimeNs) return takeRefLock(path);
  }
  rmSync(path, { recursive: true, force: true });
}

function readRef(path: string): string | undefined {
  const text = readOrUndefined(path)?.trim();
  return text !== undefined && /^[0-9a-f]{40}$/.test(text) ? text : undefined;
}

/** Somebody's `git gc` puts branches there. */
function packedRef(path: string, branch: string): string | undefined {
  return new RegExp(`^([0-9a-f]{40}) ${branch}$`, "m").exec(readOrUndefined(path) ?? "")?.[1];
}

/** What a full disk or a power cut leaves of a file: nothing that anybody could have meant. */
function isBlank(text: string): boolean {
  return /^\0*$/.test(text);
}

function isOfImport(path: string): boolean {
  return readOrUndefined(path)?.startsWith("fast-import") ?? false;
}

export function replaceFile(path: string, content: string, mode: number): void {
  const draft = `${path}.new`;
  rmSync(draft, { force: true });
  writeSynced(draft, content, "wx", mode);
  renameSync(draft, path);
}

function writeSynced(path: string, content: string, flags: string, mode: number): void {
  const descriptor = openSync(path, flags, mode & 0o666);
  try {
    // Whatever the umask of whoever makes it: others may work in the same folder.
    fchmodSync(descriptor, mode & 0o666);
    writeSync(descriptor, content);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Below a file there is nothing. */
function lstatOrUndefined(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (hasCode(error, "ENOTDIR")) return undefined;
    throw error;
  }
}

function readOrUndefined(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    // A folder in the place of a branch names no commit, and below a file there is none.
    if (["ENOENT", "EISDIR", "ENOTDIR"].some((code) => hasCode(error, code))) return undefined;
    throw error;
  }
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => lstatSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
