import { type ExistingPath, maxKernelSegments, parseDocumentPath } from "../core/document-path.ts";
import type { Documents } from "../core/documents.ts";
import { isRecollectError, RecollectError } from "../core/errors.ts";
import type { Address, Change, Committed, Current, Stamp } from "../core/store.ts";
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
    let planned: Planned[] = [];
    try {
      if (rest.length > 0) planned = await commitItems(rest, documents, stamp, (plan) => (planned = plan));
      return items.map((item) => resultFor(item, planned, refused.get(item)));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const changing = planned.filter(({ changes }) => changes.length > 0);
      const named = changing.filter((one) => isNamedIn(error, one));
      // An error that names nobody: one by one shows whom it means.
      const guilty = named.length > 0 || changing.length <= 1 ? named : await tryEach(changing, documents, stamp, refused);
      for (const { item } of guilty.length > 0 ? guilty : changing) refused.set(item, error.message);
    }
  }
}
