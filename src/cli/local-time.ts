import { localDate } from "../app.ts";

/** A time as a person reads it: the day in their own time zone. What is no time stays as it is. `--json` keeps UTC. */
export function dayOf(time: string | number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? String(time) : localDate(date);
}

/** The same with the time of day: `2026-11-15 16:40`. */
export function minuteOf(time: string | number): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return String(time);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${localDate(date)} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The first and the last millisecond of a day that a person gives, which is one of their own time zone. */
export function parseDay(text: string): { readonly first: number; readonly last: number } | undefined {
  const [, year, month, day] = (/^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const first = new Date(year, month - 1, day);
  // The 30th of February would be a day of March.
  if (localDate(first) !== text) return undefined;
  return { first: first.getTime(), last: new Date(year, month - 1, day + 1).getTime() - 1 };
}
