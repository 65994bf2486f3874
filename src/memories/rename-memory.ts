import { conflictError } from "../core/conflict.ts";
import {
  brokenRule,
  type DocumentPath,
  type ExistingPath,
  maxKernelSegments,
  parseDocumentPath,
} from "../core/document-path.ts";
import type { Documents } from "../core/documents.ts";
import { isRecollectError, RecollectError } from "../core/errors.ts";
import type { Rev } from "../core/revision.ts";
import type { Address, Change, Stamp } from "../core/store.ts";
import { documentOf, type FoundMemory, type MemoryLocator } from "./locate-memory.ts";
import type { MemoryFolder } from "./memory-folder.ts";
import { type MemoryName, parseKnownName, parseNewName } from "./memory-name.ts";
import { type MemoryText, readAllMemories } from "./read-all-memories.ts";
import { createReferenceRewriter, referencesIn } from "./references.ts";

export interface RenamedMemory {
  readonly from: string;
  readonly to: string;
  readonly folder: string;
  readonly rev: Rev;
  /** The memories in which references were rewritten. */
  readonly rewritten: readonly string[];
  /** Memories that still refer to the old name, since they may not be changed. */
  readonly notRewritten: readonly { readonly name: string; readonly folder: string }[];
}

export interface RenameContext {
  readonly documents: Documents;
  readonly locator: MemoryLocator;
  readonly stamp: Stamp;
  /** Where a memory of this name would be made, by its prefix. */
  readonly routeOf: (name: MemoryName) => MemoryFolder | undefined;
}

interface Target {
  readonly name: string;
  readonly folder: MemoryFolder;
  readonly at: Address<DocumentPath>;
}

/**
 * Moves a memory and rewrites what refers to it, all of it or nothing. A reference to the old name that
 * somebody writes meanwhile counts as written after the renaming; `check` finds it.
 */
export async function renameMemory(oldName: string, newName: string, context: RenameContext): Promise<RenamedMemory> {
  const { documents, locator } = context;
  const found = await locator.require(oldName);
  const to = await targetOf(found, newName, context);
  const texts = await readAllMemories(documents, locator);
  const names = texts.map(({ name }) => name);
  const rewrite = createReferenceRewriter(spellingsOf(found, texts, locator), to.name, names);
  const referring = texts.filter(({ content }) => rewrite(content) !== content);
  const mayChange = ({ at, folder }: MemoryText) =>
    !folder.readOnly && !documents.isProtected(at) && brokenRule(at.path) === undefined;
  const isOwn = ({ at }: MemoryText) => isSame(at, found.at);
  const open = referring.filter((one) => isOwn(one) || mayChange(one));
  try {
    return await move(open);
  } catch (error) {
    // One text that a person let grow over the limit keeps no memory from its new name.
    if (!isRecollectError(error) || error.code !== "TOO_LARGE") throw error;
    const fits = ({ content }: MemoryText) => Buffer.byteLength(rewrite(content)) <= Number(error.data["limit"]);
    return move(open.filter((one) => isOwn(one) || fits(one)));
  }

  async function move(rewritten: readonly MemoryText[]): Promise<RenamedMemory> {
    const others = rewritten.filter((one) => !isOwn(one)).map(({ at }) => asNew(at));
    const rev = await moveAndRewrite({ found, to, others, rewrite }, context);
    return {
      from: found.name,
      to: to.name,
      folder: to.folder.root,
      rev,
      rewritten: rewritten.map((one) => (isOwn(one) ? to.name : one.name)),
      notRewritten: referring
        .filter((one) => !rewritten.includes(one))
        .map(({ name, folder }) => ({ name, folder: folder.root })),
    };
  }
}

interface Renaming {
  readonly found: FoundMemory;
  readonly to: Target;
  /** The other memories that refer to it, as far as they can be changed. */
  readonly others: readonly Address<DocumentPath>[];
  readonly rewrite: (content: string) => string;
}

async function moveAndRewrite(renaming: Renaming, { documents, stamp }: RenameContext): Promise<Rev> {
  const { found, to, others, rewrite } = renaming;
  const result = await documents.commit(
    [found.at, to.at, ...others],
    (current): Change[] | "gone" | { kind: "taken"; rev: Rev } => {
      const own = current(found.at);
      if (!own) return "gone";
      const taken = current(to.at);
      if (taken) return { kind: "taken", rev: taken.rev };
      const rewrites = others.flatMap((at): Change[] => {
        const before = current(at)?.content ?? "";
        const content = rewrite(before);
        return content === before ? [] : [{ kind: "put", at, content }];
      });
      const content = found.document && rewrite(own.content);
      if (content === undefined || content === own.content) {
        return [{ kind: "move", from: found.at, to: to.at }, ...rewrites];
      }
      // A memory that refers to itself is another text under its new name.
      return [{ kind: "remove", at: found.at }, { kind: "put", at: to.at, content }, ...rewrites];
    },
    stamp,
  );
  if (result === "gone") throw goneError(found.name);
  if (result.kind === "taken") throw takenError(to, result.rev);
  const rev = result.outcomes.find((outcome) => isSame(outcome.at, to.at))?.rev;
  if (!rev) throw new Error("a renamed memory has a revision");
  return rev;
}

/** The names by which texts refer to it: its own, and longer ones where a folder lies inside another (MEM-8). */
function spellingsOf(found: FoundMemory, texts: readonly MemoryText[], locator: MemoryLocator): Set<string> {
  const spellings = new Set([found.name]);
  const others = new Set(texts.flatMap(({ content }) => referencesIn(content)));
  for (const other of others) if (leadsTo(found.at, other, locator)) spellings.add(other);
  return spellings;
}

function leadsTo(at: Address, reference: string, locator: MemoryLocator): boolean {
  try {
    const name = parseKnownName(reference);
    return locator.foldersFor(name).some(({ root }) => {
      const known = locator.identify({ root, path: name.path });
      return known !== undefined && isSame(known.at, at);
    });
  } catch (error) {
    if (isRecollectError(error)) return false;
    throw error;
  }
}

/** By the prefix of the new name, or its longer spelling, else where it lies now; `global/…` to and from the user's own. */
async function targetOf(found: FoundMemory, given: string, { locator, routeOf }: RenameContext): Promise<Target> {
  const name = parseNewName(given);
  if (name.text === found.name) {
    throw new RecollectError("INVALID_ARGUMENT", `The memory is called “${name.text}” already. Give another name.`);
  }
  const [taken] = await locator.findAll(name);
  const [first] = locator.foldersFor(name);
  const stays = (found.folder.kind === "global") === name.isGlobal ? found.folder : undefined;
  const folder = routeOf(name) ?? (first && asSpelledIn(first, name, locator)) ?? stays ?? first;
  if (!folder) throw new RecollectError("NOT_FOUND", "There is no folder for a memory of this name here.");
  const known = locator.identify({ root: folder.root, path: name.path });
  if (!known) throw new RecollectError("NOT_ALLOWED", "This place belongs to something else than memories.");
  const target = { name: known.name, folder: known.folder, at: asNew(known.at) };
  if (taken) throw takenError({ ...target, at: asNew(taken.at) }, documentOf(taken).rev);
  return target;
}

/** `feature/x` says that it belongs into the folder `feature` inside the first one. */
function asSpelledIn(outer: MemoryFolder, { path }: MemoryName, locator: MemoryLocator): MemoryFolder | undefined {
  const owner = locator.identify({ root: outer.root, path })?.folder;
  return owner === outer || owner === undefined ? undefined : outer;
}

function asNew(at: Address): Address<DocumentPath> {
  return { root: at.root, path: parseDocumentPath(at.path, maxKernelSegments) };
}

function isSame(left: Address, right: Address): boolean {
  return left.root === right.root && left.path === right.path;
}

function takenError({ name, at }: Target, current: Rev): RecollectError {
  const named = { root: at.root, path: name as ExistingPath };
  return conflictError({ kind: "conflict", at: named, current }, { mustNotExist: true });
}

function goneError(name: string): RecollectError {
  return new RecollectError("NOT_FOUND", `The memory “${name}” was deleted just now.`, { data: { name } });
}
