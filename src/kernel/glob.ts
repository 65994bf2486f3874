/**
 * One step of a glob. Patterns are run as a set of steps that may be active at once, never as a regular
 * expression: the cost is at most length × steps, whatever somebody writes into a configuration or a clone.
 */
export type GlobStep =
  /** One character that is accepted. */
  | { readonly kind: "one"; readonly accepts: (character: string) => boolean }
  /** Any run of characters inside a segment. */
  | { readonly kind: "within" }
  /** Any run of characters, slashes too. */
  | { readonly kind: "across" }
  /** Nothing, or whole segments with the slash after each; only at the beginning of a segment. */
  | { readonly kind: "folders" };

/** Counts what matching costs, for callers that apply many patterns of unknown origin. */
export interface GlobWork {
  steps: number;
}

// `*` any characters within a segment, `**` across segments (`a/**/b` also matches `a/b`), `?` one character of a
// segment; everything else means itself. The whole text must match.
export function matchesGlob(pattern: string, text: string): boolean {
  return matchesSteps(parseGlob(pattern), text);
}

export function matchesSteps(steps: readonly GlobStep[], text: string, work?: GlobWork): boolean {
  let active = new Uint8Array(steps.length + 1);
  let next = new Uint8Array(steps.length + 1);
  active[0] = 1;
  skipEmpty(steps, active, true);
  for (const character of text) {
    next.fill(0);
    const alive = advance(steps, active, next, character);
    if (work) work.steps += steps.length;
    if (!alive) return false;
    skipEmpty(steps, next, character === "/");
    [active, next] = [next, active];
  }
  return active[steps.length] === 1;
}

export function literal(character: string): GlobStep {
  return { kind: "one", accepts: (other) => other === character };
}

export const anyInSegment: GlobStep = { kind: "one", accepts: (character) => character !== "/" };

function parseGlob(pattern: string): GlobStep[] {
  return pattern.split(/(\*+\/?)/).flatMap((part, index, parts) => {
    // Between two runs of stars lies a slash, if nothing else.
    const before = parts[index - 1] || "/";
    if (part.startsWith("*")) return starsOf(part, before.endsWith("/"));
    return [...part].map((character) => (character === "?" ? anyInSegment : literal(character)));
  });
}

function starsOf(part: string, atSegment: boolean): GlobStep[] {
  const slash = part.endsWith("/") ? [literal("/")] : [];
  if (!part.startsWith("**")) return [{ kind: "within" }, ...slash];
  return atSegment && slash.length > 0 ? [{ kind: "folders" }] : [{ kind: "across" }, ...slash];
}

/** Steps that may match nothing let the one behind them begin as well. */
function skipEmpty(steps: readonly GlobStep[], active: Uint8Array, atSegment: boolean): void {
  for (let index = 0; index < steps.length; index += 1) {
    const kind = steps[index]?.kind;
    if (!active[index] || kind === "one") continue;
    if (kind !== "folders" || atSegment) active[index + 1] = 1;
  }
}

function advance(steps: readonly GlobStep[], active: Uint8Array, next: Uint8Array, character: string): boolean {
  let alive = false;
  for (let index = 0; index < steps.length; index += 1) {
    const step = steps[index];
    if (!step || !active[index]) continue;
    if (step.kind === "one") {
      if (!step.accepts(character)) continue;
      next[index + 1] = 1;
    } else {
      if (step.kind === "within" && character === "/") continue;
      next[index] = 1;
    }
    alive = true;
  }
  return alive;
}
