import { lstatSync } from "node:fs";

/** How often this process has each lock open, by its file. */
const open = new Map<string, number>();

/**
 * Notes a lock that this process opens. To close any other descriptor of the same file would free it, whoever holds it:
 * so nobody here may open that file by another name.
 */
export function noteOpenLock(device: bigint, inode: bigint): { closed(): void } {
  const key = keyOf(device, inode);
  open.set(key, (open.get(key) ?? 0) + 1);
  return {
    closed: () => {
      const left = (open.get(key) ?? 1) - 1;
      if (left > 0) open.set(key, left);
      else open.delete(key);
    },
  };
}

/** Whether a path is another name of a lock that is open here. Asked before it is opened. */
export function isOpenLock(path: string): boolean {
  if (open.size === 0) return false;
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stat !== undefined && open.has(keyOf(stat.dev, stat.ino));
}

function keyOf(device: bigint, inode: bigint): string {
  return `${device}:${inode}`;
}
