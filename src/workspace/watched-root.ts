import { hash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { type Rev, revisionOf } from "../kernel/revision.ts";
import { askSource, type Source } from "../kernel/source.ts";

/** A document that somebody changed. */
interface WatchedChange {
  readonly path: string;
  /** Undefined where it is gone, or can be read no more. */
  readonly rev: Rev | undefined;
}

/** One root, followed by looking at it again and again. */
export interface WatchedRoot {
  /** What changed since the last look, less what was told already; `stale` where that is not known in detail. */
  look(): Promise<readonly WatchedChange[] | "stale">;
  /** Somebody told of this one otherwise; false where that is known already. */
  told(change: WatchedChange): boolean;
}

/** From here on one look at everything is cheaper for whoever is told. */
const mostPaths = 200;
const mostTold = 1000;
/** Where nothing tells of changes, everything is looked at; a twentieth of the time at most goes into that. */
const leastRestMs = 2000;
const restFactor = 20;

export function watchRoot(source: Source, now: () => number): WatchedRoot {
  /** The revision that was told last, of the documents that changed last. */
  const known = new Map<string, Rev | undefined>();
  let hasBegun = false;
  let isWatching = false;
  /** Changes were taken whose documents could not be looked at: which they were, nobody knows any more. */
  let isBehind = false;
  let digest: string | undefined;
  let restUntil = 0;

  function told({ path, rev }: WatchedChange): boolean {
    if (known.has(path) && known.get(path) === rev) return false;
    known.delete(path);
    known.set(path, rev);
    const [oldest] = known.keys();
    if (known.size > mostTold && oldest !== undefined) known.delete(oldest);
    return true;
  }

  async function look(): Promise<readonly WatchedChange[] | "stale"> {
    if (!hasBegun) {
      hasBegun = true;
      isWatching = (await source.watch()).kind === "watching";
    }
    const paths = await source.changes();
    if (paths) {
      isWatching = true;
      const isTooMuch = isBehind || paths.length > mostPaths;
      isBehind = true;
      const changes = isTooMuch ? "stale" : await changesAt(paths);
      isBehind = false;
      return changes;
    }
    // It was, and does not know any more what happened.
    const isLost = isWatching;
    isWatching = false;
    return (await isOther()) || isLost ? "stale" : [];
  }

  async function changesAt(paths: readonly string[]): Promise<readonly WatchedChange[] | "stale"> {
    const found: string[] = [];
    for (const some of await askSource(source, paths, documentsAt)) {
      found.push(...some);
      if (found.length > mostPaths) return "stale";
    }
    const changes = await askSource(source, found, changeOf, source.readsAtOnce);
    return changes.filter(told);
  }

  async function changeOf(path: string): Promise<WatchedChange> {
    const content = (await source.read(path))?.content;
    return { path, rev: content === undefined ? undefined : revisionOf(Buffer.from(content)) };
  }

  /** The document itself, there or gone, or all those below a folder, which may hold none. */
  async function documentsAt(path: string): Promise<readonly string[]> {
    const found: string[] = [];
    let isEmpty = true;
    for await (const { documents } of source.survey(path)) {
      isEmpty = false;
      for (const one of documents) found.push(one.path);
    }
    return isEmpty ? [path] : found;
  }

  async function isOther(): Promise<boolean> {
    if (now() < restUntil) return false;
    const begun = now();
    const before = digest;
    digest = await digestOf(source);
    restUntil = now() + Math.max(leastRestMs, restFactor * (now() - begun));
    return before !== undefined && before !== digest;
  }

  return { look, told };
}

/** Another one whenever anything may be another. */
async function digestOf(source: Source): Promise<string> {
  let digest = "";
  for await (const { documents } of source.survey()) {
    digest = hash("sha256", JSON.stringify([digest, ...documents.map(({ path, stamp }) => [path, stamp])]), "hex");
    await setImmediate();
  }
  return digest;
}
