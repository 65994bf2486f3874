import { type Replaced, replaced } from "./positions.ts";
import type { Span } from "./rule.ts";

/** What has no shape of its own: it hides instructions from people, and tokens from scanners. */
export const invisibleRule = "invisible-character";

export interface Invisible extends Span {
  readonly title: string;
}

/** The interlinear marks are invisible too, though Unicode does not count them among the ignorable. */
const candidates = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]{1,4096}/gu;

/** Whatever those and `stripped` can meet: most texts have none of it, and are looked through once. */
const unseen = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]|[^\P{Cc}\n\r\t]/u;

/** Whether a text has characters that cannot be seen, or that steer how it is shown. */
export function mayHoldUnseen(text: string): boolean {
  return unseen.test(text);
}

/** Runs of invisible characters, less those that writing needs (GUARD-4). */
export function findInvisible(text: string, most: number): Invisible[] {
  const found: Invisible[] = [];
  // A page of emoji has the same joiner between the same two signs a thousand times.
  const judged = new Map<string, boolean>();
  const isFine = (span: Span) => {
    // Joiners and selectors stand alone or in pairs; only the flags are longer, and they have one length.
    if (span.end - span.start > 2 && span.end - span.start !== 12) return false;
    if (joinsPictographs(text, span)) return true;
    const from = Math.max(0, span.start - context);
    const place = `${span.start - from}${text.slice(from, span.end + context)}`;
    const known = judged.get(place);
    if (known !== undefined) return known;
    const fine = isNeeded(text, span);
    judged.set(place, fine);
    return fine;
  };
  for (const match of text.matchAll(candidates)) {
    const span = { start: match.index, end: match.index + match[0].length };
    if (match.index === 0 && match[0] === "\ufeff") continue;
    if (isFine(span)) continue;
    found.push({ ...span, title: titleOf(match[0]) });
    if (found.length >= most) break;
  }
  return found;
}

// The usual case, by code: a joiner between two signs of the blocks that hold nothing but pictures.
function joinsPictographs(text: string, { start, end }: Span): boolean {
  if (end - start !== 1 || text.charCodeAt(start) !== 0x200d) return false;
  const isPictograph = (code: number | undefined) => code !== undefined && code >= 0x1f300 && code <= 0x1faff;
  return isPictograph(text.codePointAt(start - 2)) && isPictograph(text.codePointAt(end));
}

// Titles name the character, not what stands around it.
function titleOf(run: string): string {
  const code = run.codePointAt(0) ?? 0;
  const kind = kinds.find(({ has }) => has.test(run))?.name ?? "an invisible character";
  return `${kind} (U+${code.toString(16).toUpperCase().padStart(4, "0")})`;
}

const kinds: readonly { name: string; has: RegExp }[] = [
  { name: "invisible tag characters", has: /[\u{e0000}-\u{e007f}]/u },
  { name: "a character that changes the reading direction", has: /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u },
  { name: "a zero-width character", has: /[\u200b-\u200d\u2060\ufeff]/u },
  { name: "a soft hyphen", has: /\u00ad/u },
  { name: "a variation selector", has: /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u },
];

interface Need {
  readonly run: RegExp;
  readonly before: RegExp;
  readonly after: RegExp;
}

function isNeeded(text: string, { start, end }: Span): boolean {
  const run = text.slice(start, end);
  const before = text.slice(Math.max(0, start - context), start);
  const after = text.slice(end, end + context);
  return needed.some((need) => need.run.test(run) && need.before.test(before) && need.after.test(after));
}

/** How much of the text on each side a need looks at: two letters, or one that takes two units and its modifier. */
const context = 4;
const anything = /(?:)/u;
// Scripts whose letters join, or that stack them with a virama, and so need a way to say where not to.
const joining = "\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Nko}\\p{Script=Mandaic}";
const stacking =
  "\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Myanmar}\\p{Script=Khmer}\\p{Script=Tibetan}";
const virama = "[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca]";
const pictograph = "[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]";

/** Each run as a whole, between what must stand on both sides of it. */
const needed: readonly Need[] = [
  // Emoji: the look of a symbol, families and professions, keycaps, the three flags that are spelt in tags.
  { run: /^[\ufe0e\ufe0f]$/u, before: /[\p{Extended_Pictographic}\p{So}\p{Sm}\p{Emoji_Modifier}]$/u, after: anything },
  { run: /^\ufe0f$/u, before: /[0-9#*]$/u, after: /^\u20e3/u },
  { run: /^\ufe0f?\u200d$/u, before: new RegExp(`${pictograph}$`, "u"), after: /^\p{Extended_Pictographic}/u },
  {
    run: /^\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}$/u,
    before: /\u{1f3f4}$/u,
    after: anything,
  },
  // Persian, Urdu, Uyghur: between two letters; the joiner also where an abbreviation ends with a joined letter.
  { run: /^\u200c$/u, before: new RegExp(`[${joining}]$`, "u"), after: new RegExp(`^[${joining}]`, "u") },
  { run: /^\u200d$/u, before: new RegExp(`[${joining}]$`, "u"), after: anything },
  { run: /^[\u200c\u200d]$/u, before: new RegExp(`[${stacking}]$`, "u"), after: new RegExp(`^[${stacking}]`, "u") },
  { run: /^[\u200c\u200d]$/u, before: new RegExp(`${virama}$`, "u"), after: /^(?:$|[^A-Za-z0-9])/u },
  // The shapes of Mongolian letters, and variants of ideographs and mathematical signs.
  { run: /^[\u180b-\u180f]$/u, before: /\p{Script=Mongolian}$/u, after: anything },
  { run: /^[\ufe00-\ufe02\u{e0100}-\u{e01ef}]$/u, before: /\p{Script=Han}$/u, after: anything },
  { run: /^\ufe00$/u, before: /\p{Sm}$/u, after: anything },
  // A soft hyphen inside a word, as pages are copied with them. It hides nothing: the scan reads the text without it.
  { run: /^\u00ad$/u, before: /\p{L}{2}$/u, after: /^\p{L}{2}/u },
];

// Only what follows ASCII can split a token; joiners between emoji stay, and cost nothing. So do line ends and tabs.
const stripped =
  /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb](?<=\p{ASCII}.)[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]{0,4096}|(?![\n\r\t])\p{Cc}/gu;

/** The text as a reader sees its tokens: without the invisible and control characters that could split one for the scan. */
export function visibleOf(text: string): Replaced {
  return replaced(text, stripped, () => "");
}
