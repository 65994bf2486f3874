import { RecollectError } from "../kernel/errors.ts";
import type { RecallCandidate } from "./recall/candidate.ts";
import { composeRecall, differing } from "./recall/compose.ts";
import { toLazyList } from "./recall/lazy-list.ts";
import type { Recalled, RecallRequest } from "./search.ts";
import { loadTokenCount } from "./token-count.ts";

export type { RecallCandidate } from "./recall/candidate.ts";

const defaultTokens = 1000;
export const defaultItems = 3;
/** More is no longer what fits into a task's description. */
const mostTokens = 100_000;
const mostItems = 20;
/** What has none of the words must come this near to the best. */
const nearShare = 0.5;

export interface RecallLimits extends Pick<RecallRequest, "maxTokens" | "maxItems"> {
  readonly sentAs?: (text: string) => string;
}

/**
 * What fits best of the candidates, best first, for a task's description: different pieces, dated, within the budget.
 * No more of them are asked for than it takes to find those.
 */
export async function recall(
  candidates: Iterable<RecallCandidate>,
  { maxTokens = defaultTokens, maxItems = defaultItems, sentAs = (text) => text }: RecallLimits = {},
): Promise<Omit<Recalled, "warnings">> {
  assertWhole("max tokens", maxTokens, mostTokens);
  assertWhole("max items", maxItems, mostItems);
  const shown = toLazyList(differing(near(candidates)));
  if (shown.at(0) === undefined) return { text: "", tokens: 0, items: [] };
  const count = await loadTokenCount();
  const { text, tokens, pieces } = composeRecall(shown, { maxTokens, maxItems, count, sentAs });
  return {
    text,
    tokens,
    items: pieces.map(({ candidate: { root, kind, path, title, date, lines }, trimmed }) => ({
      root,
      kind,
      path,
      title,
      date,
      lines,
      trimmed,
    })),
  };
}

/** Something is always nearest in meaning: beside a note that fits, one that does not is worse than nothing. */
function* near(candidates: Iterable<RecallCandidate>): Generator<RecallCandidate> {
  let best: number | undefined;
  for (const candidate of candidates) {
    if (candidate.flagged) continue;
    best ??= candidate.score ?? 0;
    if (candidate.matches?.length !== 0 || (candidate.score ?? best) >= nearShare * best) yield candidate;
  }
}

function assertWhole(name: string, value: number, most: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= most) return;
  throw new RecollectError("INVALID_ARGUMENT", `The ${name} are a whole number from 1 to ${most}.`);
}
