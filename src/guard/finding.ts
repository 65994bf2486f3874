import { hash } from "node:crypto";

/** What the guard says about a place. It never holds the value: findings are shown, logged and kept. */
export interface Finding {
  readonly rule: string;
  /** What it looks like, in words. */
  readonly title: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units, as editors count. */
  readonly column: number;
  readonly where: "content" | "name";
  /** It stands for all that comes after it in the text as well, which was too much to list. */
  readonly andAllAfter?: true;
  /** Stands for the value in allow-lists and comparisons. */
  readonly fingerprint: string;
}

/** 128 bits of SHA-256. The rule is part of it, so that what was allowed as one thing is not allowed as another. */
export function fingerprintOf(rule: string, value: string): string {
  return hash("sha256", `${rule}\n${value}`, "hex").slice(0, 32);
}
