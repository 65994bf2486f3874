import { lstatSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { KeptLookOptions, KeptLooks, SurveyedFolder, UnchangedFolder } from "../../core/source.ts";
import type { Directory } from "./directory.ts";
import { type KeptFolder, type LookFile, neverThere, openLook } from "./look-file.ts";
import { isOutOfReach, type KnownFolder, type Surveying } from "./survey-folders.ts";
import { stampOfFolder } from "./survey-stamp.ts";
import { tellsChanges } from "./watch-file-systems.ts";
import { writeLook } from "./write-look.ts";

export interface CreateKeptLooksOptions {
  /** Where the root lies. */
  readonly root: string;
  /** Undefined where it cannot be reached. */
  readonly open: () => Directory | undefined;
  /** A survey of all folders but those that are known. */
  readonly surveyOthers: (
    known: (folder: Directory, path: string) => KnownFolder | undefined,
  ) => Iterable<SurveyedFolder | UnchangedFolder>;
  readonly surveying: Surveying;
  readonly now: () => number;
}

/** How long nobody tries again where a look is of no use. */
const dayMs = 24 * 60 * 60 * 1000;
/** Nobody takes that long to write one. */
const forgottenMs = 60 * 60 * 1000;
/** Git takes a fiftieth of this. Whoever waits longer for it would have looked at everything by then. */
const leastPatienceMs = 500;
const patienceForEachMs = 0.05;

export function createKeptLooks({ root, open, surveyOthers, surveying, now }: CreateKeptLooksOptions): KeptLooks {
  async function lookSince(file: string, options: KeptLookOptions): ReturnType<KeptLooks["lookSince"]> {
    const look = openLook(file, root);
    try {
      // Times mean nothing where the clock was set back since.
      if (!look || look.written > now() || !isWorthAsking(look, options.least)) return undefined;
      const changed = await compare(file, look, options);
      if (!changed) return undefined;
      const changedIn = new Set(changed.map(folderOf));
      const folders = new Map(look.folders.map((folder) => [folder.path, folder]));
      return surveyOthers((folder, path) => {
        const before = folders.get(path);
        if (!before || changedIn.has(path)) return undefined;
        return stampOfFolder(folder.stat()) === before.stamp ? before : undefined;
      });
    } finally {
      look?.close();
    }
  }

  /** Whether enough documents lie in folders that are as they were: others are looked at in any case. */
  function isWorthAsking({ folders }: LookFile, least: number): boolean {
    let count = 0;
    for (const folder of folders) {
      if (isAsItWas(folder)) count += folder.count;
      if (count >= least) return true;
    }
    return false;
  }

  function isAsItWas({ path, stamp }: KeptFolder): boolean {
    try {
      const stat = lstatSync(join(root, path), { bigint: true, throwIfNoEntry: false });
      return stat !== undefined && stampOfFolder(stat) === stamp;
    } catch (error) {
      if (isOutOfReach(error)) return false;
      throw error;
    }
  }

  /** Which documents are not as the look says. */
  async function compare(
    file: string,
    look: LookFile,
    { ask, signal }: KeptLookOptions,
  ): Promise<readonly string[] | undefined> {
    const tooLate = AbortSignal.timeout(Math.ceil(leastPatienceMs + look.count * patienceForEachMs));
    const stopped = new AbortController();
    const asking = askAbout(file, ask, AbortSignal.any([signal, tooLate, stopped.signal]));
    // While git looks, which does not notice what is missing in a file.
    if (!look.isWhole()) {
      stopped.abort();
      return undefined;
    }
    const changed = await asking;
    // Another time it would be the same.
    if (!changed && tooLate.aborted && !signal.aborted) rmSync(file, { force: true });
    // What git compared with may be newer than what was read here.
    return look.isInPlace() ? changed : undefined;
  }

  async function askAbout(
    file: string,
    ask: KeptLookOptions["ask"],
    signal: AbortSignal,
  ): Promise<readonly string[] | undefined> {
    const changed = await ask(file, root, signal).catch(() => undefined);
    return changed?.includes(neverThere) ? changed.filter((path) => path !== neverThere) : undefined;
  }

  const keep: KeptLooks["keep"] = async (file, { ask, signal, ...options }) => {
    if (isFutile(file)) return;
    removeForgotten(file, now());
    const folder = open();
    if (!folder) return;
    try {
      if (!tellsChanges(folder.at("."))) return;
      const changedSince = (look: string) => askAbout(look, ask, signal);
      await writeLook(file, folder, { ...options, root, surveying, changedSince, now, signal });
    } finally {
      folder.close();
    }
  };

  function isFutile(file: string): boolean {
    const look = openLook(file, root);
    look?.close();
    return look !== undefined && look.count === 0 && Math.abs(now() - look.written) < dayMs;
  }

  return { lookSince, keep };
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** What a process that was killed had begun. */
function removeForgotten(file: string, now: number): void {
  const folder = dirname(file);
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${basename(file)}.`)) continue;
    const stat = lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (stat && now - stat.mtimeMs > forgottenMs) rmSync(join(folder, name), { force: true });
  }
}
