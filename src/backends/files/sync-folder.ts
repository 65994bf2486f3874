import { closeSync, fsyncSync, openSync } from "node:fs";

/** Has the disk keep the names in a folder. */
export function syncFolder(path: string): void {
  // Windows has no descriptor for a folder; NTFS journals the rename itself.
  if (process.platform === "win32") return;
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
