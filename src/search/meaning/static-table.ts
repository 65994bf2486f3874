import type { Unavailable } from "./embedder.ts";
import { decodeFloat16 } from "./float16.ts";
import { createPlainRowSum, createSimdRowSum, type RowSum } from "./row-sum.ts";
import { readStaticTableFiles, type StaticTableFiles, staticTableManifest } from "./static-table-file.ts";
import { createTextTokens } from "./text-tokens.ts";
import { readVocabulary } from "./vocabulary.ts";

/** Meaning without a model: a text's vector is the sum of its tokens' rows. */
export interface StaticTable {
  readonly kind: "table";
  readonly name: string;
  readonly dims: number;
  tokens(text: string): number[];
  /** Of length 1; zeros for a text without tokens. */
  embed(text: string): Float32Array;
  /**
   * The vectors of one document's units, in their order: the mean of the unit's own and that of the unit with its two
   * neighbours. Short units, such as turns of a talk, are understood only beside each other.
   */
  unitVectors(texts: readonly string[]): Float32Array[];
  /** How much of a text the table does not know as whole words, 0 to 1: its vector is worth the less. */
  unknownShare(text: string): number;
  /** The tokens of a text without its punctuation and without what the table does not know. */
  wordTokens(text: string): number[];
  /** The row of a token, before it is scaled. */
  row(token: number): Int8Array;
  scale(token: number): number;
}

const mostTokens = 256;
const longestWord = 64;
const asciiPunctuation = "! \" # $ % & ' ( ) * + , - . / : ; < = > ? @ [ \\ ] ^ _ ` { | } ~";
/** A process that embeds a query and ends is done before the faster way is prepared. */
const fewTexts = 32;

/** Takes about 10 ms and 6 MB: for the first search or write, never for a start. */
export function loadStaticTable({ folder }: { readonly folder: string }): StaticTable | Unavailable {
  const files = readStaticTableFiles(folder);
  return files.kind === "files" ? createStaticTable(files) : files;
}

function createStaticTable({ vocabulary: words, scales, rows }: StaticTableFiles): StaticTable {
  const { name, dims } = staticTableManifest;
  const vocabulary = readVocabulary(words);
  const unknown = vocabulary.find("[UNK]");
  const rules = { splitsCamelCase: true, lowerCases: true };
  const textTokens = createTextTokens({ vocabulary, rules, longestWord, unknown });
  const tokens = (text: string) => textTokens(text, mostTokens);

  let sumRows: RowSum = createPlainRowSum({ dims, rows, scales });
  let summed = 0;

  function sumOfRows(text: string): Float32Array {
    summed++;
    if (summed === fewTexts) sumRows = createSimdRowSum(sumRows.table, mostTokens) ?? sumRows;
    return sumRows(tokens(text));
  }

  function unitVectors(texts: readonly string[]): Float32Array[] {
    const sums = texts.map(sumOfRows);
    return sums.map((own, unit) => {
      const window = own.slice();
      for (const neighbour of [sums[unit - 1], sums[unit + 1]]) {
        if (neighbour === undefined) continue;
        for (let at = 0; at < dims; at++) window[at] = (window[at] as number) + (neighbour[at] as number);
      }
      const [ownFactor, windowFactor] = [0.5 / lengthOf(own), 0.5 / lengthOf(window)];
      for (let at = 0; at < dims; at++) {
        window[at] = (own[at] as number) * ownFactor + (window[at] as number) * windowFactor;
      }
      return window;
    });
  }

  function unknownShare(text: string): number {
    const all = tokens(text);
    return all.length === 0
      ? 0
      : all.filter((row) => row === unknown || vocabulary.isContinuation(row)).length / all.length;
  }

  const punctuation = new Set(tokens(asciiPunctuation));
  const isWord = (row: number) => row !== unknown && !punctuation.has(row);

  return {
    kind: "table",
    name,
    dims,
    tokens,
    wordTokens: (text) => tokens(text).filter(isWord),
    row: (token) => sumRows.table.rows.subarray(token * dims, (token + 1) * dims),
    scale: (token) => decodeFloat16(scales[token] as number),
    embed: (text) => normalise(sumOfRows(text)),
    unitVectors,
    unknownShare,
  };
}

/** Of one without direction it is infinite, so that the vector stays zero. */
function lengthOf(vector: Float32Array): number {
  let squares = 0;
  for (let at = 0; at < vector.length; at++) squares += (vector[at] as number) ** 2;
  return squares === 0 ? Number.POSITIVE_INFINITY : Math.sqrt(squares);
}

function normalise(vector: Float32Array): Float32Array {
  const length = lengthOf(vector);
  for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] as number) / length;
  return vector;
}
