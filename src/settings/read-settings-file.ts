import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from "node:fs";
import { hasCode, toStorageError } from "../backends/files/storage-error.ts";
import { RecollectError } from "../kernel/errors.ts";
import type { FileSetting } from "./parse-settings.ts";
import type { SettingKey } from "./settings.ts";

export interface SettingsFile {
  readonly file: string;
  /** The very bytes that were read: what the user trusts is what took effect. */
  readonly content: Buffer;
  readonly settings: ReadonlyMap<SettingKey, FileSetting>;
}

export interface SettingsFileOptions {
  readonly file: string;
  /** How messages call it: no path of the host in a message that a model may see. */
  readonly name: string;
  /**
   * A user's own file may be a link, as those who keep their dot files elsewhere have it. A project's may
   * not: a clone could have us read any file of the user as settings, and tell its words in the error.
   */
  readonly links: "follow" | "refuse";
}

export const maxSettingsFileBytes = 256 * 1024;

/** The settings in a YAML file, all of them valid; undefined where there is no such file. */
export async function readSettingsFile(options: SettingsFileOptions): Promise<SettingsFile | undefined> {
  const content = readContent(options);
  if (content === undefined) return undefined;
  const text = decode(content, options.name);
  const { parseSettings } = await import("./parse-settings.ts");
  return { file: options.file, content, settings: parseSettings(text, options.name) };
}

function readContent({ file, name, links }: SettingsFileOptions): Buffer | undefined {
  // Non-blocking: the open of a named pipe would otherwise wait for a writer, for ever.
  const noFollow = links === "refuse" ? (constants.O_NOFOLLOW ?? 0) : 0;
  try {
    const stat = lstatSync(file);
    if (stat.isSymbolicLink() && links === "refuse") throw refused(name, "is a link; put the file itself there");
    const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | noFollow);
    try {
      return readAll(descriptor, name);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
    if (hasCode(error, "EISDIR")) throw refused(name, "is a folder; it has to be a file");
    if (hasCode(error, "ELOOP")) throw refused(name, "is a link that cannot be followed");
    throw toStorageError(error, `read ${name}`);
  }
}

function readAll(descriptor: number, name: string): Buffer {
  refuseNoFile(fstatSync(descriptor), name);
  // One byte more than allowed, by reading: a size that was looked up may have changed since.
  const buffer = Buffer.alloc(maxSettingsFileBytes + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length < buffer.length; length += read) {
    read = readSync(descriptor, buffer, length, buffer.length - length, null);
  }
  if (length > maxSettingsFileBytes) throw refused(name, `is larger than ${maxSettingsFileBytes} bytes`);
  return buffer.subarray(0, length);
}

function refuseNoFile(stat: Stats, name: string): void {
  if (stat.isDirectory()) throw refused(name, "is a folder; it has to be a file");
  if (!stat.isFile()) throw refused(name, "is not an ordinary file");
}

function decode(content: Buffer, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch (error) {
    if (hasCode(error, "ERR_ENCODING_INVALID_ENCODED_DATA")) throw refused(name, "is not UTF-8 text");
    throw error;
  }
}

function refused(name: string, says: string): RecollectError {
  return new RecollectError("INVALID_ARGUMENT", `${name} ${says}.`, { data: { file: name } });
}
