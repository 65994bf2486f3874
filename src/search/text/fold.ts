/** Letters that no decomposition takes apart. */
const unfolded: ReadonlyMap<string, string> = new Map([
  ["ß", "ss"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["ø", "o"],
  ["ł", "l"],
  ["đ", "d"],
  ["ð", "d"],
  ["þ", "th"],
  ["ı", "i"],
  ["ς", "σ"],
]);
const special = /[ßæœøłđðþıς]/g;
// Accents of Latin, Greek and Cyrillic letters; the points of Hebrew and Arabic, which most texts leave out. Vowels of
// Indic scripts are marks too, and stay.
const accents = /[\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u065f\u0670\u00ad\u200b-\u200d\u2060\ufeff]/g;

/** Lower case, without accents, full width or ligatures. */
export function fold(word: string): string {
  const lower = word.toLowerCase();
  if (isAscii(lower)) return lower;
  return lower
    .normalize("NFKD")
    .replace(accents, "")
    .replace(special, (letter) => unfolded.get(letter) ?? letter)
    .normalize("NFC");
}

const umlauts: ReadonlyMap<string, string> = new Map([
  ["ä", "ae"],
  ["ö", "oe"],
  ["ü", "ue"],
]);

/** As it is written where there are no umlauts on the keyboard; undefined for a word without any. */
export function spelledOut(word: string): string | undefined {
  if (isAscii(word)) return undefined;
  const lower = word.toLowerCase().normalize("NFC");
  const spelled = lower.replace(/[äöü]/g, (letter) => umlauts.get(letter) ?? letter);
  return spelled === lower ? undefined : fold(spelled);
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 127) return false;
  return true;
}
