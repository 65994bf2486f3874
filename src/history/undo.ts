import { groupByStore } from "../kernel/by-store.ts";
import type { Documents } from "../kernel/documents.ts";
import { isRecollectError, RecollectError } from "../kernel/errors.ts";
import type { Moment, Operation, RootHistory } from "../kernel/root-history.ts";
import type { Address, Change, Stamp } from "../kernel/store.ts";
import { textOf } from "./document-text.ts";
import { findUndone, type UndoneDocument } from "./lineage.ts";
import { isImport, operationsOf } from "./operations-of.ts";
import { leaveDependent, type PlannedUndo, planUndo, type UndoItem, type UndoneResult } from "./plan-undo.ts";
import { type DocumentState, noText } from "./undo-document.ts";
import { plainLines, type UndoFormat } from "./undo-format.ts";

/** What to undo: everything by an author, in a run or batch, or one operation; since and until narrow it. */
export interface UndoTarget {
  readonly author?: string;
  readonly run?: string;
  readonly batch?: string;
  readonly operation?: string;
  readonly since?: string;
  readonly until?: string;
}

export interface UndoReport {
  /** How many operations were found. */
  readonly operations: number;
  readonly documents: readonly UndoneResult[];
}

/**
 * Takes back what was done, as one operation where the policies allow it, or one for each store; what others wrote since
 * stays.
 */
export async function undoOperations(options: {
  readonly histories: readonly RootHistory[];
  readonly documents: Documents;
  readonly target: UndoTarget;
  readonly stamp: Stamp;
  readonly format?: UndoFormat | undefined;
}): Promise<UndoReport> {
  const { format = plainLines } = options;
  assertTarget(options.target);
  const items: UndoItem[] = [];
  let operations = 0;
  for (const history of options.histories) {
    const found = await findItems(history, options.target);
    operations += found.operations;
    items.push(...found.items.filter((item) => !isDerived(item, format)));
  }
  const stamp = { reason: reasonFor(options.target), ...options.stamp };
  const results: UndoneResult[] = [];
  for (const group of groupByStore(options.documents, items)) {
    results.push(...(await carryOut(group, { documents: options.documents, stamp, format })));
  }
  return { operations, documents: results };
}

function isDerived({ at, blocks }: UndoItem, format: UndoFormat): boolean {
  const textIn = ({ text }: DocumentState) => (text === noText ? "" : text);
  return blocks.every(({ before, after }) => format.isDerivedChange(at, textIn(before), textIn(after)));
}

interface CarryOut {
  readonly documents: Documents;
  readonly stamp: Stamp;
  readonly format: UndoFormat;
}

async function findItems(history: RootHistory, target: UndoTarget): Promise<{ operations: number; items: UndoItem[] }> {
  const { operation, ...filter } = target;
  const matched = new Set<string>();
  for await (const one of operationsOf(history, filter)) {
    const isAsked = operation === undefined || one.id.startsWith(operation);
    // What was there when recording began was done by nobody: taking that back would take the documents away.
    if (isAsked && !isImport(one)) matched.add(one.id);
    if (one.id === operation) break;
  }
  if (matched.size === 0) return { operations: 0, items: [] };
  const since: Operation[] = [];
  const left = new Set(matched);
  for await (const one of operationsOf(history, {})) {
    since.push(one);
    left.delete(one.id);
    if (left.size === 0) break;
  }
  const undone = findUndone(since.reverse(), ({ id }) => matched.has(id));
  const texts = await readTexts(history, undone);
  const items = undone.map(({ path, isDisplaced, blocks }) => ({
    at: { root: history.root, path },
    isDisplaced,
    blocks: blocks.map(({ before, after }) => ({ before: texts(before), after: texts(after) })),
  }));
  return { operations: matched.size, items };
}

async function readTexts(
  history: RootHistory,
  undone: readonly UndoneDocument[],
): Promise<(moment: Moment) => DocumentState> {
  const moments = undone.flatMap(({ blocks }) => blocks.flatMap(({ before, after }) => [before, after]));
  const contents = await history.contents(moments);
  const known = new Map(moments.map((moment, index) => [moment, contents[index]]));
  return (moment) => {
    const bytes = known.get(moment);
    return { path: moment.path, text: bytes && (textOf(bytes) ?? noText) };
  };
}

/** One commit for all; what a policy, a name or the guard refuses is left out of it and reported. */
async function carryOut(items: readonly UndoItem[], how: CarryOut): Promise<UndoneResult[]> {
  const refused = new Map<UndoItem, string>();
  for (;;) {
    const rest = items.filter((item) => !refused.has(item));
    const done = await tryCommit(rest, how);
    if (done.kind === "done") return items.map((item) => done.results.get(item) ?? leftAlone(item, refused.get(item)));
    // An error that names nobody: one by one shows whom it means.
    if (done.guilty.length === 0) return carryOutEach(items, refused, how);
    for (const item of done.guilty) refused.set(item, done.why);
    leaveDependent(items, refused, how.format);
  }
}

async function carryOutEach(
  items: readonly UndoItem[],
  refusedBefore: ReadonlyMap<UndoItem, string>,
  how: CarryOut,
): Promise<UndoneResult[]> {
  const results = new Map<UndoItem, UndoneResult>();
  const refused = new Map(refusedBefore);
  // Those first that others need.
  const isNeeded = (one: UndoItem) => items.some((other) => how.format.needs(other.at, one.at));
  for (const item of items.toSorted((one, other) => Number(isNeeded(other)) - Number(isNeeded(one)))) {
    const why = refused.get(item);
    const alone: Tried = why === undefined ? await tryCommit([item], how) : { kind: "refused", why, guilty: [] };
    const result = alone.kind === "done" ? alone.results.get(item) : undefined;
    const told = result ?? leftAlone(item, alone.kind === "refused" ? alone.why : undefined);
    results.set(item, told);
    if (told.kind !== "left") continue;
    refused.set(item, told.why ?? "");
    leaveDependent(items, refused, how.format);
  }
  return items.map((item) => results.get(item) ?? leftAlone(item));
}

type Tried =
  | { readonly kind: "done"; readonly results: ReadonlyMap<UndoItem, UndoneResult> }
  | { readonly kind: "refused"; readonly why: string; readonly guilty: readonly UndoItem[] };

async function tryCommit(items: readonly UndoItem[], { documents, stamp, format }: CarryOut): Promise<Tried> {
  let planned: PlannedUndo = { results: new Map(), changes: [] };
  try {
    if (items.length > 0) {
      await documents.commit(
        addressesOf(items),
        (current): Change[] | "nothing" => {
          planned = planUndo(items, current, format);
          return planned.changes.length > 0 ? planned.changes.map(({ change }) => change) : "nothing";
        },
        stamp,
      );
    }
    return { kind: "done", results: planned.results };
  } catch (error) {
    if (!isRecollectError(error) || !refusals.has(error.code)) throw error;
    const guilty = planned.changes.filter(({ change }) => isNamedIn(error, change)).flatMap((one) => one.items);
    return { kind: "refused", why: error.message, guilty };
  }
}

const refusals: ReadonlySet<string> = new Set([
  "READ_ONLY",
  "NOT_ALLOWED",
  "INVALID_PATH",
  "SENSITIVE_CONTENT",
  "TOO_LARGE",
  "NOT_A_DOCUMENT",
]);

function addressesOf(items: readonly UndoItem[]): Address[] {
  const all = items.flatMap(({ at, blocks }) => {
    const paths = [at.path, ...blocks.flatMap(({ before, after }) => [before.path, after.path])];
    return paths.map((path) => ({ root: at.root, path }));
  });
  return [...new Map(all.map((at) => [`${at.root}\0${at.path}`, at])).values()];
}

/** Policies name the root and the operation, protected documents their path. */
function isNamedIn(error: RecollectError, change: Change): boolean {
  const { root, path, operation } = error.data;
  const ends = change.kind === "move" ? [change.from, change.to] : [change.at];
  if (ends.every((one) => one.root !== root)) return false;
  return operation === undefined
    ? ends.some((one) => one.path === path)
    : operationsIn(change).includes(String(operation));
}

function operationsIn({ kind }: Change): readonly string[] {
  return { put: ["write"], append: ["append"], remove: ["delete"], move: ["move", "write"] }[kind];
}

function leftAlone({ at }: UndoItem, why = "it could not be undone"): UndoneResult {
  return { at, kind: "left", why };
}

function reasonFor({ author, run, batch, operation }: UndoTarget): string {
  const what = [
    ...(author === undefined ? [] : [`author ${author}`]),
    ...(run === undefined ? [] : [`run ${run}`]),
    ...(batch === undefined ? [] : [`batch ${batch}`]),
    ...(operation === undefined ? [] : [`operation ${operation}`]),
  ];
  return `undo of ${what.join(", ")}`;
}

function assertTarget({ author, run, batch, operation }: UndoTarget): void {
  if ([author, run, batch, operation].some((one) => one !== undefined && one !== "")) return;
  throw new RecollectError("INVALID_ARGUMENT", "Say what to undo: an author, a run, a batch or an operation.");
}
