import type { Finding } from "../guard/finding.ts";
import { createGuard, type Guard, type GuardPolicy } from "../guard/guard.ts";
import { type SideBySideRow, sideBySide } from "../history/merge/side-by-side.ts";

export interface ComparedTexts {
  readonly rows: readonly SideBySideRow[];
  readonly more: number;
}

/** What is done with texts, and takes its time where they are long. */
export interface TextWork {
  /** What the guard finds in a text, whatever somebody allowed. */
  scan(text: string, policy: GuardPolicy): readonly Finding[];
  /** Two texts side by side: the first rows, and how many more there are. */
  compare(before: string, after: string, most: number): ComparedTexts;
}

export function createTextWork(): TextWork {
  // One for each policy: its table of anchors takes a few milliseconds to build.
  const guards = new Map<GuardPolicy, Guard>();
  return {
    scan: (text, policy) => {
      const guard = guards.get(policy) ?? createGuard({ policy, allowed: new Set() });
      guards.set(policy, guard);
      return guard.scan(text);
    },
    compare: (before, after, most) => {
      const rows = sideBySide(before, after);
      return { rows: rows.slice(0, most), more: Math.max(0, rows.length - most) };
    },
  };
}
