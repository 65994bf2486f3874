import { type ExistingPath, maxKernelSegments, parseDocumentPath } from "../core/document-path.ts";
import type { Documents } from "../core/documents.ts";
import { isRecollectError, RecollectError } from "../core/errors.ts";
import type { Address, Change, Current, Stamp } from "../core/store.ts";
import { textOf } from "./document-text.ts";
import { findUndone, type UndoneDocument } from "./lineage.ts";
import type { Moment, Operation, RootHistory } from "./root-history.ts";
import { type DocumentState, noText, type UndoneStates, undoInDocument } from "./undo-document.ts";

/** What to undo: everything by an author, in a run or batch, or one operation; since and until narrow it. */
export interface UndoTarget {
  readonly author?: string;
  readonly run?: string;
  readonly batch?: string;
  readonly operation?: string;
  readonly since?: string;
  readonly until?: string;
}

export interface UndoneResult {
  readonly at: Address;
  /** `merged` where others had written since, and that stays; `left` where it could not be undone. */
  readonly kind: "restored" | "merged" | "removed" | "moved" | "unchanged" | "left";
  /** Where a moved document is again. */
  readonly to?: ExistingPath;
  readonly why?: string;
}

export interface UndoReport {
  /** How many operations were found. */
  readonly operations: number;
  readonly documents: readonly UndoneResult[];
}

interface Item {
  readonly root: string;
  readonly path: ExistingPath;
  readonly blocks: readonly UndoneStates[];
}

interface Planned {
  readonly item: Item;
  readonly result: UndoneResult;
  readonly changes: readonly Change[];
}

const pageSize = 500;

/** Takes back what was done, as one operation where the policies allow it; what others wrote since stays. */
export async function undoOperations(options: {
  readonly histories: readonly RootHistory[];
  readonly documents: Documents;
  readonly target: UndoTarget;
  readonly stamp: Stamp;
}): Promise<UndoReport> {
  assertTarget(options.target);
  const items: Item[] = [];
  let operations = 0;
  for (const history of options.histories) {
    const found = await findItems(history, options.target);
    operations += found.operations;
    items.push(...found.items);
  }
  const stamp = { reason: reasonFor(options.target), ...options.stamp };
  return { operations, documents: await carryOut(items, options.documents, stamp) };
}

async function findItems(history: RootHistory, target: UndoTarget): Promise<{ operations: number; items: Item[] }> {
  const { operation, ...filter } = target;
  const matched = new Set<string>();
  for await (const one of operationsOf(history, filter)) {
    if (operation === undefined || one.id.startsWith(operation)) matched.add(one.id);
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
  const items = undone.map(({ path, blocks }) => ({
    root: history.root,
    path,
    blocks: blocks.map(({ before, after }) => ({ before: texts(before), after: texts(after) })),
  }));
  return { operations: matched.size, items };
}

async function* operationsOf(history: RootHistory, filter: Omit<UndoTarget, "operation">): AsyncGenerator<Operation> {
  for (let after: string | undefined; ; ) {
    const page = await history.log({ ...filter, limit: pageSize, after });
    yield* page.operations;
    if (page.next === undefined) return;
    after = page.next;
  }
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
async function carryOut(items: readonly Item[], documents: Documents, stamp: Stamp): Promise<UndoneResult[]> {
  const refused = new Map<Item, string>();
  for (;;) {
    const rest = items.filter((item) => !refused.has(item));
    const done = await tryCommit(rest, documents, stamp);
    if (done.kind === "done") return items.map((item) => done.results.get(item) ?? leftAlone(item, refused.get(item)));
    // An error that names nobody: one by one shows whom it means.
    if (done.guilty.length === 0) return carryOutEach(items, refused, documents, stamp);
    for (const item of done.guilty) refused.set(item, done.why);
  }
}

async function carryOutEach(
  items: readonly Item[],
  refused: ReadonlyMap<Item, string>,
  documents: Documents,
  stamp: Stamp,
): Promise<UndoneResult[]> {
  const results: UndoneResult[] = [];
  for (const item of items) {
    const why = refused.get(item);
    const alone: Tried =
      why === undefined ? await tryCommit([item], documents, stamp) : { kind: "refused", why, guilty: [] };
    const result = alone.kind === "done" ? alone.results.get(item) : undefined;
    results.push(result ?? leftAlone(item, alone.kind === "refused" ? alone.why : undefined));
  }
  return results;
}

type Tried =
  | { readonly kind: "done"; readonly results: ReadonlyMap<Item, UndoneResult> }
  | { readonly kind: "refused"; readonly why: string; readonly guilty: readonly Item[] };

async function tryCommit(items: readonly Item[], documents: Documents, stamp: Stamp): Promise<Tried> {
  let planned: readonly Planned[] = [];
  try {
    if (items.length > 0) {
      await documents.commit(
        items.flatMap(addressesOf),
        (current): Change[] | "nothing" => {
          planned = items.map((item) => planItem(item, current));
          const changes = planned.flatMap((one) => one.changes);
          return changes.length > 0 ? changes : "nothing";
        },
        stamp,
      );
    }
    return { kind: "done", results: new Map(planned.map(({ item, result }) => [item, result])) };
  } catch (error) {
    if (!isRecollectError(error) || !refusals.has(error.code)) throw error;
    const guilty = planned.filter((one) => isNamedIn(error, one)).map(({ item }) => item);
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

function addressesOf({ root, path, blocks }: Item): Address[] {
  const paths = new Set([path, ...blocks.flatMap(({ before, after }) => [before.path, after.path])]);
  return [...paths].map((one) => ({ root, path: one }));
}

function planItem(item: Item, current: Current): Planned {
  const { root, path, blocks } = item;
  const at = { root, path };
  const now = stateAt(at, current);
  const outcome = undoInDocument(now, blocks);
  const left = (why: string): Planned => ({ item, result: { at, kind: "left", why }, changes: [] });
  if (outcome.kind === "left") return left(outcome.why);
  const { state, isMerged } = outcome;
  const text = state.text as string | undefined;
  const to = { root, path: state.path };
  const isMoved = state.path !== path && text !== undefined;
  if (isMoved && stateAt(to, current).text !== undefined) return left(`“${state.path}” is taken by now`);
  const done = (kind: UndoneResult["kind"], changes: readonly Change[]): Planned => {
    return { item, result: { at, kind, ...(isMoved ? { to: state.path } : {}) }, changes };
  };
  if (text === undefined)
    return now.text === undefined ? done("unchanged", []) : done("removed", [{ kind: "remove", at }]);
  const put = (): Change => ({ kind: "put", at: named(to), content: text });
  if (!isMoved) return now.text === text ? done("unchanged", []) : done(isMerged ? "merged" : "restored", [put()]);
  if (now.text === undefined) return done("restored", [put()]);
  if (now.text === text) return done("moved", [{ kind: "move", from: at, to: named(to) }]);
  return done("moved", [put(), { kind: "remove", at }]);
}

function named({ root, path }: Address) {
  return { root, path: parseDocumentPath(path, maxKernelSegments) };
}

function stateAt(at: Address, current: Current): DocumentState {
  try {
    return { path: at.path, text: current(at)?.content };
  } catch (error) {
    if (isRecollectError(error) && error.code === "NOT_UTF8") return { path: at.path, text: noText };
    throw error;
  }
}

/** Policies name the root and the operation, protected documents their path. */
function isNamedIn(error: RecollectError, { item, changes }: Planned): boolean {
  const { root, path, operation } = error.data;
  if (root !== item.root) return false;
  return changes.some((change) => {
    if (operation !== undefined) return operationsIn(change).includes(String(operation));
    const ends = change.kind === "move" ? [change.from.path, change.to.path] : [change.at.path];
    return ends.some((one) => one === path);
  });
}

function operationsIn({ kind }: Change): readonly string[] {
  return { put: ["write"], append: ["append"], remove: ["delete"], move: ["move", "write"] }[kind];
}

function leftAlone({ root, path }: Item, why = "it could not be undone"): UndoneResult {
  return { at: { root, path }, kind: "left", why };
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
