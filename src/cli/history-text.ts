import type { Command } from "commander";
import {
  type HistoryOperation,
  type LocatedRecord,
  localDate,
  type MemoryHistory,
  RecollectError,
  type RestoreResult,
  type Workspace,
} from "../app.ts";
import { minuteOf, parseDay } from "./local-time.ts";
import type { Io } from "./output.ts";
import { type WorkspaceOptions, withWorkspace, withWorkspaceOptions } from "./workspace-options.ts";

export const nameHelp = "a note or lessons, such as auth/login, or one lesson, such as “build/cache › Old caches”";
export const entryHelp = "only this entry of a file of topics";
export const revHelp = "the beginning of an id in its log, or ~1 for the one before the newest";

/** So many digits of an id are shown, and enough to name it. */
const idDigits = 10;

export function historyCommand(command: Command): Command {
  return withWorkspaceOptions(command).option("--json", "answer with one JSON object");
}

export function withHistory(
  io: Io,
  options: WorkspaceOptions,
  use: (history: MemoryHistory, workspace: Workspace) => Promise<void>,
  opened: { readonly opensVanished?: boolean } = {},
): Promise<void> {
  return withWorkspace(io, options, async (workspace) => use(workspace.history, workspace), opened);
}

/** An agent may be named without “agent:” where only that author has written anything. */
export async function authorOf(history: MemoryHistory, given: string | undefined): Promise<string | undefined> {
  if (given === undefined || given.includes(":")) return given;
  for (const author of [given, `agent:${given}`]) {
    if ((await history.timeline({ author, limit: 1 })).operations.length > 0) return author;
  }
  return given;
}

/** `2026-11-15 16:40  3f2a9c1b04  agent:ada` */
export function toHead({ id, time, author }: HistoryOperation): string {
  return `${minuteOf(time)}  ${id.slice(0, idDigits)}  ${author}`;
}

/** Who, when and why, for scripts. */
export function toData({ id, time, author, run, reason, batch }: HistoryOperation) {
  return { id, time, author, run, reason, batch };
}

/** The title of the lesson that a name means, as `ci/cache › Stale cache`. */
export async function lessonIn(history: MemoryHistory, name: string | undefined): Promise<string | undefined> {
  return name?.includes("›") ? (await history.locate(name)).entry : undefined;
}

/** A day means all of it, where the person is who gives it. */
export function parseTimes({ since, until }: { readonly since?: string; readonly until?: string }) {
  return {
    ...(since === undefined ? {} : { since: parseTime(since, "first") }),
    ...(until === undefined ? {} : { until: parseTime(until, "last") }),
  };
}

export function parseTime(given: string, ofDay: "first" | "last"): string {
  const text = given === "today" ? localDate() : given;
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const time = isDay ? parseDay(text)?.[ofDay] : Date.parse(text);
  if (time !== undefined && !Number.isNaN(time)) return new Date(time).toISOString();
  const says =
    "Give times as YYYY-MM-DD, as today, or with a time of day as in 2026-01-31T12:00 or, in UTC, 2026-01-31T12:00Z.";
  throw new RecollectError("INVALID_ARGUMENT", says);
}

export function restoredText(name: string, result: RestoreResult): string {
  if (result.kind === "unchanged") return `${name} is so already.`;
  if (result.kind === "conflict") throw new RecollectError("CONFLICT", `${name} was changed meanwhile. Try again.`);
  const from = `as of ${result.from.id.slice(0, idDigits)}`;
  return result.rev === undefined ? `${name} is gone again, ${from}.` : `Restored ${name} ${from} (rev ${result.rev}).`;
}

/** What a name means, or a lesson that is named beside it. */
export async function meantBy(
  history: MemoryHistory,
  given: string,
  lesson: string | undefined,
): Promise<LocatedRecord> {
  const { at, entry } = await history.locate(given);
  return { at, entry: lesson ?? entry };
}
