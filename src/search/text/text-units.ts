/** The UTF-16 units of a piece of text in an array: to read them one by one from the text costs three times as much. */
export interface TextUnits {
  values: Uint16Array;
  length: number;
  /** The same memory, made when it is first written to at once. */
  bytes: Buffer | undefined;
}

export function createTextUnits(capacity: number): TextUnits {
  return { values: new Uint16Array(capacity), length: 0, bytes: undefined };
}

const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
/** From here on one call for all of them is faster. */
const many = 24;

/** Replaces what was there. */
export function loadUnits(units: TextUnits, text: string, from: number, to: number): void {
  const length = Math.max(0, to - from);
  if (units.values.length < length) {
    units.values = new Uint16Array(Math.max(length, 2 * units.values.length));
    units.bytes = undefined;
  }
  units.length = length;
  const { values } = units;
  if (isLittleEndian && length >= many) {
    units.bytes ??= Buffer.from(values.buffer);
    units.bytes.write(text.slice(from, to), 0, 2 * length, "utf16le");
    return;
  }
  for (let at = 0; at < length; at += 1) values[at] = text.charCodeAt(from + at);
}

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
