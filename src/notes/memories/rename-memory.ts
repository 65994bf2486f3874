import { type Conflict, conflictError, type Expectation, meets } from "../../kernel/conflict.ts";
import { asNewName, brokenRule, type DocumentPath, type ExistingPath } from "../../kernel/document-path.ts";
import type { Documents } from "../../kernel/documents.ts";
import { isRecollectError, RecollectError } from "../../kernel/errors.ts";
import type { Rev } from "../../kernel/revision.ts";
import type { Address, Change, Stamp } from "../../kernel/store.ts";
import { documentOf, type FoundMemory, type MemoryLocator } from "./locate-memory.ts";
import { goneError, lostError } from "./memory-errors.ts";
import type { MemoryFolder } from "./memory-folder.ts";
import { type MemoryName, parseNewName } from "./memory-name.ts";
import { readAllMemories } from "./read-all-memories.ts";
import { createReferenceRewriter, type ReferenceRewriter } from "./references.ts";
import { type NextText, rewriteElsewhere, rewritesOf } from "./rewrite-elsewhere.ts";
import { type ListedName, surveyMemories } from "./survey-memories.ts";

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
  /** The limit that the documents have. */
  readonly documentBytes: number;
  /** Of the memory that is renamed. */
  readonly expected: Expectation;
}

interface Target {
  readonly name: string;
  readonly folder: MemoryFolder;
  readonly at: Address<DocumentPath>;
}

/**
 * Moves a memory and rewrites what refers to it, all of it or nothing; in what another store keeps, right after that.
 * A reference to the old name that somebody writes meanwhile counts as written after the renaming; `check` finds it.
 */
export async function renameMemory(oldName: string, newName: string, context: RenameContext): Promise<RenamedMemory> {
  const { documents, locator } = context;
  const found = await locator.require(oldName);
  const to = await targetOf(found, newName, context);
  if (!documents.isTogether(found.at, to.at)) throw apartError(found, to);
  const { names, spellings } = await surveyMemories(documents, locator);
  const longer = spellings.filter(({ at }) => isSame(at, found.at)).map(({ name }) => name);
  const rewriter = createReferenceRewriter(
    new Set([found.name, ...longer]),
    to.name,
    names.map(({ name }) => name),
  );
  const referring = await referringTexts(names, rewriter, context);
  const own = referring.find(({ at }) => isSame(at, found.at));
  const others = referring.filter((one) => one !== own);
  const renaming = { found, to, next: (content: string) => rewriteWithin(context.documentBytes, rewriter, content) };
  const changed = others.filter(mayChange(documents)).map((one) => ({ ...one, at: asNewName(one.at), told: one }));
  const isNear = ({ at }: Referring) => documents.isTogether(at, found.at);
  const { rev, rewritten } = await moveWithMost(renaming, changed.filter(isNear), context);
  const far = changed.filter((one) => !isNear(one));
  const elsewhere = await rewriteElsewhere(far, renaming.next, context);
  const done = new Set([...(own?.fits ? [own] : []), ...[...rewritten, ...elsewhere].map(({ told }) => told)]);
  const nameOf = (one: Referring) => (one === own ? to.name : one.name);
  return {
    from: found.name,
    to: to.name,
    folder: to.folder.root,
    rev,
    rewritten: referring.filter((one) => done.has(one)).map(nameOf),
    notRewritten: referring
      .filter((one) => !done.has(one))
      .map((one) => ({ name: nameOf(one), folder: (one === own ? to : one).folder.root })),
  };
}

/** A memory that refers to the one that is renamed. */
interface Referring {
  readonly name: string;
  readonly folder: MemoryFolder;
  readonly at: Address;
  /** False where new references would make it larger than a document may be. */
  readonly fits: boolean;
}

/** One whose references may be rewritten. */
interface Changeable extends Referring {
  readonly at: Address<DocumentPath>;
  readonly told: Referring;
}

async function referringTexts(
  names: readonly ListedName[],
  rewriter: ReferenceRewriter,
  { documents, documentBytes }: RenameContext,
): Promise<Referring[]> {
  const referring: Referring[] = [];
  for await (const { name, folder, at, content } of readAllMemories(documents, names)) {
    const growth = rewriter.growth(content);
    if (growth === undefined) continue;
    referring.push({ name, folder, at, fits: Buffer.byteLength(content) + growth <= documentBytes });
  }
  return referring;
}

/** Undefined where it would be too large: one text that a person let grow keeps no memory from its new name. */
function rewriteWithin(limit: number, { growth, rewrite }: ReferenceRewriter, content: string): string | undefined {
  // Asked before it is made: a short reference, repeated, and a long name make a text that no memory holds.
  return Buffer.byteLength(content) + (growth(content) ?? 0) > limit ? undefined : rewrite(content);
}

function mayChange(documents: Documents): (one: Referring) => boolean {
  return ({ at, folder, fits }) =>
    fits && !folder.readOnly && !documents.isProtected(at) && brokenRule(at.path) === undefined;
}

interface Renaming {
  readonly found: FoundMemory;
  readonly to: Target;
  readonly next: NextText;
}

/** What only the system knows to be out of bounds, such as a team's folder that another user owns, stays as it is. */
async function moveWithMost(
  renaming: Renaming,
  others: readonly Changeable[],
  context: RenameContext,
): Promise<{ rev: Rev; rewritten: readonly Changeable[] }> {
  try {
    return { rev: await moveAndRewrite(renaming, others, context), rewritten: others };
  } catch (error) {
    if (!isDenied(error)) throw error;
    if (others.length === 0) throw aboutItself(renaming, error);
    const writable = await inWritableFolders(others, context);
    // In a folder of ours a file may still be only its owner's to replace: then nobody can tell which one it was.
    return moveWithMost(renaming, writable.length < others.length ? writable : [], context);
  }
}

async function moveAndRewrite(
  { found, to, next }: Renaming,
  others: readonly Changeable[],
  { documents, stamp, expected }: RenameContext,
): Promise<Rev> {
  const places = others.map(({ at }) => at);
  const result = await documents.commit(
    [found.at, to.at, ...places],
    (current): Change[] | "gone" | { kind: "taken"; rev: Rev } | Conflict => {
      const own = current(found.at);
      if (!meets(expected, own?.rev)) return { kind: "conflict", at: found.at, current: own?.rev };
      if (!own) return "gone";
      const taken = current(to.at);
      if (taken) return { kind: "taken", rev: taken.rev };
      const rewrites = rewritesOf(places, next, (at) => current(at)?.content);
      const content = found.document && next(own.content);
      if (content === undefined || content === own.content) {
        return [{ kind: "move", from: found.at, to: to.at }, ...rewrites];
      }
      // A memory that refers to itself is another text under its new name.
      return [{ kind: "remove", at: found.at }, { kind: "put", at: to.at, content }, ...rewrites];
    },
    stamp,
  );
  if (result === "gone") throw goneError(found.name);
  if (result.kind === "conflict") throw lostError(found.name, result, expected);
  if (result.kind === "taken") throw takenError(to, result.rev);
  const rev = result.outcomes.find((outcome) => isSame(outcome.at, to.at))?.rev;
  if (!rev) throw new Error("a renamed memory has a revision");
  return rev;
}

/** Those in folders whose lock we may take, without which nobody writes there. */
async function inWritableFolders(
  others: readonly Changeable[],
  { documents, stamp }: RenameContext,
): Promise<readonly Changeable[]> {
  const folderOf = ({ at }: Referring) => `${at.root}\0${at.path.slice(0, at.path.lastIndexOf("/") + 1)}`;
  const writable: Changeable[] = [];
  for (const inOne of Map.groupBy(others, folderOf).values()) {
    const addresses = inOne.slice(0, 1).map(({ at }) => at);
    try {
      await documents.commit(addresses, () => "nothing to write", stamp);
      writable.push(...inOne);
    } catch (error) {
      if (!isDenied(error)) throw error;
    }
  }
  return writable;
}

/** By the system; what our own policies refuse names its root, and was left out before. */
function isDenied(error: unknown): error is RecollectError {
  if (!isRecollectError(error) || error.data["root"] !== undefined) return false;
  return error.code === "PERMISSION_DENIED" || error.code === "READ_ONLY";
}

function aboutItself({ found, to }: Renaming, error: RecollectError): RecollectError {
  const [from, into] = [found.folder.root, to.folder.root];
  const where = from === into ? `in “${from}”` : `from “${from}” to “${into}”`;
  return new RecollectError(
    error.code,
    `The memory “${found.name}” cannot be renamed ${where}: this user may not write there. Ask for the right to, or configure the folder with :ro.`,
    { data: { ...error.data, name: found.name, folder: from }, cause: error },
  );
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
  const target = { name: known.name, folder: known.folder, at: asNewName(known.at) };
  if (taken) throw takenError({ ...target, at: asNewName(taken.at) }, documentOf(taken).rev);
  return target;
}

/** `feature/x` says that it belongs into the folder `feature` inside the first one. */
function asSpelledIn(outer: MemoryFolder, { path }: MemoryName, locator: MemoryLocator): MemoryFolder | undefined {
  const owner = locator.identify({ root: outer.root, path })?.folder;
  return owner === outer || owner === undefined ? undefined : outer;
}

function isSame(left: Address, right: Address): boolean {
  return left.root === right.root && left.path === right.path;
}

/** Between two stores nothing moves as one operation, and half of a renaming would be two memories or none. */
function apartError(found: FoundMemory, to: Target): RecollectError {
  const [from, into] = [found.folder.root, to.folder.root];
  const says = `“${found.name}” lies in “${from}” and “${to.name}” would lie in “${into}”, which is kept elsewhere, so that it cannot be moved there. Choose a name that stays in “${from}”, or write “${to.name}” anew and then delete “${found.name}”.`;
  return new RecollectError("INVALID_ARGUMENT", says, { data: { name: found.name, from, into } });
}

function takenError({ name, at }: Target, current: Rev): RecollectError {
  const named = { root: at.root, path: name as ExistingPath };
  return conflictError({ kind: "conflict", at: named, current }, { mustNotExist: true });
}
