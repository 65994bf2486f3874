import * as z from "zod";
import {
  type HistoryOperation,
  isRecollectError,
  type MemoryHistory,
  RecollectError,
  type Session,
} from "../../app.ts";
import type { ApiHistory } from "./contract/history.ts";
import { toRevision } from "./revision.ts";

/**
 * Where a page over several roots ended. A root without a place was not reached yet: `until` leaves out what was written
 * there since the first page. A root that is not named has nothing more.
 */
const positionShape = z.strictObject({
  until: z.iso.datetime(),
  roots: z.record(z.string(), z.string().nullable()),
});
type Position = z.infer<typeof positionShape>;

interface AllHistoryRequest {
  readonly author: string | undefined;
  readonly run: string | undefined;
  readonly limit: number;
  readonly after: string | undefined;
}

/** The newest operations of one root, of which a page takes as many as are newer than those of the others. */
interface Head {
  readonly root: string;
  readonly operations: readonly HistoryOperation[];
  readonly next: string | undefined;
  taken: number;
}

type LogOf = (root: string, limit: number) => ReturnType<MemoryHistory["log"]>;

/** What was done in all roots, newest first, page by page. */
export async function allHistory(
  { history, roots: all }: Pick<Session, "history" | "roots">,
  request: AllHistoryRequest,
): Promise<ApiHistory> {
  const { after, limit, ...filter } = request;
  const position = after === undefined ? undefined : parsePosition(after);
  const places = position?.roots ?? {};
  const recorded = all.filter(({ hasHistory }) => hasHistory).map(({ name }) => name);
  const roots = position === undefined ? recorded : recorded.filter((root) => Object.hasOwn(places, root));
  const logOf: LogOf = (root, most) => {
    const place = places[root] ?? undefined;
    const from = place === undefined ? { until: position?.until } : { after: place };
    return history.log({ root, ...filter, ...from, limit: most });
  };
  const heads = await readHeads(roots, limit, logOf);
  const revisions = takeNewest(heads, limit);
  const left = await placesLeft(heads, places, logOf);
  const until = position?.until ?? revisions[0]?.time;
  const hasMore = Object.keys(left).length > 0 && until !== undefined;
  return { revisions, next: hasMore ? toText({ until, roots: left }) : undefined };
}

async function readHeads(roots: readonly string[], limit: number, logOf: LogOf): Promise<Head[]> {
  const heads: Head[] = [];
  const failures: unknown[] = [];
  for (const root of roots) {
    try {
      heads.push({ root, ...(await logOf(root, limit)), taken: 0 });
    } catch (error) {
      // A root whose history cannot be read leaves those of the others.
      if (!isRecollectError(error) || error.code !== "STORAGE_FAILED") throw error;
      failures.push(error);
    }
  }
  if (failures.length > 0 && heads.every(({ operations }) => operations.length === 0)) throw failures[0];
  return heads;
}

async function placesLeft(heads: readonly Head[], before: Position["roots"], logOf: LogOf): Promise<Position["roots"]> {
  const left: Position["roots"] = {};
  for (const { root, operations, next, taken } of heads) {
    if (taken === 0 && operations.length > 0) {
      left[root] = before[root] ?? null;
      continue;
    }
    // Only the log itself can say where it goes on after a part of what it gave.
    const place = taken === operations.length ? next : (await logOf(root, taken)).next;
    if (place !== undefined) left[root] = place;
  }
  return left;
}

/** Each root keeps its own order, so that a page ends at one place in each, whatever the clocks of its writers said. */
function takeNewest(heads: readonly Head[], limit: number): ApiHistory["revisions"] {
  const revisions: ApiHistory["revisions"][number][] = [];
  while (revisions.length < limit) {
    let newest: Head | undefined;
    for (const head of heads) if (timeOf(head) > timeOf(newest)) newest = head;
    const operation = newest?.operations[newest.taken];
    if (newest === undefined || operation === undefined) break;
    revisions.push(toRevision(operation, newest.root));
    newest.taken += 1;
  }
  return revisions;
}

function timeOf(head: Head | undefined): number {
  const operation = head?.operations[head.taken];
  return operation === undefined ? Number.NEGATIVE_INFINITY : Date.parse(operation.time);
}

function toText(position: Position): string {
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

function parsePosition(text: string): Position {
  try {
    return positionShape.parse(JSON.parse(Buffer.from(text, "base64url").toString("utf8")));
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
    throw new RecollectError("INVALID_ARGUMENT", "No page of history ends here. Begin without “after”.", {
      data: { parameter: "after" },
    });
  }
}
