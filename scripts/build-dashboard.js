// What a browser loads of the dashboard: a page, a style sheet and a script, and a worker that takes notes apart, which comes
// when the first one is opened.
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const source = fileURLToPath(new URL("../src/http/dashboard", import.meta.url));

/** @param {string} folder where it is put */
export async function buildDashboard(folder) {
  await build({
    absWorkingDir: source,
    entryPoints: [
      { in: "main.tsx", out: "app" },
      { in: "markdown/note-worker.ts", out: "note-worker" },
      { in: "styles/app.css", out: "app" },
    ],
    outdir: folder,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "browser",
    target: "es2024",
    jsx: "automatic",
    jsxImportSource: "preact",
    chunkNames: "[name]-[hash]",
    minify: true,
    legalComments: "none",
    banner: { js: "// Holds preact and marked, MIT; see NOTICE." },
  });
  copyFileSync(join(source, "index.html"), join(folder, "index.html"));
}
