const encoder = new TextEncoder();
const scratch = new Uint8Array(16_384);

/**
 * The characters of a text, until those of the next one are asked for; undefined where they are not all ASCII. To read
 * them one by one from the text costs three times as much.
 */
export function asciiCodes(text: string): Uint8Array | undefined {
  const { length } = text;
  const codes = length > scratch.length ? new Uint8Array(length) : scratch;
  const { read, written } = encoder.encodeInto(text, codes);
  return read === length && written === length ? codes : undefined;
}
