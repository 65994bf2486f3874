// Builds dist/: the library by plain tsc, the command line bundled into few files, since reading hundreds of modules is
// most of a start, and the dashboard for browsers.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { buildDashboard } from "./build-dashboard.js";

const root = fileURLToPath(new URL("..", import.meta.url));
// Built aside and put in place at the end: `npx` builds a checkout once more when it first runs it, and whoever is
// using the old one meanwhile must not find it gone.
const [place, fresh, old] = ["dist", `dist-${process.pid}`, `dist-old-${process.pid}`].map((name) => join(root, name));
process.once("exit", () => rmSync(fresh, { recursive: true, force: true }));
execFileSync(
  process.execPath,
  [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.build.json", "--outDir", fresh],
  { cwd: root, stdio: "inherit" },
);
/** Processes and threads that are started by the name of their file. */
const beside = {
  "regex-worker": "src/workspace/regex-worker.ts",
  "text-worker": "src/workspace/text-worker.ts",
  "model-worker": "src/search/meaning/model-worker.ts",
  "index-worker": "src/workspace/index-worker.ts",
  "index-builder": "src/workspace/index-builder.ts",
  "history-recorder": "src/workspace/history-recorder.ts",
  doctor: "src/workspace/doctor.ts",
};
await build({
  absWorkingDir: root,
  entryPoints: {
    recollect: "src/cli/process.ts",
    ...beside,
  },
  outdir: join(fresh, "bin"),
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node22.13",
  alias: {
    "@modelcontextprotocol/server/_shims": "./scripts/mcp-shims.js",
    // Its other form finds its parts at run time, which a bundle has not.
    "jsonc-parser": "jsonc-parser/lib/esm/main.js",
  },
  minify: true,
  legalComments: "none",
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
});
// The library starts the same ones.
for (const [name, source] of Object.entries(beside)) {
  const file = join(fresh, relative("src", source)).replace(/\.ts$/, ".js");
  writeFileSync(file, `import "${relative(dirname(file), join(fresh, "bin", name))}.js";\n`);
}
// The library loads one encoding of the tokenizer, when it first counts: 1 MB instead of the 27 MB of the package.
await build({
  absWorkingDir: root,
  entryPoints: ["src/search/token-encoding.ts"],
  outfile: join(fresh, "search/token-encoding.js"),
  allowOverwrite: true,
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node22.13",
  minify: true,
  legalComments: "none",
  banner: { js: "// Holds parts of gpt-tokenizer, MIT, © Bazyli Brzoska; see NOTICE." },
});
await buildDashboard(join(fresh, "dashboard"));
if (!isSame(place, fresh)) {
  if (existsSync(place)) renameSync(place, old);
  renameSync(fresh, place);
  rmSync(old, { recursive: true, force: true });
}

/** Whether two folders hold the same files. */
function isSame(left, right) {
  if (!existsSync(left)) return false;
  const names = filesIn(left);
  if (names.join("\n") !== filesIn(right).join("\n")) return false;
  return names.every((name) => readFileSync(join(left, name)).equals(readFileSync(join(right, name))));
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}
