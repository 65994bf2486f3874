import {
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { auxiliaryFolder } from "../../kernel/document-path.ts";
import { RecollectError } from "../../kernel/errors.ts";
import type { FolderEvidence, Rewriting, Rewritten, Trail, TrailPositions, TrailRecord } from "../../kernel/trail.ts";
import { auxiliaryNames, hasIntent, isKept, openAuxiliary, shareWithFolder } from "./auxiliary.ts";
import type { Directory } from "./directory.ts";
import { readPlainFile } from "./document-file.ts";
import { findBadBytes, inspectJournal } from "./inspect-journal.ts";
import { isPosition, type JournalPosition, type JournalSlice, readJournal } from "./journal.ts";
import { holdsForbidden, rewriteJournal } from "./rewrite-journal.ts";
import type { Place, RootFolders } from "./root-folders.ts";
import { hasCode } from "./storage-error.ts";
import { isOutOfReach } from "./survey-folders.ts";

interface TrailEvidenceOptions {
  readonly roots: RootFolders;
  readonly root: string;
  /** Those that hold documents of this root, and an auxiliary folder. */
  readonly ownFolders: () => Iterable<{ readonly place: Place; readonly folder: Directory }>;
  readonly inHeldFolder: <Result>(
    place: Place,
    use: (folder: Directory, auxiliary: Directory) => Result,
  ) => Promise<Result | undefined>;
  readonly toRecords: (slice: JournalSlice, place: Place, folder: Directory) => TrailRecord[];
}

/** What verify looks at and purge rewrites: the journals and kept bytes of a root, and how far its history went. */
export function createTrailEvidence(
  options: TrailEvidenceOptions,
): Pick<Trail, "inspect" | "rewrite" | "removeEmpty" | "notedTip" | "noteTip"> {
  const { roots, root, ownFolders, inHeldFolder, toRecords } = options;
  const rootPlace: Place = { root, segments: [] };

  async function inspect(after: TrailPositions): Promise<FolderEvidence[]> {
    const found: FolderEvidence[] = [];
    for (const place of [...ownFolders()].map((one) => one.place)) {
      const look = (folder: Directory, auxiliary: Directory) => inspectFolder(place, folder, auxiliary, after);
      try {
        // Where nobody may lock it, nobody writes through us either.
        const seen = hasJournal(place) ? ((await inHeldFolder(place, look)) ?? inAuxiliary(place, look)) : undefined;
        if (seen) found.push(seen);
      } catch (error) {
        // One folder in which something else is in the place of a file says nothing of the others.
        if (!(error instanceof RecollectError) || error.code !== "NOT_ALLOWED") throw error;
        found.push({ ...noEvidence, folder: place.segments.join("/"), refusal: error.message });
      }
    }
    return found;
  }

  function inspectFolder(
    place: Place,
    folder: Directory,
    auxiliary: Directory,
    after: TrailPositions,
  ): FolderEvidence | undefined {
    const position = positionIn(after, place);
    const journal = inspectJournal(auxiliary, position);
    const badBytes = findBadBytes(auxiliary);
    if (!journal && badBytes.length === 0) return undefined;
    const slice = readJournal(auxiliary, position, Number.POSITIVE_INFINITY);
    const gap = slice?.gap
      ? ["is not the one that history has read, or does not reach as far as history has read it"]
      : [];
    return {
      folder: place.segments.join("/"),
      journal: journal?.journal ?? "",
      begins: journal?.begins,
      recorded: journal?.recorded ?? [],
      pending: slice ? toRecords(slice, place, folder) : [],
      faults: [...(journal?.faults ?? []), ...gap],
      forks: journal?.forks ?? [],
      badBytes,
      isCutOff: hasIntent(folder),
    };
  }

  async function rewrite(after: TrailPositions, rewriting: Rewriting): Promise<Rewritten> {
    const positions: Record<string, JournalPosition> = {};
    const left: string[] = [];
    for (const place of [...ownFolders()].map((one) => one.place)) {
      const folder = place.segments.join("/");
      const isNeeded = () =>
        rewriting.isConcerned(folder) || (inAuxiliary(place, (_, own) => holdsForbidden(own, rewriting)) ?? false);
      if (!hasJournal(place) || !isNeeded()) continue;
      const done = await inHeldFolder(place, (_, auxiliary) => ({
        journal: rewriteJournal(auxiliary, positionIn(after, place), rewriting),
      }));
      if (!done) left.push(folder);
      if (!done?.journal) continue;
      positions[folder] = done.journal;
    }
    return { positions, left };
  }

  async function removeEmpty(isForbidden: (folder: string) => boolean): Promise<void> {
    const places = [...ownFolders()]
      .map(({ place }) => place)
      .filter(({ segments }) => isForbidden(segments.join("/")));
    // From the inside out.
    for (const place of places.reverse()) {
      await inHeldFolder(place, (folder) => {
        if (readdirSync(folder.at(".")).some((name) => name !== auxiliaryFolder)) return;
        rmSync(roots.realPath(place), { recursive: true, force: true });
      });
    }
  }

  function hasJournal(place: Place): boolean {
    const names = inAuxiliary(place, (_, auxiliary) => readdirSync(auxiliary.at("."))) ?? [];
    return names.some((name) => /^journal(-[0-9]+)?$/.test(name) || isKept(name));
  }

  function inAuxiliary<Result>(
    place: Place,
    use: (folder: Directory, auxiliary: Directory) => Result,
  ): Result | undefined {
    const folder = orUndefined(() => roots.open(place));
    const auxiliary = folder && orUndefined(() => openAuxiliary(folder));
    try {
      return folder && auxiliary && use(folder, auxiliary);
    } finally {
      auxiliary?.close();
      folder?.close();
    }
  }

  return {
    inspect,
    rewrite,
    removeEmpty,
    notedTip: () => inAuxiliary(rootPlace, readTip),
    noteTip: (text) => {
      inAuxiliary(rootPlace, (_, auxiliary) => writeTip(auxiliary, text));
    },
  };
}

const noEvidence = {
  journal: "",
  begins: undefined,
  recorded: [],
  pending: [],
  faults: [],
  forks: [],
  badBytes: [],
  isCutOff: false,
};

function readTip(_: Directory, auxiliary: Directory): string | undefined {
  try {
    return readPlainFile(auxiliary, auxiliaryNames.historyTip, 1024)?.bytes.toString("utf8");
  } catch (error) {
    // Something else has its name, which is as good as a text that says something else.
    if (hasCode(error, "NOT_A_DOCUMENT", "TOO_LARGE")) return "";
    throw error;
  }
}

/** Whole or not at all. */
function writeTip(auxiliary: Directory, text: string): void {
  const draft = auxiliary.at(`${auxiliaryNames.historyTip}-draft`);
  rmSync(draft, { recursive: true, force: true });
  const descriptor = openSync(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    writeSync(descriptor, text);
    shareWithFolder(descriptor, auxiliary);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  const path = auxiliary.at(auxiliaryNames.historyTip);
  // A folder in its place holds nothing of a history, and would stop every recording.
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) rmSync(path, { recursive: true });
  renameSync(draft, path);
}

export function positionIn(after: TrailPositions, place: Place): JournalPosition | undefined {
  const position = after[place.segments.join("/")];
  return isPosition(position) ? position : undefined;
}

export const unknowable = [
  "NOT_A_DOCUMENT",
  "TOO_LARGE",
  "PERMISSION_DENIED",
  "INVALID_PATH",
  "EACCES",
  "EPERM",
  "ESTALE",
];

/** What cannot be reached is not there for us. */
export function orUndefined<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch (error) {
    if (isOutOfReach(error) || hasCode(error, "NOT_ALLOWED", ...unknowable)) return undefined;
    throw error;
  }
}
