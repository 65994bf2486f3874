import { digestOf, type Stamped } from "../kernel/folder-digest.ts";
import { askSource, type Source, type Surveyed, type SurveyedFolder } from "../kernel/source.ts";
import type { SearchIndex } from "./index/search-index.ts";

/** What an index knows of its documents. */
export type KnownDocuments = Pick<SearchIndex, "folders" | "lookAt" | "foldersAt" | "documentsIn" | "stampOf">;

/** Path → the stamp that the index has, undefined where it does not know it. What is gone is among them. */
export type Outdated = Map<string, number | undefined>;

/** Folder by folder, each of them once. */
export type Survey = Iterable<SurveyedFolder> | AsyncIterable<SurveyedFolder>;

/**
 * Compares a survey of everything with what is known, or until there are more than `most`. A folder in which nothing
 * changed costs one comparison.
 */
export async function findAllChanges(
  survey: Survey,
  known: KnownDocuments,
  most = Number.POSITIVE_INFINITY,
): Promise<Outdated> {
  const outdated: Outdated = new Map();
  const left = new Map(known.folders());
  for await (const { folder, documents } of survey) {
    const digest = left.get(folder);
    left.delete(folder);
    if ((digest ?? noDocuments) !== digestOf(documents)) {
      compare(documents, digest === undefined ? [] : known.documentsIn(folder), outdated);
    }
    if (outdated.size > most) return outdated;
  }
  for (const folder of left.keys()) compare([], known.documentsIn(folder), outdated);
  return outdated;
}

const noDocuments = digestOf([]);

/** Looks at these paths only: documents, or folders with all that is below them; there, or gone. */
export async function findChangesAt(
  paths: readonly string[],
  source: Source,
  known: KnownDocuments,
): Promise<Outdated> {
  const outdated: Outdated = new Map();
  await askSource(source, paths, (path) => lookAt(path, source, known, outdated));
  return outdated;
}

async function lookAt(path: string, source: Source, known: KnownDocuments, outdated: Outdated): Promise<void> {
  const { stamp, mayBeFolder } = known.lookAt(path);
  // It is named because something happened to it: that its stamp is the same proves nothing.
  if (stamp !== undefined) outdated.set(path, stamp);
  for await (const { documents } of source.survey(path)) {
    for (const document of documents) {
      outdated.set(document.path, document.path === path ? stamp : known.stampOf(document.path));
    }
  }
  if (!mayBeFolder) return;
  for (const folder of known.foldersAt(path)) {
    for (const document of known.documentsIn(folder)) outdated.set(document.path, document.stamp);
  }
}

function compare(documents: readonly Surveyed[], before: readonly Stamped[], outdated: Outdated): void {
  const gone = new Map(before.map(({ path, stamp }) => [path, stamp]));
  for (const { path, stamp } of documents) {
    const known = gone.get(path);
    gone.delete(path);
    if (known !== stamp || stamp === 0) outdated.set(path, known);
  }
  for (const [path, stamp] of gone) outdated.set(path, stamp);
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
