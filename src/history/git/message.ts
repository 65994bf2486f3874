import { type ExistingPath, isExistingPath } from "../../kernel/document-path.ts";
import { isObject } from "../../kernel/json.ts";
import { isRev, type Rev } from "../../kernel/revision.ts";
import type { DocumentChange, OperationKind } from "../../kernel/root-history.ts";
import type { ChangeKind } from "../../kernel/store.ts";
import type { TrailPositions } from "../../kernel/trail.ts";

/** A line of a journal, as it is kept for ever. */
export interface KeptLine {
  readonly folder: string;
  readonly line: string;
  /** True where it had no effect. */
  readonly isVoid: boolean;
}

/** Where the recorder stood after a run: what changed since the run before, or all of it. */
export interface RunEnd {
  readonly positions: TrailPositions;
  /** How many run ends before this one are needed to know all positions; 0 where all are here. */
  readonly depth: number;
  /** True where documents that were there before recording began are still to be imported. */
  readonly isImporting?: true;
}

/** That a part of history was lost, when that was found, and with which commit it ended, as far as that was noted. */
export interface Loss {
  readonly time: string;
  readonly tip?: string;
}

/** That what was before a first commit was dropped. */
export interface CutRecord {
  /** When it was done. */
  readonly time: string;
  /** What was older than this went: so many operations. */
  readonly before: string;
  readonly operations: number;
  /** Of each folder, the links of records that went, which those that stay go on from. */
  readonly links: Readonly<Record<string, readonly string[]>>;
}

/** What a commit says of history itself. */
export interface HistoryMark {
  /** Who took a leaked value out of the commits before it, and when. */
  readonly purge?: Readonly<Record<string, string>> | undefined;
  readonly cut?: CutRecord | undefined;
  readonly lost?: Loss | undefined;
  /** Who knows of the loss before it, and since when. */
  readonly lostKnown?: { readonly author: string; readonly time: string } | undefined;
  /** The operation that it is a copy of, by its id where it was copied from. */
  readonly copied?: { readonly operation: string } | undefined;
}

/** What a commit of history says. */
export interface Message extends HistoryMark {
  readonly time: string;
  readonly author: string;
  readonly run?: string | undefined;
  readonly reason?: string | undefined;
  readonly batch?: string | undefined;
  readonly changes: readonly DocumentChange[];
  readonly lines: readonly KeptLine[];
  /** Where it tells of what was found without a record. */
  readonly sighting?: Sighting | undefined;
  readonly end?: RunEnd | undefined;
}

/** What was found without a record, as one commit. */
export interface Sighting {
  readonly kind: "outside" | "import";
  readonly time: string;
}

export const outsideAuthor = "outside";
const sectionLine = "recollect-history 1";

/** Below the words for people: one fact a line. What callers wrote stands quoted above, or as JSON. */
export function toMessage(
  parts: HistoryMark & {
    readonly subject: string;
    readonly reason?: string | undefined;
    readonly sighting?: Sighting | undefined;
    readonly changes?: readonly DocumentChange[];
    readonly lines: readonly KeptLine[];
    readonly end?: RunEnd | undefined;
  },
): string {
  const said = (parts.reason ?? "").split(/\r?\n/).filter((line) => line.trim() !== "");
  const section = [
    sectionLine,
    ...(parts.sighting ? [`seen ${JSON.stringify(parts.sighting)}`] : []),
    ...(parts.purge ? [`purge ${JSON.stringify(parts.purge)}`] : []),
    ...(parts.cut ? [`cut ${JSON.stringify(parts.cut)}`] : []),
    ...(parts.lost ? [`lost ${JSON.stringify(parts.lost)}`] : []),
    ...(parts.lostKnown ? [`lost-known ${JSON.stringify(parts.lostKnown)}`] : []),
    ...(parts.copied ? [`copied ${JSON.stringify(parts.copied)}`] : []),
    ...(parts.changes ?? []).map(({ path, rev, was, from }) => `document ${JSON.stringify({ path, rev, was, from })}`),
    ...linesOf(parts.lines),
    ...(parts.end ? [`end ${JSON.stringify(parts.end)}`] : []),
  ];
  return [
    oneLine(parts.subject),
    "",
    ...(said.length > 0 ? [...said.map((line) => `> ${oneLine(line)}`), ""] : []),
    ...section,
    "",
  ].join("\n");
}

function linesOf(lines: readonly KeptLine[]): string[] {
  let folder = "";
  return lines.flatMap((one) => {
    const move = one.folder === folder ? [] : [`in ${JSON.stringify(one.folder)}`];
    folder = one.folder;
    return [...move, `${one.isVoid ? "void" : "record"} ${one.line}`];
  });
}

/** Never two lines, and nothing that steers a terminal. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").slice(0, 1000);
}

/**
 * Undefined for a commit that is not one of ours. With `isWanted`, other documents are left out of the changes, which
 * spares the reading of thousands where a root was imported.
 */
export function parseMessage(text: string, isWanted: IsWanted = () => true): Message | undefined {
  const lines = text.split("\n");
  const start = lines.indexOf(sectionLine);
  if (start < 0) return undefined;
  const facts: Facts = { folder: "", mark: {}, changes: [], lines: [] };
  for (const line of lines.slice(start + 1)) takeFact(line, facts, isWanted);
  const by = facts.stamp ?? { author: outsideAuthor, time: facts.sighting?.time ?? "" };
  const { changes, lines: kept, sighting, end, mark } = facts;
  return { ...by, changes, lines: kept, sighting, end, ...mark };
}

type IsWanted = (path: string) => boolean;

interface Facts {
  folder: string;
  sighting?: Sighting | undefined;
  stamp?: Stamp | undefined;
  end?: RunEnd | undefined;
  mark: HistoryMark;
  readonly changes: DocumentChange[];
  readonly lines: KeptLine[];
}

function takeFact(line: string, facts: Facts, isWanted: IsWanted): void {
  const word = line.slice(0, Math.max(0, line.indexOf(" ")));
  const rest = line.slice(word.length + 1);
  switch (word) {
    case "in":
      facts.folder = asText(parse(rest));
      break;
    case "seen":
      facts.sighting = asSighting(parse(rest));
      break;
    case "document":
      facts.changes.push(...documentOf(parse(rest), facts.sighting?.kind ?? "outside", isWanted));
      break;
    case "record": {
      const record = parse(rest);
      facts.lines.push({ folder: facts.folder, line: rest, isVoid: false });
      facts.stamp ??= asStamp(record);
      facts.changes.push(...changeOf(record, facts.folder, isWanted));
      break;
    }
    case "void":
      facts.lines.push({ folder: facts.folder, line: rest, isVoid: true });
      break;
    case "purge":
      facts.mark = { ...facts.mark, purge: asTexts(parse(rest)) };
      break;
    case "cut":
      facts.mark = { ...facts.mark, cut: asCut(parse(rest)) };
      break;
    case "lost":
      facts.mark = { ...facts.mark, lost: asLoss(parse(rest)) };
      break;
    case "lost-known": {
      const { author = "", time = "" } = asTexts(parse(rest));
      facts.mark = { ...facts.mark, lostKnown: { author, time } };
      break;
    }
    case "copied":
      facts.mark = { ...facts.mark, copied: { operation: asTexts(parse(rest))["operation"] ?? "" } };
      break;
    case "end":
      facts.end = asEnd(parse(rest));
  }
}

interface Stamp {
  readonly author: string;
  readonly time: string;
  readonly run?: string;
  readonly reason?: string;
  readonly batch?: string;
}

function asStamp(record: unknown): Stamp | undefined {
  if (!isObject(record)) return undefined;
  const { author, time, run, reason, batch } = record;
  return {
    author: asText(author),
    time: asText(time),
    ...(typeof run === "string" ? { run } : {}),
    ...(typeof reason === "string" ? { reason } : {}),
    ...(typeof batch === "string" ? { batch } : {}),
  };
}

function changeOf(record: unknown, folder: string, isWanted: IsWanted): DocumentChange[] {
  if (!isObject(record)) return [];
  const path = pathIn(folder, asText(record["name"]));
  if (path === undefined || !isWanted(path)) return [];
  const from =
    record["kind"] === "move" && record["rev"] !== undefined ? pathIn(folder, asText(record["other"])) : undefined;
  const kind = record["kind"] as ChangeKind;
  return [{ path, kind, rev: asRev(record["rev"]), was: asRev(record["was"]), ...(from ? { from } : {}) }];
}

function documentOf(value: unknown, kind: OperationKind, isWanted: IsWanted): DocumentChange[] {
  const path = isObject(value) ? asText(value["path"]) : "";
  if (!isObject(value) || !isExistingPath(path) || !isWanted(path)) return [];
  const from = asText(value["from"]);
  const moved = isExistingPath(from) ? { from } : {};
  return [{ path, kind, rev: asRev(value["rev"]), was: asRev(value["was"]), ...moved }];
}

/** A name relative to a folder of the root; undefined where it leads out of it. */
function pathIn(folder: string, name: string): ExistingPath | undefined {
  const segments = folder === "" ? [] : folder.split("/");
  for (const segment of name.split("/")) {
    if (segment !== "..") segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  const path = segments.join("/");
  return isExistingPath(path) ? path : undefined;
}

function asSighting(value: unknown): Sighting | undefined {
  if (!isObject(value)) return undefined;
  return { kind: value["kind"] === "import" ? "import" : "outside", time: asText(value["time"]) };
}

function asLoss(value: unknown): Loss {
  const { time, tip } = isObject(value) ? value : {};
  return { time: asText(time), ...(typeof tip === "string" ? { tip } : {}) };
}

function asCut(value: unknown): CutRecord {
  const { time, before, operations, links } = isObject(value) ? value : {};
  const all = Object.entries(isObject(links) ? links : {});
  const texts = (given: unknown) => (Array.isArray(given) ? given.filter((one) => typeof one === "string") : []);
  return {
    time: asText(time),
    before: asText(before),
    operations: Number(operations) || 0,
    links: Object.fromEntries(all.map(([folder, given]) => [folder, texts(given)])),
  };
}

function asTexts(value: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(isObject(value) ? value : {}).map(([key, one]) => [key, asText(one)]));
}

function asEnd(value: unknown): RunEnd | undefined {
  if (!isObject(value) || !isObject(value["positions"])) return undefined;
  const importing = value["isImporting"] === true ? ({ isImporting: true } as const) : {};
  return { positions: value["positions"], depth: Number(value["depth"]) || 0, ...importing };
}

function asRev(value: unknown): Rev | undefined {
  return typeof value === "string" && isRev(value) ? value : undefined;
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
