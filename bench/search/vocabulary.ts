import { createRandom } from "./random.ts";

/** Words that come as often as words of a text do: the nth about 1/n times as often as the first. */
export interface Vocabulary {
  /** A word by how common it is, the first ones being stop words. */
  draw(random: () => number): string;
  isStopWord(word: string): boolean;
}

// The commonest words of English, in order; about four of ten words of any text are among them.
const stopWords = `the of and to in a is that for it was on are as with they be at this have from or by not but what
  all were we when your can there an which their if will do how them then these so some her would him has no who
  its about into than been may our you`
  .trim()
  .split(/\s+/);
const onsets = "b br c ch cl d dr f fl g gr h j k l m n p pl pr qu r s sc sh sl st t th tr v w".split(" ");
const vowels = "a e i o u ai ea oo ou".split(" ");
const codas = " b ck d ft g l ll m n nd ng nt p r rd rm rt s ss st t x".split(" ");
// As English has them, so that a stemmer has something to do.
const endings = ["", "", "", "", "s", "s", "ed", "ing", "er", "ion", "ly", "ness", "able", "ment"];
// Zipf's law with Mandelbrot's correction for the first ranks.
const shift = 2.7;

export function createVocabulary(size: number): Vocabulary {
  const words = makeWords(size);
  const cumulative = new Float64Array(words.length);
  let sum = 0;
  for (let rank = 0; rank < words.length; rank += 1) {
    sum += 1 / (rank + shift);
    cumulative[rank] = sum;
  }
  const known = new Set(stopWords);
  return {
    draw: (random) => words[rankAt(cumulative, random() * sum)] ?? "",
    isStopWord: (word) => known.has(word),
  };
}

function makeWords(size: number): string[] {
  const random = createRandom(7);
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? "";
  const words = new Set(stopWords);
  while (words.size < size) {
    // Rarer words are longer.
    const syllables = 1 + Math.floor(random() * (words.size < 2000 ? 2 : 3));
    let word = "";
    for (let count = 0; count < syllables; count += 1) word += pick(onsets) + pick(vowels);
    words.add(word + pick(codas) + pick(endings));
  }
  return [...words];
}

function rankAt(cumulative: Float64Array, at: number): number {
  let low = 0;
  let high = cumulative.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cumulative[middle] ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
