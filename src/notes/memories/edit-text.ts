import { RecollectError } from "../../kernel/errors.ts";

export const editModes = ["literal", "regex"] as const;
export type EditMode = (typeof editModes)[number];

export interface TextEdit {
  readonly needle: string;
  readonly replacement: string;
  readonly mode: EditMode;
  /** False where more than one match is a mistake. */
  readonly multiple: boolean;
}

export interface EditedText {
  readonly text: string;
  readonly count: number;
}

const maxMatches = 100_000;
/** Compiling one cannot be stopped, and takes the longer the longer it is. */
const maxRegexLength = 10_000;
/** Far over what a document may have: what is longer is a mistake, and must not fill the memory first. */
const maxLength = 16 * 1024 * 1024;

/** The text after the edit. Throws where nothing or too much matches. A regex may take for ever: see RegexRunner. */
export function editText(text: string, edit: TextEdit): EditedText {
  if (edit.needle === "") throw refused("The needle is empty. Give the text to look for.");
  return edit.mode === "literal" ? editLiterally(text, edit) : editByRegex(text, edit);
}

function editLiterally(text: string, { needle, replacement, multiple }: TextEdit): EditedText {
  const pieces = text.split(needle);
  const count = pieces.length - 1;
  assertCount(count, multiple);
  assertLength(text.length + count * (replacement.length - needle.length));
  return { text: pieces.join(replacement), count };
}

/** Match by match, with nothing kept of each but its replacement: a thread that runs out of memory ends the process. */
function editByRegex(text: string, { needle, replacement, multiple }: TextEdit): EditedText {
  const regex = toRegex(needle);
  const inside = new RegExp(regex.source, regex.flags.replace("g", ""));
  const edited: string[] = [];
  let [count, from, length] = [0, 0, text.length];
  for (const match of text.matchAll(regex)) {
    count += 1;
    if (count > maxMatches) throw refused(`The needle matches more than ${maxMatches} times. Make it longer.`);
    if (count > 1 && !multiple) continue;
    assertUnambiguous(match[0], inside);
    const replaced = expand(replacement, match, length - match[0].length);
    length += replaced.length - match[0].length;
    assertLength(length);
    edited.push(text.slice(from, match.index), replaced);
    from = match.index + match[0].length;
  }
  assertCount(count, multiple);
  return { text: edited.join("") + text.slice(from), count };
}

/**
 * Multi-line, with the dot matching newlines, as users of Serena expect. Models often write Python's spelling of
 * named groups and of flags in front, and escapes that only the older rules of JavaScript allow.
 */
function toRegex(needle: string): RegExp {
  if (needle.length > maxRegexLength) {
    throw refused(
      `A regular expression has at most ${maxRegexLength} characters. Use a shorter one, or mode “literal”.`,
    );
  }
  const [inFront = "", flags = ""] = /^\(\?([imsu]+)\)/.exec(needle) ?? [];
  const source = fromPython(needle.slice(inFront.length));
  const wanted = flags.includes("i") ? "gmsi" : "gms";
  try {
    return new RegExp(source, `${wanted}u`);
  } catch {
    return withoutUnicode(source, wanted);
  }
}

/** `\A` and `\Z` would be the letters A and Z to JavaScript. */
function fromPython(pattern: string): string {
  return pattern.replace(/\\[\s\S]|\(\?P<|\(\?P=(\w+)\)/g, (found, name: string | undefined) => {
    if (name !== undefined) return `\\k<${name}>`;
    if (found === "(?P<") return "(?<";
    if (found === "\\A") return "(?<![\\s\\S])";
    return found === "\\Z" || found === "\\z" ? "(?![\\s\\S])" : found;
  });
}

function withoutUnicode(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^.*: /, "") : "unknown";
    throw refused(`The needle is not a regular expression: ${why}. Correct it, or use mode “literal”.`, error);
  }
}

/** `.*` from one heading to the next but one: what was meant cannot be told. */
function assertUnambiguous(match: string, inside: RegExp): void {
  if (!match.includes("\n") || !inside.test(match.slice(1))) return;
  throw refused(
    "The needle is ambiguous: its match over several lines holds a further match. Use “.*?” instead of “.*”, or a longer needle.",
  );
}

function assertLength(length: number): void {
  if (length <= maxLength) return;
  throw refused(`The edit would make a text of more than ${maxLength} characters; nothing was changed.`);
}

function assertCount(count: number, multiple: boolean): void {
  if (count === 0) {
    throw refused("The needle matches nothing. Read the memory, and copy the text to replace exactly as it is there.");
  }
  if (count === 1 || multiple) return;
  // As tools call it; a surface that has another name for it knows by the data.
  const says = `The needle matches ${count} times. Make it longer so that it matches once, or set allow_multiple_occurrences.`;
  throw new RecollectError("INVALID_ARGUMENT", says, { data: { parameter: "multiple", matches: count } });
}

/** `$!1` stands for the first group; everything else, `$1` and `\1` among it, is text. */
function expand(replacement: string, match: RegExpExecArray, lengthOfOthers: number): string {
  let length = lengthOfOthers + replacement.length;
  return replacement.replace(/\$!(\d{1,2})/g, (reference, digits: string) => {
    const group = Number(digits);
    if (group >= match.length) {
      throw refused(`The replacement refers to ${reference}, but the needle has only ${match.length - 1} groups.`);
    }
    const text = match[group] ?? "";
    length += text.length;
    assertLength(length);
    return text;
  });
}

function refused(message: string, cause?: unknown): RecollectError {
  return new RecollectError("INVALID_ARGUMENT", message, { cause });
}
