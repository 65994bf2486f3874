import { isUtf8 } from "node:buffer";
import { comparePaths, type DocumentPath, isExistingPath, parseExistingPath } from "../kernel/document-path.ts";
import type { Documents } from "../kernel/documents.ts";
import { revisionOf } from "../kernel/revision.ts";
import type { Surveyed } from "../kernel/source.ts";
import type { Stamp } from "../kernel/store.ts";
import type { Trail } from "../kernel/trail.ts";
import { type DocumentStep, partsOf, planPart } from "./document-steps.ts";
import { type MovedAside, makeRoom } from "./make-room.ts";
import { isPlaceable, openPlacedFiles } from "./placed-files.ts";
import type { NewEntry, SyncRepository } from "./repository.ts";
import { syncFailure } from "./sync-failure.ts";
import { changedPaths, type EntryTree, type TreeEntry } from "./tree-entries.ts";
import { isUnsettled, type Unsettled } from "./unsettled.ts";

export interface WorkingFolderOptions {
  readonly folder: string;
  readonly trail: Trail;
  /** The kernel, without a guard: what is pulled is flagged, not refused (GUARD-1). */
  readonly documents: Documents;
  readonly repository: SyncRepository;
  /** Which files of the folder are documents of this memory; all others are left to the user. */
  readonly isOurs: (path: string) => boolean;
  /** Which files of the repository would lie where agents keep theirs: they stay in git alone (AGT-4). */
  readonly isHidden?: ((path: string) => boolean) | undefined;
  /** True for a clone that is kept for the user: nothing in it is theirs alone. */
  readonly isClone: boolean;
  /** Brings into history what journals have, before a folder goes. */
  readonly record?: (() => Promise<unknown>) | undefined;
}

/** A file that is in the folder alone, or in git alone, and why. */
export interface LeftOut {
  readonly path: string;
  readonly why: string;
}

/** “changed” where a document is not as in the first revision any more: then nothing, or nothing more, was done. */
type Applied = { readonly kind: "applied"; readonly moved: readonly MovedAside[] } | { readonly kind: "changed" };

/** The folder in which the memory lies, beside its revisions in git. */
export interface WorkingFolder {
  /** What the documents are now, where that is not what a revision has. */
  changesSince(tree: EntryTree, mayBeEmpty: boolean): ReadonlyMap<string, NewEntry>;
  /** Whether this is one of our documents, as this revision has it. */
  isDocument(path: string, entry: TreeEntry | undefined): boolean;
  /** What is not kept alike with a revision, though it looks as if it were. */
  leftOut(tree: EntryTree): readonly LeftOut[];
  /** Makes the folder what another revision has. Resumed after a kill, it ends what was begun. */
  apply(from: EntryTree, to: EntryTree, isResumed: boolean): Promise<Applied>;
  /** Conflicts that nobody has settled yet, as far as the documents show it. */
  unsettled(conflicts: readonly Unsettled[]): Unsettled[];
  /** Lets the user's index follow our documents, so that `git status` shows none of them. */
  followIndex(head: EntryTree): Promise<void>;
  sweep(): void;
}

export const syncStamp: Stamp = { author: "outside", reason: "sync" };
const maxDocumentMebibytes = 16;
/** Larger ones are not sent, and merged as a whole. */
export const maxDocumentBytes = maxDocumentMebibytes * 1024 * 1024;
const readBytes = 32 * 1024 * 1024;

export function openWorkingFolder(options: WorkingFolderOptions): WorkingFolder {
  const { folder, trail, documents, repository, isOurs, isHidden, isClone, record = async () => {} } = options;
  const files = openPlacedFiles(folder, repository.gitDir);
  const seen = new Map<string, { readonly stamp: number; readonly id: string }>();
  let followed: EntryTree | undefined;

  function mayLieHere(path: string, entry: TreeEntry): boolean {
    return isPlaceable(path, entry) && !isHidden?.(path);
  }

  function isDocument(path: string, entry: TreeEntry | undefined): boolean {
    if (!isOurs(path)) return false;
    return entry === undefined || (mayLieHere(path, entry) && entry.size <= maxDocumentBytes);
  }

  /** Undefined where nothing can be said of it. */
  function idAt(path: string, stampNow: number): string | undefined {
    const known = seen.get(path);
    if (known && known.stamp === stampNow) return known.id;
    const look = isExistingPath(path) ? trail.look(path) : undefined;
    if (look?.kind !== "document") return undefined;
    const id = repository.idOf(look.bytes);
    if (look.stamp !== 0) seen.set(path, { stamp: look.stamp, id });
    return id;
  }

  /** Undefined where it is as the revision has it, or where nothing can be said of it. */
  function changeAt({ path, stamp: stampNow }: Surveyed, entry: TreeEntry | undefined): NewEntry {
    const id = idAt(path, stampNow);
    if (id === undefined || (id === entry?.id && isDocument(path, entry))) return undefined;
    const look = trail.look(parseExistingPath(path));
    return look.kind === "document" && look.bytes.length <= maxDocumentBytes ? { bytes: look.bytes } : undefined;
  }

  function changesSince(tree: EntryTree, mayBeEmpty: boolean): ReadonlyMap<string, NewEntry> {
    const changes = new Map<string, NewEntry>();
    const found = new Set<string>();
    for (const surveyed of trail.survey()) {
      const { path } = surveyed;
      if (!isOurs(path)) continue;
      found.add(path);
      const change = changeAt(surveyed, tree.get(path));
      if (change) changes.set(path, change);
    }
    const tracked = [...tree].filter(([path, entry]) => isDocument(path, entry) && !found.has(path));
    const gone = tracked.filter(([path]) => trail.look(parseExistingPath(path)).kind === "gone");
    if (found.size === 0 && gone.length > 1 && !mayBeEmpty) {
      const more = "If it was meant, say so: recollect sync --accept-empty. If not, bring them back with git restore.";
      throw syncFailure("emptied", { more, data: { documents: gone.length } });
    }
    for (const [path] of gone) changes.set(path, undefined);
    return changes;
  }

  const bytesAt = (path: string) => {
    const there = isExistingPath(path) ? files.read(path) : undefined;
    return there === "other" ? undefined : there;
  };
  const here = {
    isThere: (path: string) => isExistingPath(path) && files.look(path) !== undefined,
    idOf: (path: string) => {
      const bytes = bytesAt(path);
      return bytes && repository.idOf(bytes);
    },
    textOf: (path: string) => Buffer.from(bytesAt(path) ?? []).toString("utf8"),
  };
  const isSent = (path: string, size: number) => isOurs(path) && size <= maxDocumentBytes;

  function leftOut(tree: EntryTree): LeftOut[] {
    if (!isClone) return [];
    const here = [...trail.survey()].flatMap(({ path, stamp: stampNow }): LeftOut[] => {
      const isSame = tree.has(path) && idAt(path, stampNow) === tree.get(path)?.id;
      const size = files.look(path)?.size ?? 0;
      if (isSame || isSent(path, size)) return [];
      const why = isOurs(path) ? `it is larger than ${maxDocumentMebibytes} MiB` : "its name is none for a document";
      return [{ path, why }];
    });
    const there = [...tree].filter(([path, entry]) => !mayLieHere(path, entry));
    const why = "it stays in git alone: a link, too large, an odd name, or in a place of agents";
    return [...here, ...there.map(([path]) => ({ path, why }))].toSorted((one, other) =>
      comparePaths(one.path, other.path),
    );
  }

  async function apply(from: EntryTree, to: EntryTree, isResumed: boolean): Promise<Applied> {
    const paths = changedPaths(from, to).toSorted();
    const contents = await readBoth(paths, from, to);
    const isText = (entry: TreeEntry | undefined) => !entry || isUtf8(contents.get(entry.id) ?? Buffer.of(0xff));
    const isStep = (path: string) => {
      const ends = [from.get(path), to.get(path)];
      return ends.every((entry) => isDocument(path, entry) && isText(entry));
    };
    const others = paths.filter((path) => !isStep(path));
    const moved: MovedAside[] = [];
    if ((await freeTouched(others, from, to, moved)) === "changed") return { kind: "changed" };
    for (const path of paths.filter(isStep)) {
      const there = files.look(path);
      if (there?.kind === "file" && !isSent(path, there.size)) moved.push(putAside(path));
    }
    const asStep = (path: string): DocumentStep => {
      const [was, next] = [from.get(path), to.get(path)].map((entry) => entry && contents.get(entry.id));
      return {
        // The kernel checks it; here it is a name that somebody else gave.
        at: { root: trail.root, path: parseExistingPath(path) as DocumentPath },
        was: was && !isAside(path, moved) ? revisionOf(was) : undefined,
        next: next && revisionOf(next),
        content: next?.toString("utf8"),
      };
    };
    const isFirst = findTurned(paths, to);
    const [first, rest] = [paths.filter(isFirst), paths.filter((path) => !isFirst(path))];
    if (!(await commitSteps(first.filter(isStep).map(asStep), isResumed))) return { kind: "changed" };
    removeOthers(
      others.filter((path) => isFirst(path)),
      from,
    );
    const placed = rest.filter((path) => isPlaced(path, to.get(path)));
    if ((await makeRoom(placed, moved, { files, trail, isSent, isClone, record })) === "changed")
      return { kind: "changed" };
    if (!(await commitSteps(rest.filter(isStep).map(asStep), isResumed))) return { kind: "changed" };
    await placeOthers(others, from, to);
    return { kind: "applied", moved };
  }

  async function commitSteps(steps: readonly DocumentStep[], isResumed: boolean): Promise<boolean> {
    for (const part of partsOf(steps)) {
      const addresses = part.map(({ at }) => at);
      const result = await documents.commit(addresses, (current) => planPart(part, current, isResumed), syncStamp);
      if (result === "changed") return false;
    }
    return true;
  }

  function putAside(path: string): MovedAside {
    return { kind: "both-changed", path, beside: files.moveAside(path) };
  }

  /** In a clone, what was changed here and cannot be sent makes room; in a folder of the user it stops the sync. */
  async function freeTouched(
    others: readonly string[],
    from: EntryTree,
    to: EntryTree,
    moved: MovedAside[],
  ): Promise<"free" | "changed"> {
    if (!isClone) await assertUntouched(others, from, to);
    const touched = isClone ? others.filter((path) => !isPlacedAs(path, [from.get(path), to.get(path)])) : [];
    for (const path of touched) {
      const there = files.look(path);
      // What is a folder or a link is seen to when there must be room for a file.
      if (there?.kind !== "file") continue;
      if (isSent(path, there.size)) return "changed";
      moved.push(putAside(path));
    }
    return "free";
  }

  /** Of all documents of a change; the others are read one by one when they are placed. */
  async function readBoth(paths: readonly string[], from: EntryTree, to: EntryTree) {
    const entries = paths.flatMap((path) => [from.get(path), to.get(path)].filter((entry) => entry !== undefined));
    const texts =
      paths.length === 0
        ? []
        : entries.filter((entry) => entry.size <= maxDocumentBytes && entry.mode.startsWith("100"));
    const contents = new Map<string, Buffer>();
    let [ids, size]: [string[], number] = [[], 0];
    for (const entry of [...texts, undefined]) {
      if (ids.length > 0 && (!entry || size + entry.size > readBytes)) {
        for (const [id, bytes] of await repository.contentsOf(ids)) contents.set(id, bytes);
        [ids, size] = [[], 0];
      }
      if (entry && !contents.has(entry.id)) ids.push(entry.id);
      size += entry?.size ?? 0;
    }
    return contents;
  }

  /** Files of the user that the other revision has changed must be as git has them, in the folder and in the index. */
  async function assertUntouched(paths: readonly string[], from: EntryTree, to: EntryTree): Promise<void> {
    if (paths.length === 0) return;
    const index = await repository.index();
    const touched = paths.filter((path) => {
      const ends = [from.get(path), to.get(path)];
      const staged = index.get(path);
      const isStaged = !isDocument(path, undefined) && !ends.some((end) => end?.id === staged?.id);
      return isStaged || !isPlacedAs(path, ends);
    });
    if (touched.length === 0) return;
    const more = `It concerns ${touched
      .slice(0, 3)
      .map((path) => `“${path}”`)
      .join(", ")}${touched.length > 3 ? " and more" : ""}.`;
    throw syncFailure("uncommitted", { more, data: { paths: touched.slice(0, 20) } });
  }

  function isPlacedAs(path: string, ends: readonly (TreeEntry | undefined)[]): boolean {
    if (!isExistingPath(path) || ends.some((end) => end && !mayLieHere(path, end))) return true;
    const there = files.read(path);
    if (there === "other") return false;
    const id = there && repository.idOf(there);
    return ends.some((end) => end?.id === id);
  }

  function isPlaced(path: string, entry: TreeEntry | undefined): boolean {
    return entry !== undefined && mayLieHere(path, entry);
  }

  function removeOthers(paths: readonly string[], from: EntryTree): void {
    for (const path of paths) {
      if (isPlaced(path, from.get(path)) && files.look(path)?.kind === "file") files.remove(path);
    }
  }

  async function placeOthers(paths: readonly string[], from: EntryTree, to: EntryTree): Promise<void> {
    removeOthers(
      paths.filter((path) => !to.has(path)),
      from,
    );
    for (const path of paths) {
      const entry = to.get(path);
      if (!entry || !isPlaced(path, entry)) continue;
      const bytes = (await repository.contentsOf([entry.id])).get(entry.id);
      if (bytes) files.write(path, bytes, entry.mode);
    }
    const staged = new Map(paths.map((path) => [path, to.get(path)]));
    if (!(await repository.setIndex(staged))) throw syncFailure("busy");
    await repository.hideFromStatus(paths.filter((path) => to.has(path) && !isPlaced(path, to.get(path))));
  }

  return {
    changesSince,
    isDocument,
    leftOut,
    unsettled: (conflicts) => conflicts.filter((one) => isUnsettled(one, here)),
    apply,
    followIndex: async (head) => {
      if (followed === head) return;
      // After the first look, what we changed ourselves is known.
      const index = followed ?? (await repository.index());
      const paths = [...new Set([...head.keys(), ...index.keys()])].filter(isOurs);
      const stale = paths.filter((path) => {
        const [entry, staged] = [head.get(path), index.get(path)];
        return entry?.id !== staged?.id || entry?.mode !== staged?.mode;
      });
      // Where somebody is at it, the next sync does it.
      if (await repository.setIndex(new Map(stale.map((path) => [path, head.get(path)])))) followed = head;
    },
    sweep: files.sweep,
  };
}

function isAside(path: string, moved: readonly MovedAside[]): boolean {
  return moved.some((one) => one.path === path);
}

/** What goes so that a folder can be where a file was, or a file where a folder was: that must go first. */
function findTurned(paths: readonly string[], to: EntryTree): (path: string) => boolean {
  const puts = new Set(paths.filter((path) => to.has(path)));
  const folders = new Set([...puts].flatMap(foldersOf));
  return (path) => !to.has(path) && (folders.has(path) || foldersOf(path).some((folder) => puts.has(folder)));
}

function foldersOf(path: string): string[] {
  const names = path.split("/");
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join("/"));
}
