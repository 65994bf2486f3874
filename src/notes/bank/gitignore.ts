import { anyInSegment, type GlobStep, type GlobWork, literal, matchesSteps } from "../../kernel/glob.ts";

/** What the lines of one ignore file say about a path below its folder; undefined where none of them matches. */
export type IgnoreRules = (path: string, isFolder: boolean, work?: GlobWork) => "ignored" | "included" | undefined;

/** How the text of a `.gitignore` becomes rules; another implementation may be given to the bank. */
export type ParseIgnoreFile = (text: string) => IgnoreRules;

interface Rule {
  readonly steps: readonly GlobStep[];
  readonly included: boolean;
  readonly foldersOnly: boolean;
  /** A pattern without a slash is about the last name alone. */
  readonly byName: boolean;
}

/**
 * `.gitignore` as git reads it, checked against git itself. Not by regular expressions, which is what the usual
 * package makes of it: a clone with “**\/a/**\/a/…” and folders to match kept one busy for 75 seconds a path.
 */
export function parseGitignore(text: string): IgnoreRules {
  const rules = text
    .replace(/^\u{feff}/u, "")
    .split("\n")
    .flatMap((line) => parseLine(line.endsWith("\r") ? line.slice(0, -1) : line))
    .reverse();
  return (path, isFolder, work) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const last = rules.find(
      ({ steps, foldersOnly, byName }) => (isFolder || !foldersOnly) && matchesSteps(steps, byName ? name : path, work),
    );
    return last && (last.included ? "included" : "ignored");
  };
}

function parseLine(line: string): Rule[] {
  if (line.startsWith("#")) return [];
  const included = line.startsWith("!");
  let pattern = withoutTrailingBlanks(included ? line.slice(1) : line);
  const foldersOnly = pattern.endsWith("/");
  if (foldersOnly) pattern = pattern.slice(0, -1);
  if (pattern === "") return [];
  const byName = !pattern.includes("/");
  const steps = parseSteps([...(pattern.startsWith("/") ? pattern.slice(1) : pattern)]);
  return steps ? [{ steps, included, foldersOnly, byName }] : [];
}

/** A blank after a backslash stays. */
function withoutTrailingBlanks(line: string): string {
  let end = line.length;
  while (line[end - 1] === " ") end -= 1;
  let escapes = 0;
  while (line[end - 1 - escapes] === "\\") escapes += 1;
  return line.slice(0, escapes % 2 === 1 ? end + 1 : end);
}

/** Undefined for a pattern that can match nothing: an open bracket, a backslash at the end. */
function parseSteps(characters: readonly string[]): GlobStep[] | undefined {
  const steps: GlobStep[] = [];
  for (let at = 0; at < characters.length; ) {
    const parsed = parseStep(characters, at);
    if (!parsed) return undefined;
    steps.push(parsed.step);
    at = parsed.next;
  }
  return steps;
}

interface Parsed {
  readonly step: GlobStep;
  readonly next: number;
}

function parseStep(characters: readonly string[], at: number): Parsed | undefined {
  const character = characters[at] ?? "";
  if (character === "?") return { step: anyInSegment, next: at + 1 };
  if (character === "*") return parseStars(characters, at);
  if (character === "[") return parseBracket(characters, at);
  if (character !== "\\") return { step: literal(character), next: at + 1 };
  const escaped = characters[at + 1];
  return escaped === undefined ? undefined : { step: literal(escaped), next: at + 2 };
}

/** Two stars reach across folders only where they are a segment of their own. */
function parseStars(characters: readonly string[], at: number): Parsed {
  let next = at;
  while (characters[next] === "*") next += 1;
  const alone = at === 0 || characters[at - 1] === "/";
  const after = characters[next];
  if (next - at < 2 || !alone) return { step: { kind: "within" }, next };
  if (after === "/") return { step: { kind: "folders" }, next: next + 1 };
  return { step: { kind: after === undefined ? "across" : "within" }, next };
}

const classes: Readonly<Record<string, RegExp>> = {
  alnum: /^[A-Za-z0-9]$/,
  alpha: /^[A-Za-z]$/,
  blank: /^[ \t]$/,
  cntrl: /^\p{Cc}$/u,
  digit: /^[0-9]$/,
  graph: /^[!-~]$/,
  lower: /^[a-z]$/,
  print: /^[ -~]$/,
  punct: /^[!-/:-@[-`{-~]$/,
  space: /^[ \t-\r]$/,
  upper: /^[A-Z]$/,
  xdigit: /^[A-Fa-f0-9]$/,
};

type Accepts = (character: string) => boolean;

/** `[a-z]`, `[!a]`, `[[:digit:]]`, `[]x]`, `[\]]`; never a slash. */
function parseBracket(characters: readonly string[], at: number): Parsed | undefined {
  const negated = characters[at + 1] === "!" || characters[at + 1] === "^";
  const begin = at + (negated ? 2 : 1);
  const members: Accepts[] = [];
  for (let next = begin; next < characters.length; ) {
    if (characters[next] === "]" && next > begin) {
      const accepts: Accepts = (one) => one !== "/" && members.some((member) => member(one)) !== negated;
      return { step: { kind: "one", accepts }, next: next + 1 };
    }
    const member = parseClass(characters, next) ?? parseRange(characters, next);
    if (!member) return undefined;
    members.push(member.accepts);
    next = member.next;
  }
  return undefined;
}

interface Member {
  readonly accepts: Accepts;
  readonly next: number;
}

function parseClass(characters: readonly string[], at: number): Member | undefined {
  if (characters[at] !== "[" || characters[at + 1] !== ":") return undefined;
  const close = characters.indexOf("]", at + 2);
  if (close < 0 || characters[close - 1] !== ":" || close - 1 < at + 2) return undefined;
  const known = classes[characters.slice(at + 2, close - 1).join("")];
  // git gives the whole pattern up for a class that it does not know.
  return { accepts: (one) => known?.test(one) ?? false, next: known ? close + 1 : characters.length };
}

function parseRange(characters: readonly string[], at: number): Member | undefined {
  const low = parseMember(characters, at);
  if (!low) return undefined;
  const isRange = characters[low.next] === "-" && ![undefined, "]"].includes(characters[low.next + 1]);
  if (!isRange) return { accepts: (one) => one === low.character, next: low.next };
  const high = parseMember(characters, low.next + 1);
  if (!high) return undefined;
  const [from, to] = [codeOf(low.character), codeOf(high.character)];
  return { accepts: (one) => codeOf(one) >= from && codeOf(one) <= to, next: high.next };
}

function parseMember(characters: readonly string[], at: number): { character: string; next: number } | undefined {
  const escaped = characters[at] === "\\";
  const character = characters[escaped ? at + 1 : at];
  return character === undefined ? undefined : { character, next: at + (escaped ? 2 : 1) };
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}
