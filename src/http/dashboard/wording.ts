import type { ApiChange } from "../api/contract/history.ts";
import type { Route } from "./route.ts";

/** Numbers, times and names as people read them. */
const numbers = new Intl.NumberFormat("en");
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const dayAndTime = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

const units = [
  ["year", 365 * 86_400],
  ["month", 30 * 86_400],
  ["week", 7 * 86_400],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

export function formatCount(count: number): string {
  return numbers.format(count);
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} KB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export function formatAgo(iso: string, now: number): string {
  const seconds = (Date.parse(iso) - now) / 1000;
  if (!Number.isFinite(seconds)) return iso;
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) return relative.format(Math.round(seconds / length), unit);
  }
  return "just now";
}

export function formatTime(iso: string): string {
  const time = Date.parse(iso);
  return Number.isFinite(time) ? dayAndTime.format(time) : iso;
}

export function formatDay(date: string): string {
  const time = Date.parse(date.slice(0, 10));
  return Number.isFinite(time) ? day.format(time) : date;
}

/** `agent:builder-7` as its kind and its name. */
export function authorParts(author: string): { readonly kind: string; readonly name: string } {
  const colon = author.indexOf(":");
  return colon === -1 ? { kind: "", name: author } : { kind: author.slice(0, colon), name: author.slice(colon + 1) };
}

/** The one of these authors that a name means; an agent's where none has it. */
export function authorNamed(name: string, known: readonly string[]): string {
  const wanted = name.toLowerCase();
  const isMeant = (author: string) =>
    author.toLowerCase() === wanted || authorParts(author).name.toLowerCase() === wanted;
  return known.find(isMeant) ?? `agent:${name}`;
}

/** Screens as people call them; of those with a place in them, what is done with it. */
const screenWords: Readonly<Record<Route["screen"], string>> = {
  overview: "Overview",
  browse: "Browse",
  read: "",
  edit: "Edit",
  new: "New note",
  history: "History",
  search: "Search",
  topics: "Topics",
  conflicts: "Conflicts",
  guard: "Guard",
  agents: "Agents and tokens",
  mem: "",
};

/** What a browser's tab is called: what it shows first, since a tab is narrow. */
export function titleOf({ screen, parts, query }: Route): string {
  const searched = screen === "search" ? query["q"] : undefined;
  const names = [searched ?? parts.at(-1) ?? "", screenWords[screen], "Recollect"];
  return names.filter((name) => name !== "").join(" · ");
}

/** What a change did to a document. */
export function changeWord(change: ApiChange): string {
  if (change.kind === "move" || change.from !== undefined) return "moved";
  if (change.rev === undefined) return "deleted";
  if (change.was === undefined) return "new";
  return change.kind === "append" ? "added to" : "changed";
}

const rootWords = {
  memories: "Named notes of this project",
  global: "Your own notes, in every project",
  topics: "What was learned, as dated entries by topic",
  bank: "The project’s central memory outside of its repository",
  templates: "Templates for the bank’s task files",
  agent: "Files of one agent alone",
} as const;

export function rootWord(kind: keyof typeof rootWords): string {
  return rootWords[kind];
}
