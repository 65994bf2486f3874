/**
 * What was spent on looking in vain, in units of about 50 ns. A text that asks for too much of it is refused for that.
 */
export class Effort {
  spent = 0;
  /** For the text and all that it hides together: each layer would otherwise have as much again. */
  readonly limit: number;
  #text = "";
  #start = 0;
  #end = -1;

  constructor(limit: number) {
    this.limit = limit;
  }

  /**
   * For a pattern that failed at `at`: it may have read as far as it reaches, and given all of it back; one that reads no
   * blanks no more than the run around it. A unit pays for 32 characters that are read and given back.
   */
  chargeFailure(text: string, at: number, { characters, acrossBlanks }: Reach): void {
    this.spent += 1;
    if (characters < charactersPerUnit) return;
    this.spent += (acrossBlanks ? characters : Math.min(characters, this.#runAround(text, at))) >> 5;
  }

  // The run is kept: thousands of anchors in one endless word must not each look for its end.
  #runAround(text: string, at: number): number {
    if (at < this.#start || at > this.#end || text !== this.#text) {
      this.#text = text;
      this.#start = at;
      while (this.#start > 0 && at - this.#start < maxRun && !isBlank(text, this.#start - 1)) this.#start -= 1;
      this.#end = at;
      while (this.#end < text.length && this.#end - at < maxRun && !isBlank(text, this.#end)) this.#end += 1;
    }
    return this.#end - this.#start;
  }
}

const charactersPerUnit = 32;
const maxRun = 4096;

function isBlank(text: string, at: number): boolean {
  return text.charCodeAt(at) <= 32;
}

export interface Reach {
  readonly characters: number;
  readonly acrossBlanks: boolean;
}

/**
 * At most how many characters a pattern reads: the sum of its repetitions, and of what stands between them. Too much for
 * alternatives, which cannot all be read; that only makes a failure dearer.
 */
export function reachOf(pattern: RegExp): Reach {
  let characters = pattern.source.replaceAll(/\[(?:\\.|[^\]\\])*\]|\{[^}]*\}|\(\?[:=!<]*|[()|]/g, " ").length;
  for (const [, most] of pattern.source.matchAll(/\{(?:[0-9]+,)?([0-9]+)\}/g)) characters += Number(most);
  return { characters, acrossBlanks: /\[\^\\n/.test(pattern.source) };
}
