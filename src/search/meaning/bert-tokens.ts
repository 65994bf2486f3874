import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { createTextTokens } from "./text-tokens.ts";
import { readVocabulary, type Vocabulary } from "./vocabulary.ts";

const tokenizerSchema = z.object({
  model: z.object({
    type: z.literal("WordPiece").optional(),
    vocab: z.record(z.string(), z.number().int().nonnegative()),
  }),
  normalizer: z.object({ lowercase: z.boolean().optional() }).loose().nullish(),
});
const settingsSchema = z.object({
  do_lower_case: z.boolean().optional(),
  model_max_length: z.number().positive().optional(),
});

const control = /[^\P{Cc}\t\n\r]/gu;
const longestWord = 100;

/** The tokeniser of a BERT model's folder, by its tokenizer.json or its vocab.txt: `[CLS]` pieces `[SEP]`. */
export function readBertTokens(folder: string): (text: string) => number[] {
  const settings = readJson(folder, "tokenizer_config.json", settingsSchema);
  const tokenizer = readJson(folder, "tokenizer.json", tokenizerSchema);
  const vocabulary = tokenizer === undefined ? readVocabularyFile(folder) : vocabularyOf(tokenizer.model.vocab);
  const [start, end, unknown] = [
    required(vocabulary, "[CLS]"),
    required(vocabulary, "[SEP]"),
    required(vocabulary, "[UNK]"),
  ];
  const lowerCases = tokenizer?.normalizer?.lowercase ?? settings?.do_lower_case ?? true;
  const most = Math.min(settings?.model_max_length ?? 256, 512) - 2;
  const rules = { splitsCamelCase: false, lowerCases };
  const textTokens = createTextTokens({ vocabulary, rules, longestWord, unknown });
  return (text) => [start, ...textTokens(text.replace(control, ""), most), end];
}

function readVocabularyFile(folder: string): Vocabulary {
  const file = join(folder, "vocab.txt");
  if (!existsSync(file)) throw new Error("There is neither a tokenizer.json nor a vocab.txt.");
  return readVocabulary(readFileSync(file));
}

function vocabularyOf(numbers: Readonly<Record<string, number>>): Vocabulary {
  const tokens: string[] = [];
  for (const [token, number] of Object.entries(numbers)) tokens[number] = token;
  return readVocabulary(Buffer.from(Array.from(tokens, (token) => token ?? "").join("\n")));
}

function required(vocabulary: Vocabulary, token: string): number {
  const number = vocabulary.find(token);
  if (number < 0) throw new Error(`The vocabulary has no ${token}: only models like BERT can be used.`);
  return number;
}

function readJson<Value>(folder: string, name: string, schema: z.ZodType<Value>): Value | undefined {
  const file = join(folder, name);
  return existsSync(file) ? schema.parse(JSON.parse(readFileSync(file, "utf8"))) : undefined;
}
