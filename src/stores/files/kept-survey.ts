import { lstatSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { AskChanged, KeptSurvey, SurveyedFolder, UnchangedFolder } from "../../core/source.ts";
import type { Directory } from "./directory.ts";
import { keepSurvey } from "./keep-survey.ts";
import { openKeptFile, stampOfFolder } from "./kept-folders.ts";
import type { KnownFolder, Surveying } from "./survey-folders.ts";
import { tellsChanges } from "./watch-file-systems.ts";

export interface KeptSurveyOptions {
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

/** How long nobody tries again where git was of no use. */
const dayMs = 24 * 60 * 60 * 1000;
/** Nobody takes that long to write one. */
const forgottenMs = 60 * 60 * 1000;

export function createKeptSurvey({ root, open, surveyOthers, surveying, now }: KeptSurveyOptions): KeptSurvey {
  async function surveySince(file: string, ask: AskChanged): ReturnType<KeptSurvey["surveySince"]> {
    const kept = openKeptFile(file, root);
    try {
      if (!kept || kept.folders.size === 0) return undefined;
      const asked = ask(file, root);
      // While git looks, which does not notice what is missing in it.
      const isWhole = kept.isWhole();
      const changed = await asked;
      // What git compared with may be newer than what was read here.
      if (changed === undefined || !isWhole || !kept.isInPlace()) return undefined;
      const changedIn = new Set(changed.map((path) => dirname(path)));
      const { folders } = kept;
      return surveyOthers((folder, path) => {
        const before = folders.get(path);
        if (!before || changedIn.has(path === "" ? "." : path)) return undefined;
        return stampOfFolder(folder.stat()) === before.stamp ? before : undefined;
      });
    } finally {
      kept?.close();
    }
  }

  async function keep(file: string, ask: AskChanged, isOver: () => boolean): Promise<void> {
    if (isFutile(file)) return;
    removeForgotten(file, now());
    const folder = open();
    if (!folder) return;
    try {
      if (tellsChanges(folder.at("."))) await keepSurvey(file, folder, { root, surveying, ask, now, isOver });
    } finally {
      folder.close();
    }
  }

  function isFutile(file: string): boolean {
    const kept = openKeptFile(file, root);
    kept?.close();
    return kept !== undefined && kept.folders.size === 0 && now() - kept.written < dayMs;
  }

  return { surveySince, keep };
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
