import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { RecollectError } from "../app.ts";
import type { Io } from "./output.ts";

/** Where a command's text comes from: an option, a file, or standard input. */
export interface TextOptions {
  readonly content?: string;
  readonly file?: string;
}

export function withTextOptions(command: Command): Command {
  return command.option("--content <text>", "the text").option("--file <file>", "take the text from a file");
}

/** `flag` is what a file is given with. */
export async function textOf(io: Io, { content, file }: TextOptions, flag = "--file"): Promise<string> {
  if (content !== undefined && file !== undefined) {
    throw new RecollectError("INVALID_ARGUMENT", "Give the text once: --content or --file, not both.");
  }
  if (content !== undefined) return content;
  const bytes = file === undefined ? await io.readInput() : readTextFile(file, flag);
  if (!bytes) throw new RecollectError("INVALID_ARGUMENT", "No text. Pipe it in, or give --content or --file.");
  // Where scripts run there is always an input: an empty one is more often a forgotten --content than a wish.
  if (file === undefined && bytes.length === 0) {
    const says = "No text was given: standard input is empty. Where an empty text is meant, give --content ''.";
    throw new RecollectError("INVALID_ARGUMENT", says);
  }
  if (isUtf8(bytes)) return bytes.toString("utf8");
  throw new RecollectError("INVALID_CONTENT", "The text is not UTF-8. Convert it first.");
}

export function readTextFile(file: string, flag: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new RecollectError("INVALID_ARGUMENT", `The file given with ${flag} cannot be read.`, { cause: error });
  }
}
