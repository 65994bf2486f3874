import { spawnSync } from "node:child_process";
import {
  accessSync,
  chmodSync,
  constants,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const memory = "/dev/shm";
const prefix = "recollect-tests-";
const [enough, aDay] = [4 * 1024 ** 3, 24 * 60 * 60 * 1000];

/**
 * What tests write goes to memory where there is room for it: a fifth of the processor time of those that work with git is
 * the journal of a disk. What a disk keeps when the power goes is for the rigs to say.
 */
export function setup(): (() => void) | undefined {
  if (process.env["TMPDIR"] !== undefined || !isRoomy()) return undefined;
  for (const name of readdirSync(memory).filter((one) => one.startsWith(prefix))) removeIfAbandoned(join(memory, name));
  const folder = mkdtempSync(join(memory, prefix));
  // A PostgreSQL that runs as somebody else must be able to enter.
  chmodSync(folder, 0o755);
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  if (!runsPrograms(folder)) return void remove();
  process.env["TEMPORARY_ON_DISK"] = tmpdir();
  process.env["TMPDIR"] = folder;
  return remove;
}

function isRoomy(): boolean {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= enough;
  } catch {
    return false;
  }
}

/** Containers often mount it so that nothing in it can be run, and tests make programs and hooks. */
function runsPrograms(folder: string): boolean {
  const program = join(folder, "probe");
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
  return spawnSync(program).status === 0;
}

/** No run takes a day; one that was killed leaves its folder behind. */
function removeIfAbandoned(folder: string): void {
  try {
    if (Date.now() - statSync(folder).mtimeMs > aDay) rmSync(folder, { recursive: true, force: true });
  } catch {
    // Somebody else's, or gone by now.
  }
}
