import type { Finding } from "../guard/finding.ts";
import type { Guard, GuardPolicy } from "../guard/guard.ts";
import type { SideBySideRow } from "../history/merge/side-by-side.ts";

interface ComparedTexts {
  readonly rows: readonly SideBySideRow[];
  readonly more: number;
}

export interface TextWork {
  /** What the guard finds in a text, whatever a user allowed. */
  scan(text: string, policy: GuardPolicy): Promise<readonly Finding[]>;
  /** Two texts side by side: the first rows, and how many more there are. */
  compare(before: string, after: string, most: number): Promise<ComparedTexts>;
}

/** Both are loaded when they are first needed: a start has no texts to look at. */
export function createTextWork(): TextWork {
  // One for each policy: its table of anchors takes a few milliseconds to build.
  const guards = new Map<GuardPolicy, Guard>();
  return {
    scan: async (text, policy) => {
      const { createGuard } = await import("../guard/guard.ts");
      const guard = guards.get(policy) ?? createGuard({ policy, allowed: new Set() });
      guards.set(policy, guard);
      return guard.scan(text);
    },
    compare: async (before, after, most) => {
      const { sideBySide } = await import("../history/merge/side-by-side.ts");
      const rows = sideBySide(before, after);
      return { rows: rows.slice(0, most), more: Math.max(0, rows.length - most) };
    },
  };
}
