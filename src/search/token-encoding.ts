import { countTokens } from "gpt-tokenizer/encoding/cl100k_base";

const noSpecialTokens = { disallowedSpecial: new Set<string>() };

/**
 * The one encoding that is used of the tokenizer, in a file of its own: a build puts it in here, since all of them
 * together would treble what is installed.
 */
export function countEncoded(text: string): number {
  // What looks like a mark of a chat is text here: a note may speak of `<|endoftext|>`.
  return countTokens(text, noSpecialTokens);
}
