import { isExistingPath } from "../../kernel/document-path.ts";
import { isObject, parseJson } from "../../kernel/json.ts";
import { isRev, type Rev } from "../../kernel/revision.ts";
import type { ChangeKind } from "../../kernel/store.ts";

/** One line of a folder's journal. Names are relative to the folder. */
export interface JournalRecord {
  readonly kind: ChangeKind;
  readonly name: string;
  readonly rev?: Rev | undefined;
  readonly was?: Rev | undefined;
  /** The other end of a move, as a path relative to the folder. */
  readonly other?: string | undefined;
  readonly time: string;
  readonly author: string;
  readonly run?: string | undefined;
  readonly reason?: string | undefined;
  readonly batch?: string | undefined;
  /** The hash that ties it to the line before; written last, and missing in lines from before there were links. */
  readonly link?: string | undefined;
}

const kinds: ReadonlySet<unknown> = new Set<ChangeKind>(["put", "append", "remove", "move"]);

/** Undefined for a header, a line that a power cut tore, and one that is none of ours: it may have come with a clone. */
export function parseRecord(line: string): JournalRecord | undefined {
  const parsed = parseJson(line);
  return isRecord(parsed) ? parsed : undefined;
}

export function isRecord(value: unknown): value is JournalRecord {
  if (!isObject(value) || !kinds.has(value["kind"]) || !isName(value["name"])) return false;
  const { rev, was, time, author, other, run, reason, batch, link } = value;
  return (
    [rev, was].every((one) => one === undefined || (typeof one === "string" && isRev(one))) &&
    [time, author].every((one) => typeof one === "string") &&
    [other, run, reason, batch, link].every((one) => one === undefined || typeof one === "string")
  );
}

/** The name of a document in its folder. */
export function isName(value: unknown): value is string {
  return typeof value === "string" && !value.includes("/") && isExistingPath(value);
}
