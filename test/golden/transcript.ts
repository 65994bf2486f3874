import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";

/** What differs from run to run stands in a transcript by what it is. */
export interface Varying {
  /** Folders and origins of this run, the longer before the shorter. */
  readonly places: readonly (readonly [value: string, name: string])[];
}

const recorded = process.env["RECOLLECT_WRITE_GOLDEN"] !== undefined;

/** The steps of a session with their answers, as one text. */
export function createTranscript({ places }: Varying) {
  const lines: string[] = [];
  /** Ids are numbered in the order in which they come, so that one that stays the same can be followed. */
  const ids = new Map<string, string>();
  const numbered = (kind: string) => (found: string) => {
    const known =
      ids.get(found) ?? `<${kind} ${[...ids.values()].filter((one) => one.startsWith(`<${kind} `)).length + 1}>`;
    ids.set(found, known);
    return known;
  };
  const settle = (text: string) => {
    const placed = places.reduce((result, [value, name]) => result.replaceAll(value, name), text);
    return placed
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g, "<time>")
      .replaceAll(/person:[\w.-]+/g, "person:<user>")
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, numbered("batch"))
      .replaceAll(new RegExp(today(), "g"), "<today>")
      .replaceAll(/"(?:modified|score)": ?[0-9.]+/g, (found) => found.replace(/[0-9.]+$/, "<number>"))
      .replaceAll(/(?<=\b(?:run|id|operation|session)"?: ?"?)[0-9a-f]{8,40}\b/g, numbered("id"));
  };
  return {
    add(step: string, answer: unknown): void {
      const text = typeof answer === "string" ? answer : JSON.stringify(answer, null, 1);
      lines.push(`> ${settle(step)}`, settle(text).trimEnd(), "");
    },
    /** Compares with the file of this name, or makes it where `RECOLLECT_WRITE_GOLDEN` is set. */
    expectSame(name: string): void {
      const file = join(import.meta.dirname, name);
      const text = lines.join("\n");
      if (recorded || !existsSync(file)) writeFileSync(file, text);
      expect(text).toBe(readFileSync(file, "utf8"));
    },
  };
}

function today(): string {
  const now = new Date();
  const two = (number: number) => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
