import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { afterAll } from "vitest";

/**
 * A script for processes of their own, bundled into one file: a process that loads the sources one by one takes ten
 * times as long to start as what it is there for. Only for scripts whose sources look for no file beside themselves.
 */
export function workerScript(name: string, beside: string): string {
  const folder = mkdtempSync(join(tmpdir(), "recollect-worker-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, "worker.mjs");
  buildSync({
    entryPoints: [fileURLToPath(new URL(name, beside))],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node22.13",
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
  });
  return outfile;
}
