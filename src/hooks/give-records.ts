import { type Framed, frameRecords, type Occasion } from "./frame.ts";
import type { HookHost } from "./hook-host.ts";
import type { MemoryRecord } from "./memory-record.ts";
import { plain } from "./quote.ts";
import { givenSince, keyOf } from "./session-log.ts";
import { estimateTokens, tokensLeft } from "./token-budget.ts";

const nameChars = 120;

interface GiveRequest {
  readonly occasion: Occasion;
  readonly records: readonly MemoryRecord[];
  readonly fullCount: number;
  readonly maxTokens: number;
}

/**
 * Frames records that the session was not given yet, within what its last prompts left of the budget, and puts down
 * that it was given them. Of events that run side by side, one gives a record.
 */
export function giveRecords(host: Pick<HookHost, "log" | "now">, request: GiveRequest): Framed | undefined {
  const { log, now } = host;
  const entries = log.entries();
  const given = givenSince(entries);
  const maxTokens = Math.min(request.maxTokens, tokensLeft(entries));
  const frame = (records: readonly MemoryRecord[], most: number) =>
    records.length === 0 ? undefined : frameRecords({ ...request, records, maxTokens: most, now: now() });
  const fresh = request.records.filter((record) => !given.has(keyOf(record)));
  const framed = frame(fresh, maxTokens);
  if (framed === undefined) return undefined;
  const tokens = Math.ceil(estimateTokens(framed.text) / framed.shown.length);
  const claimed = log.claimRecords(framed.shown.map(({ id, rev }) => ({ id, rev, tokens })));
  if (claimed.length === framed.shown.length) return framed;
  const keys = new Set(claimed.map(keyOf));
  const left = framed.shown.filter((record) => keys.has(keyOf(record)));
  return frame(left, left.length * tokens);
}

/** What the person sees of it. */
export function recalledNotice({ shown }: Framed, now: number): string {
  const named = shown.map(({ name, kind, date }) => `${plain(name, nameChars)} (${kind}, ${dayOf(date, now)})`);
  return `Recollect: recalled ${named.join(", ")}`;
}

/** `1 March`, and the year where it is another one. */
export function dayOf(date: string, now: number): string {
  const [year, month, day] = date.split("-").map(Number);
  if (!year || !month || !day) return date;
  const name = new Intl.DateTimeFormat("en", { month: "long", timeZone: "UTC" }).format(Date.UTC(2000, month - 1, 15));
  return `${day} ${name}${year === new Date(now).getFullYear() ? "" : ` ${year}`}`;
}
