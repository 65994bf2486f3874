import { lstatSync, statfsSync } from "node:fs";

/**
 * File systems of which this kernel sees every change. One that is not here is surveyed: a shared one (NFS, SMB, 9p,
 * FUSE and so on) keeps quiet about what other machines change, and those that fold case tell names in a spelling
 * that nobody listed. Overlay is here, for containers: changing its layers underneath is nothing it supports.
 */
const telling: ReadonlyMap<number, string> = new Map([
  [0xef53, "ext"],
  [0x58465342, "xfs"],
  [0x9123683e, "btrfs"],
  [0x01021994, "tmpfs"],
  [0x858458f6, "ramfs"],
  [0x794c7630, "overlay"],
  [0xf2f52010, "f2fs"],
  [0x2fc12fc1, "zfs"],
  [0xca451a4e, "bcachefs"],
  [0x3153464a, "jfs"],
  [0x73717368, "squashfs"],
  [0xe0f5e1e2, "erofs"],
]);

/** Of these, file systems on which each folder inside another is a link to that one, beside its name and its `.`. */
const counting: ReadonlySet<string> = new Set(["ext", "xfs", "tmpfs", "f2fs"]);

/** Whether a folder is known to hold no other, without a look at what it holds. */
export function hasNoFolders(path: string): boolean {
  const name = telling.get(statfsSync(path).type >>> 0);
  return name !== undefined && counting.has(name) && lstatSync(path).nlink === 2;
}

/** Whether every change in this folder is told by the kernel. */
export function tellsChanges(path: string): boolean {
  return isTelling(statfsSync(path).type);
}

export function isTelling(type: number): boolean {
  return telling.has(type >>> 0);
}
