import { asNewName, type ExistingPath } from "../kernel/document-path.ts";
import { isRecollectError } from "../kernel/errors.ts";
import type { Address, Change, Current } from "../kernel/store.ts";
import { type DocumentState, noText, type UndoneStates, undoInDocument } from "./undo-document.ts";
import type { UndoFormat } from "./undo-format.ts";

/** A document of which something is to be undone. */
export interface UndoItem {
  readonly at: Address;
  readonly isDisplaced: boolean;
  /** The newest first. */
  readonly blocks: readonly UndoneStates[];
}

export interface UndoneResult {
  readonly at: Address;
  /** `merged` where others had written since, and that stays; `left` where it could not be undone. */
  readonly kind: "restored" | "merged" | "removed" | "moved" | "unchanged" | "left";
  /** Where a moved document is again. */
  readonly to?: ExistingPath;
  readonly why?: string;
}

export interface PlannedUndo {
  readonly results: ReadonlyMap<UndoItem, UndoneResult>;
  /** Each with the documents that it is for. */
  readonly changes: readonly { readonly change: Change; readonly items: readonly UndoItem[] }[];
}

interface Goal {
  readonly item: UndoItem;
  readonly now: DocumentState;
  readonly state: DocumentState;
  readonly isMerged: boolean;
}

/** All documents together: one may be on its way to where another still is. */
export function planUndo(items: readonly UndoItem[], current: Current, format: UndoFormat): PlannedUndo {
  const left = new Map<UndoItem, string>();
  for (;;) {
    const goals = goalsOf(items, left, current, format);
    if (leaveDependent(items, left, format)) continue;
    const clashing = findClash(goals, current);
    if (!clashing) return toPlan(items, goals, left, current);
    left.set(clashing.item, `“${clashing.state.path}” is taken by now`);
  }
}

/** One whose text would be nowhere else stays as it is. True where that is another one than before. */
export function leaveDependent(items: readonly UndoItem[], left: Map<UndoItem, string>, format: UndoFormat): boolean {
  const lost = items.filter((item) => !left.has(item) && [...left.keys()].some(({ at }) => format.needs(item.at, at)));
  for (const item of lost) left.set(item, "what belongs to it was left as it is");
  return lost.length > 0;
}

function goalsOf(
  items: readonly UndoItem[],
  left: Map<UndoItem, string>,
  current: Current,
  format: UndoFormat,
): Goal[] {
  return items.flatMap((item) => {
    if (left.has(item)) return [];
    const now = item.isDisplaced ? { path: item.at.path, text: undefined } : stateAt(item.at, current);
    const outcome = undoInDocument(item.at.root, now, item.blocks, format);
    if (outcome.kind === "undone") return [{ item, now, ...outcome }];
    left.set(item, outcome.why);
    return [];
  });
}

/** A goal whose place another document has, which does not go away, or is to have as well. */
function findClash(goals: readonly Goal[], current: Current): Goal | undefined {
  const vacated = new Set(goals.filter(leaves).map(({ item }) => keyOf(item.at)));
  const claimed = new Set<string>();
  return goals.find((goal) => {
    if (goal.state.text === undefined) return false;
    const to = goalOf(goal);
    const isOwn = keyOf(to) === keyOf(goal.item.at) && !goal.item.isDisplaced;
    const isTaken = !isOwn && !vacated.has(keyOf(to)) && stateAt(to, current).text !== undefined;
    if (isTaken || claimed.has(keyOf(to))) return true;
    claimed.add(keyOf(to));
    return false;
  });
}

function leaves({ item, state }: Goal): boolean {
  return !item.isDisplaced && (state.text === undefined || state.path !== item.at.path);
}

function toPlan(
  items: readonly UndoItem[],
  goals: readonly Goal[],
  left: ReadonlyMap<UndoItem, string>,
  current: Current,
): PlannedUndo {
  const results = new Map<UndoItem, UndoneResult>(goals.map((goal) => [goal.item, resultOf(goal)]));
  for (const item of items) {
    const why = left.get(item);
    if (why !== undefined) results.set(item, { at: item.at, kind: "left", why });
  }
  const wanted = new Map<string, { at: Address; text: string | undefined; items: UndoItem[] }>();
  const want = (at: Address, text: string | undefined, item: UndoItem) => {
    const known = wanted.get(keyOf(at));
    wanted.set(keyOf(at), { at, text: text ?? known?.text, items: [...(known?.items ?? []), item] });
  };
  for (const goal of goals) {
    if (leaves(goal)) want(goal.item.at, undefined, goal.item);
    if (goal.state.text !== undefined) want(goalOf(goal), goal.state.text as string, goal.item);
  }
  const moves = goals.filter((goal) => isPlainMove(goal, wanted, current));
  for (const goal of moves) for (const at of [goal.item.at, goalOf(goal)]) wanted.delete(keyOf(at));
  const changes = [...wanted.values()].flatMap(({ at, text, items: owners }) => {
    const now = stateAt(at, current).text;
    if (now === text) return [];
    const change: Change =
      text === undefined ? { kind: "remove", at } : { kind: "put", at: asNewName(at), content: text };
    return [{ change, items: owners }];
  });
  const moved = moves.map((goal) => {
    return { change: { kind: "move", from: goal.item.at, to: asNewName(goalOf(goal)) } as const, items: [goal.item] };
  });
  return { results, changes: [...moved, ...changes] };
}

/** It only goes back to its former name, and nobody else has to do with either. */
function isPlainMove(
  { item, now, state }: Goal,
  wanted: ReadonlyMap<string, { readonly items: readonly UndoItem[] }>,
  current: Current,
): boolean {
  const to = { root: item.at.root, path: state.path };
  const isAlone = (at: Address) => wanted.get(keyOf(at))?.items.length === 1;
  if (item.isDisplaced || state.path === item.at.path || now.text === undefined || now.text !== state.text)
    return false;
  return isAlone(item.at) && isAlone(to) && stateAt(to, current).text === undefined;
}

function resultOf({ item, now, state, isMerged }: Goal): UndoneResult {
  const { at } = item;
  if (state.text === undefined) return { at, kind: now.text === undefined ? "unchanged" : "removed" };
  if (state.path !== at.path) return { at, kind: now.text === undefined ? "restored" : "moved", to: state.path };
  if (now.text === state.text) return { at, kind: "unchanged" };
  return { at, kind: isMerged ? "merged" : "restored" };
}

function goalOf({ item, state }: Goal): Address {
  return { root: item.at.root, path: state.path };
}

function stateAt(at: Address, current: Current): DocumentState {
  try {
    return { path: at.path, text: current(at)?.content };
  } catch (error) {
    if (isRecollectError(error) && error.code === "NOT_UTF8") return { path: at.path, text: noText };
    throw error;
  }
}

function keyOf({ root, path }: Address): string {
  return `${root}\0${path}`;
}
