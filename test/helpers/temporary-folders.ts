import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Where temporary files lie on a disk, wherever those of the tests do: memory is no place that a user may choose. */
export const diskFolder = process.env["TEMPORARY_ON_DISK"] ?? tmpdir();

/** Called once at the top of a test file: folders of its own, gone when the file is done. */
export function temporaryFolders(parent = tmpdir()): { make(): string } {
  const made: string[] = [];
  afterAll(() => {
    // Beside a folder there may be the cache of who worked in it.
    for (const folder of made.flatMap((one) => [one, `${one}-cache`])) rmSync(folder, { recursive: true, force: true });
  });
  return {
    make: () => {
      const folder = realpathSync(mkdtempSync(join(parent, "recollect-test-")));
      made.push(folder);
      return folder;
    },
  };
}
