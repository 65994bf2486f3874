import type { CountTokens } from "../token-count.ts";
import { type PreparedCandidate, prepare, type RecallCandidate } from "./candidate.ts";
import { charsPerToken, fitPiece, type Piece } from "./fit-piece.ts";
import { repeats, type Shingles, shinglesOf } from "./near-duplicates.ts";
import { type Frame, frames, renderPiece } from "./render-piece.ts";

export interface ComposeOptions {
  readonly maxTokens: number;
  readonly maxItems: number;
  readonly count: CountTokens;
}

export interface Composed {
  readonly text: string;
  readonly tokens: number;
  readonly pieces: readonly Piece[];
}

const nothing: Composed = { text: "", tokens: 0, pieces: [] };
/** Less room than this for each says less than one piece alone. */
const leastTokens = 60;

/** The best of the candidates that differ, as one block of Markdown within the budget. */
export function composeRecall(candidates: readonly RecallCandidate[], options: ComposeOptions): Composed {
  const different = withoutRepetitions(candidates);
  for (const frame of frames.filter(({ least }) => least <= options.maxTokens)) {
    const composed = composeIn(frame, different, options);
    if (composed.pieces.length > 0) return composed;
  }
  return nothing;
}

function withoutRepetitions(candidates: readonly RecallCandidate[]): PreparedCandidate[] {
  const kept: { candidate: PreparedCandidate; shingles: Shingles }[] = [];
  for (const candidate of candidates.map(prepare).filter(({ shown }) => shown !== "")) {
    const shingles = shinglesOf(candidate.shown);
    if (!kept.some((earlier) => repeats(shingles, earlier.shingles))) kept.push({ candidate, shingles });
  }
  return kept.map(({ candidate }) => candidate);
}

/** Pieces are counted one by one, and together can come to a little more: then once more, with less room. */
function composeIn(frame: Frame, candidates: readonly PreparedCandidate[], options: ComposeOptions): Composed {
  const { maxTokens, count } = options;
  for (let room = maxTokens; room > 0; ) {
    const pieces = choose(frame, candidates, { ...options, maxTokens: room });
    const text = [...(frame.intro === "" ? [] : [frame.intro]), ...pieces.map(({ markdown }) => markdown)].join("\n\n");
    const tokens = pieces.length === 0 ? 0 : count(text);
    if (tokens === 0) return nothing;
    if (tokens <= maxTokens) return { text, tokens, pieces };
    room -= tokens - maxTokens;
  }
  return nothing;
}

function choose(frame: Frame, candidates: readonly PreparedCandidate[], options: ComposeOptions): Piece[] {
  const { maxTokens, maxItems, count } = options;
  const most = Math.max(1, Math.min(maxItems, Math.floor(maxTokens / leastTokens)));
  const chosen: Piece[] = [];
  let room = maxTokens - (frame.intro === "" ? 0 : count(frame.intro) + 1);
  for (const [at, candidate] of candidates.entries()) {
    if (chosen.length === most || room <= 0) break;
    const waiting = candidates.slice(at, at + most - chosen.length).map((one) => costOf(frame, one, options));
    const piece = fitPiece(candidate, { frame, tokens: fairShare(room, waiting), count });
    // What two texts have in common may be all that is left of them.
    if (!piece || chosen.some(({ text }) => repeats(shinglesOf(piece.text), shinglesOf(text)))) continue;
    chosen.push(piece);
    room -= piece.tokens + 1;
  }
  return chosen;
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
