import { closeSync, constants, fsyncSync, openSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";

const createFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

/** The least that a durable replacement can cost: nothing is checked, locked or kept. */
export function writeDurably(path: string, content: string): void {
  const draft = `${path}.new`;
  const descriptor = openSync(draft, createFlags, 0o666);
  writeSync(descriptor, content);
  fsyncSync(descriptor);
  closeSync(descriptor);
  renameSync(draft, path);
  const folder = openSync(dirname(path), constants.O_RDONLY);
  fsyncSync(folder);
  closeSync(folder);
}
