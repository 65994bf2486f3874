import { RecollectError } from "./errors.ts";

/** What stands in the place of a purged value in a text. */
const purgedText = "‹removed›";
/** Shorter ones stand in many words, and would take those apart. */
const leastCharacters = 6;

/** A value in all the forms in which it may be written down, and what takes its place. */
export interface PurgeForms {
  /** Every form as bytes, the longest first. */
  readonly all: readonly Buffer[];
  /** Without the value; undefined where it is not in there. */
  clean(bytes: Uint8Array): Buffer | undefined;
  cleanText(text: string): string;
  /** A path of a document whose names do not hold it. */
  cleanPath(path: string): string;
  isIn(bytes: Uint8Array): boolean;
}

/**
 * As it is, in both Unicode forms and with either line end; each also as JSON and as links write it. Not what was
 * encoded otherwise, such as base64: nobody can tell all of those.
 */
export function toPurgeForms(value: string, nameMask: string): PurgeForms {
  assertPurgeable(value);
  const plain = [value, value.normalize("NFC"), value.normalize("NFD")].flatMap((text) => [
    text,
    text.replace(/\r?\n/g, "\n"),
    text.replace(/\r?\n/g, "\r\n"),
  ]);
  const quoted = plain.map((text) => JSON.stringify(text).slice(1, -1));
  const encoded = plain.flatMap((text) => [encodeURIComponent(text), asTreeName(text)]);
  const texts = [...new Set([...plain, ...quoted, ...encoded])].sort((one, other) => other.length - one.length);
  const all = texts.map((text) => Buffer.from(text)).sort((one, other) => other.length - one.length);
  const names = [...new Set(plain)].sort((one, other) => other.length - one.length);
  const replace = (text: string, forms: readonly string[], mask: string) =>
    forms.reduce((left, form) => left.replaceAll(form, mask), text);
  return {
    all,
    clean: (bytes) => cleanBytes(bytes, all, Buffer.from(purgedText)),
    cleanText: (text) => replace(text, texts, purgedText),
    cleanPath: (path) =>
      path
        .split("/")
        .map((name) => replace(name, names, nameMask))
        .join("/"),
    isIn: (bytes) => all.some((form) => indexIn(bytes, form, 0) >= 0),
  };
}

function assertPurgeable(value: string): void {
  if (!value.isWellFormed() || [...value.trim()].length < leastCharacters) {
    throw new RecollectError(
      "INVALID_ARGUMENT",
      `A value to purge has at least ${leastCharacters} characters: a shorter one stands in many words.`,
    );
  }
  if (purgedText.includes(value.trim())) {
    throw new RecollectError("INVALID_ARGUMENT", "That is what stands in the place of a purged value.");
  }
}

/** As names are written in trees (src/history/git/tree-path.ts). */
function asTreeName(text: string): string {
  return encodeURIComponent(text).replace(/[~.!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`);
}

function cleanBytes(bytes: Uint8Array, forms: readonly Buffer[], mask: Buffer): Buffer | undefined {
  let left = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let isChanged = false;
  for (const form of forms) {
    const pieces: Buffer[] = [];
    let from = 0;
    for (let at = left.indexOf(form); at >= 0; at = left.indexOf(form, from)) {
      pieces.push(left.subarray(from, at), mask);
      from = at + form.length;
    }
    if (from === 0) continue;
    isChanged = true;
    left = Buffer.concat([...pieces, left.subarray(from)]);
  }
  return isChanged ? left : undefined;
}

function indexIn(bytes: Uint8Array, form: Buffer, from: number): number {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(form, from);
}
