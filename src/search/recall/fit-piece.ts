import { bestCluster } from "../best-cluster.ts";
import type { CountTokens } from "../token-count.ts";
import type { PreparedCandidate, RecallCandidate } from "./candidate.ts";
import { openFence } from "./fences.ts";
import { toPieceText } from "./piece-text.ts";
import { type Frame, renderPiece } from "./render-piece.ts";
import { trimText } from "./trim-text.ts";

export interface Piece {
  readonly candidate: RecallCandidate;
  /** With its head, as it stands in the block. */
  readonly markdown: string;
  /** Its own words alone. */
  readonly text: string;
  readonly tokens: number;
  readonly trimmed: boolean;
}

/** No text that anybody reads has more characters a token than that. */
export const charsPerToken = 16;

/** So much of a candidate as fits into that many tokens; undefined where nothing does. */
export function fitPiece(
  candidate: PreparedCandidate,
  { frame, tokens, count }: { readonly frame: Frame; readonly tokens: number; readonly count: CountTokens },
): Piece | undefined {
  const head = frame.head(candidate);
  const whole = candidate.shown;
  const made = (text: string, trimmed: boolean): Piece => {
    const markdown = renderPiece(head, text);
    return { candidate, markdown, text, tokens: count(markdown), trimmed };
  };
  if (whole.length <= tokens * charsPerToken) {
    const piece = made(whole, false);
    if (piece.tokens <= tokens) return piece;
  }
  const trim = (text: string): string | undefined => {
    const countOf = (part: string) => count(renderPiece(head, part));
    const least = count(head) + (tokens - count(head)) / 2;
    return trimText(text.slice(0, tokens * charsPerToken), {
      fits: (part) => countOf(part) <= tokens,
      fillsHalf: (part) => countOf(part) >= least,
    });
  };
  const beginning = trim(whole);
  const focus = focusOf(candidate);
  const passage =
    focus === undefined || beginning === undefined || beginning.length >= focus.before ? undefined : trim(focus.text);
  const shown = passage ?? beginning;
  return shown === undefined ? undefined : made(shown, true);
}

/** The text from the line on where most of what was looked for stands, and how much stands before the end of that. */
function focusOf({ text, title, matches }: RecallCandidate): { text: string; before: number } | undefined {
  const cluster = bestCluster(text, matches ?? [], 0);
  if (cluster === undefined) return undefined;
  const start = text.lastIndexOf("\n", cluster.from) + 1;
  if (start === 0) return undefined;
  const reopened = openFence(text.slice(0, start));
  const from = toPieceText(text.slice(start), "");
  return {
    text: reopened === undefined ? `…\n${from}` : `${reopened}\n${from}`,
    before: toPieceText(text.slice(0, cluster.to), title).length,
  };
}
