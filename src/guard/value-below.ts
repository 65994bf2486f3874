import { isSaidSecret } from "./plausible-value.ts";
import type { Effort, Span } from "./rule.ts";
import { isChosen, type WordKind } from "./secret-words.ts";
import { isRandom } from "./variety.ts";
import { isNamed } from "./wordiness.ts";

/** What may follow the word in its heading, label or question: “for the demo tenant:”. */
const restOfLabel = /[^\n.!;|`"=]{0,56}\r?\n/y;
const longestLabel = 60;
const isLabel = /[:：?？*]\s{0,4}$/;
const isHeading = /^[ \t>]{0,4}(?:#{1,6}[ \t]|<h[1-6]>|\*\*|__|==)/;
const behind = 72;
/** Empty lines, the line that opens a block of code, and what stands before the value in its own line. */
const opening =
  /(?:[ \t>]{0,8}\r?\n){0,2}(?:[ \t>]{0,8}(?:```|~~~)[a-z]{0,12}[ \t]{0,4}\r?\n)?[ \t>]{0,16}(?:[-*+•→][ \t]{1,4})?(?:\[[\d:. /-]{4,20}\][ \t]{0,2})?(?:<[^\n<>\s]{1,24}>[ \t]{0,2}|[\p{L}\d_.-]{1,20}(?: [\p{L}\d:.]{1,12})?[ \t]{0,2}[:：>][ \t]{1,4})?/uy;
const line = /["'`*(]{0,3}([^\s"'`]{6,256}?)["'`*).,;]{0,4}[ \t]{0,4}(?:\r?\n|$)/y;

/**
 * The value on the line below a heading, a label or a question: “## API token”, “Password for the demo tenant:”, “What is
 * the password?”. It stands there alone, perhaps in a block of code or behind the name of the one that answers.
 */
export function valueBelow(text: string, at: number, kind: WordKind, effort: Effort): Span | undefined {
  // Most such words stand in the middle of a line, and an expression would go back over what it read.
  if (kind === "login" || !text.slice(at, at + longestLabel).includes("\n")) return undefined;
  restOfLabel.lastIndex = at;
  const rest = restOfLabel.exec(text)?.[0];
  if (rest === undefined) return undefined;
  effort.spent += 3;
  const lead = text.slice(Math.max(0, at - behind), at);
  if (!isLabel.test(rest) && !isHeading.test(lead.slice(lead.lastIndexOf("\n") + 1))) return undefined;
  opening.lastIndex = at + rest.length;
  const from = at + rest.length + (opening.exec(text)?.[0].length ?? 0);
  line.lastIndex = from;
  const found = line.exec(text);
  effort.spent += 16;
  const value = found?.[1];
  if (!found || value === undefined || !isAlone(value, kind)) return undefined;
  const start = from + found[0].indexOf(value);
  return { start, end: start + value.length };
}

function isAlone(value: string, kind: WordKind): boolean {
  if (/^[-\w.+]{1,40}[:=]|^[^\s@]{1,64}@[\w-]{1,60}\.\w/.test(value)) return false;
  if (isNamed(value) && !/[A-Za-z][!@#$%&*?+~^].{0,60}[0-9]/.test(value)) return false;
  if (kind === "pin") return /^[0-9]{4,10}$/.test(value);
  return (isChosen(kind) || isRandom(value)) && isSaidSecret(value, kind, { standing: "linked", last: true });
}
