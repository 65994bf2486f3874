import type { CountTokens } from "../token-count.ts";
import { type PreparedCandidate, prepare, type RecallCandidate } from "./candidate.ts";
import { charsPerToken, fitPiece, type Piece } from "./fit-piece.ts";
import type { LazyList } from "./lazy-list.ts";
import { repeats, type Shingles, shinglesOf } from "./near-duplicates.ts";
import { type Frame, frames, renderPiece } from "./render-piece.ts";

export interface ComposeOptions {
  readonly maxTokens: number;
  readonly maxItems: number;
  readonly count: CountTokens;
  /** What is sent of a block, which is what the budget is for. */
  readonly sentAs: (text: string) => string;
}

export interface Composed {
  readonly text: string;
  readonly tokens: number;
  readonly pieces: readonly Piece[];
}

const nothing: Composed = { text: "", tokens: 0, pieces: [] };
/** Less room than this for each says less than one piece alone. */
const leastTokens = 60;

/** The best of candidates that differ, as one block of Markdown within the budget. */
export function composeRecall(candidates: LazyList<PreparedCandidate>, options: ComposeOptions): Composed {
  for (const frame of frames.filter(({ least }) => least <= options.maxTokens)) {
    const composed = composeIn(frame, candidates, options);
    if (composed.pieces.length > 0) return composed;
  }
  return nothing;
}

/** Those that have something to show, and not what one before them says. */
export function* differing(candidates: Iterable<RecallCandidate>): Generator<PreparedCandidate> {
  const earlier: Shingles[] = [];
  for (const given of candidates) {
    const candidate = prepare(given);
    const shingles = shinglesOf(candidate.shown);
    if (candidate.shown === "" || earlier.some((one) => repeats(shingles, one))) continue;
    earlier.push(shingles);
    yield candidate;
  }
}

/** Pieces are counted one by one, and together, as they are sent, come to more: then once more, with less room. */
function composeIn(frame: Frame, candidates: LazyList<PreparedCandidate>, options: ComposeOptions): Composed {
  const { maxTokens, count, sentAs } = options;
  for (let room = maxTokens; room > 0; ) {
    const pieces = choose(frame, candidates, { ...options, maxTokens: room });
    const text = [...(frame.intro === "" ? [] : [frame.intro]), ...pieces.map(({ markdown }) => markdown)].join("\n\n");
    const tokens = pieces.length === 0 ? 0 : count(sentAs(text));
    if (tokens === 0) return nothing;
    if (tokens <= maxTokens) return { text, tokens, pieces };
    room -= tokens - maxTokens;
  }
  return nothing;
}

function choose(frame: Frame, candidates: LazyList<PreparedCandidate>, options: ComposeOptions): Piece[] {
  const { maxTokens, maxItems, count } = options;
  const most = Math.max(1, Math.min(maxItems, Math.floor(maxTokens / leastTokens)));
  const chosen: Piece[] = [];
  let room = maxTokens - (frame.intro === "" ? 0 : count(frame.intro) + 1);
  for (let at = 0; chosen.length < most && room > 0; at += 1) {
    const [candidate, ...others] = itemsFrom(candidates, at, most - chosen.length);
    if (!candidate) break;
    const waiting = [candidate, ...others].map((one) => costOf(frame, one, options));
    const piece = fitPiece(candidate, { frame, tokens: fairShare(room, waiting), count });
    // What two texts have in common may be all that is left of them.
    if (!piece || chosen.some(({ text }) => repeats(shinglesOf(piece.text), shinglesOf(text)))) continue;
    chosen.push(piece);
    room -= piece.tokens + 1;
  }
  return chosen;
}

function itemsFrom<Item>(list: LazyList<Item>, start: number, most: number): Item[] {
  const items: Item[] = [];
  while (items.length < most) {
    const item = list.at(start + items.length);
    if (item === undefined) break;
    items.push(item);
  }
  return items;
}

/** What a candidate would take whole. */
function costOf(frame: Frame, candidate: PreparedCandidate, { maxTokens, count }: ComposeOptions): number {
  if (candidate.shown.length > maxTokens * charsPerToken) return Number.POSITIVE_INFINITY;
  return count(renderPiece(frame.head(candidate), candidate.shown)) + 1;
}

/** What the first of those who wait may take: an equal part, and what others do not need of theirs. */
function fairShare(room: number, costs: readonly number[]): number {
  let [left, waiting] = [room, costs.length];
  for (const cost of costs.toSorted((a, b) => a - b)) {
    if (cost > left / waiting) break;
    left -= cost;
    waiting -= 1;
  }
  const own = costs[0] ?? 0;
  return waiting === 0 || own <= left / waiting ? Math.min(own, room) : Math.floor(left / waiting) - 1;
}
