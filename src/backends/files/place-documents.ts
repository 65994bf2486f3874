import { closeSync, futimesSync } from "node:fs";
import type { ExistingPath } from "../../kernel/document-path.ts";
import { RecollectError } from "../../kernel/errors.ts";
import { revisionOf } from "../../kernel/revision.ts";
import type { FolderPart } from "./apply.ts";
import { firstFreshNumber, hasIntent } from "./auxiliary.ts";
import { allDone, syncDescriptor } from "./directory.ts";
import { type DocumentFile, readDocumentFile } from "./document-file.ts";
import { discardFresh, type Effect, publish, type Staged, writeStaged } from "./durable-file.ts";
import type { FolderLocks } from "./folder-locks.ts";
import { createOpenFolders, type HeldFolders, holdFolders, type OpenFolder } from "./open-folders.ts";
import { recoverFolder } from "./recovery.ts";
import { type Place, parseAddress, type RootFolders } from "./root-folders.ts";

/** A document that is put where somebody else's record says that it is: no journal tells of it, history does already. */
export interface PlacedDocument {
  readonly path: ExistingPath;
  /** Undefined takes it away. */
  readonly content: { readonly bytes: Uint8Array; readonly modified?: number | undefined } | undefined;
  /** Whether what is there may be replaced; asked only where it is not the content already. */
  readonly mayReplace: (there: Uint8Array | undefined) => boolean;
}

interface PlaceContext {
  readonly roots: RootFolders;
  readonly locks: FolderLocks;
}

const maxBytes = 128 * 1024 * 1024;

/** Makes the root's folder too. Each document is whole or not there; cut off anywhere, it can be done again. */
export async function placeDocuments(
  root: string,
  documents: readonly PlacedDocument[],
  context: PlaceContext,
): Promise<void> {
  (await context.roots.make({ root, segments: [] }, false)).close();
  const folders = Map.groupBy(documents, ({ path }) => path.slice(0, Math.max(0, path.lastIndexOf("/"))));
  for (const [folder, inside] of folders) {
    const place = { root, segments: folder === "" ? [] : folder.split("/") };
    await placeInFolder(place, inside, context);
  }
}

async function placeInFolder(place: Place, documents: readonly PlacedDocument[], context: PlaceContext): Promise<void> {
  const { roots, locks } = context;
  const folders = createOpenFolders(roots);
  try {
    // What goes from a folder that is gone is gone.
    const isOnlyGone = documents.every(({ content }) => content === undefined);
    const open = isOnlyGone ? folders.open(place) : await folders.make(place, false);
    if (!open) return;
    if (hasIntent(open.folder)) await recoverFolder(place, { roots, hold: (all) => holdFolders(all, locks) });
    const held = await holdFolders([open], locks);
    try {
      const effects = documents.flatMap((document) => effectOf(document, { place, open, held, roots }));
      await applyAll(effects, held.part(open));
    } finally {
      held.release();
    }
  } finally {
    folders.close();
  }
}

interface TimedEffect {
  readonly effect: Effect;
  readonly modified: number | undefined;
}

function effectOf(
  { path, content, mayReplace }: PlacedDocument,
  { place, open, held, roots }: { place: Place; open: OpenFolder; held: HeldFolders; roots: RootFolders },
): TimedEffect[] {
  const { folder, auxiliary } = held.part(open);
  const { name } = parseAddress({ root: place.root, path });
  roots.assertSpelling(place, folder, name);
  const before: DocumentFile | undefined = readDocumentFile(folder, name, maxBytes);
  const rev = content && revisionOf(content.bytes);
  if (before?.rev === rev) return [];
  if (!mayReplace(before?.bytes)) {
    const says = `“${path}” was changed since the copy into its folder began. Move it elsewhere, then start again.`;
    throw new RecollectError("CONFLICT", says, { data: { path } });
  }
  const made = content && rev ? { bytes: Buffer.from(content.bytes), rev } : undefined;
  return [{ effect: { folder, auxiliary, name, content: made, before }, modified: content?.modified }];
}

/** Everything is staged and then synced at once: the disk takes it in one go. */
async function applyAll(effects: readonly TimedEffect[], part: FolderPart): Promise<void> {
  if (effects.length === 0) return;
  const first = firstFreshNumber();
  const staged: (Staged | undefined)[] = [];
  try {
    for (const [index, { effect, modified }] of effects.entries()) {
      const one = writeStaged(effect, first + index);
      staged.push(one);
      // In the middle of its millisecond: the system counts in other units, and rounds down.
      const seconds = modified === undefined ? undefined : (modified + 0.5) / 1000;
      if (one && seconds !== undefined) futimesSync(one.descriptor, seconds, seconds);
    }
    await allDone(staged.map((one) => (one ? syncDescriptor(one.descriptor, false) : Promise.resolve())));
    part.assertInPlace();
    for (const [index, { effect }] of effects.entries()) publish(effect, first + index, staged[index]?.inode);
  } finally {
    for (const one of staged) if (one) closeSync(one.descriptor);
    for (const [index, { effect }] of effects.entries()) discardFresh(effect.auxiliary, first + index);
  }
  await part.folder.sync(false);
}
