// Builds dist/: the library by plain tsc, the command line bundled into few files, since reading hundreds of modules is
// most of a start, and the dashboard for browsers.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, posix, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { buildDashboard } from "./build-dashboard.js";
import { directImports } from "./direct-imports.js";
import { fewChunks } from "./few-chunks.js";
import { loadedLater } from "./loaded-later.js";
import { toScripts, toStarter } from "./to-scripts.js";

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
/** Threads, and processes, that are started by the name of their file. */
const threads = {
  "regex-worker": "notes/memories/regex-worker.js",
  "model-worker": "search/meaning/model-worker.js",
};
const processes = {
  "index-builder": "search/service/index-builder.js",
  "history-recorder": "history/git/history-recorder.js",
  doctor: "care/doctor/doctor.js",
};
/** What the program of hooks loads when an event needs it. */
const hookParts = {
  "hook-memory": "hooks/hook-memory.js",
  "hook-settings": "hooks/hook-settings.js",
  "clean-text": "hooks/clean-text.js",
  "on-prompt": "hooks/on-prompt.js",
  "on-session-start": "hooks/on-session-start.js",
};
const inFresh = (path) => join(fresh, path);
const entries = (named) => Object.fromEntries(Object.entries(named).map(([name, path]) => [name, inFresh(path)]));
const bundled = {
  // Names of files are made of their paths as seen from here: so the same sources give the same files.
  absWorkingDir: fresh,
  outdir: inFresh("bin"),
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node22.13",
  alias: {
    "@modelcontextprotocol/server/_shims": join(root, "scripts/mcp-shims.js"),
    // Its other form finds its parts at run time, which a bundle has not.
    "jsonc-parser": "jsonc-parser/lib/esm/main.js",
  },
  minify: true,
  legalComments: "none",
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
};
const direct = directImports(fresh);
// Ours says that a module whose names nobody uses can be left out: not here, where whole layers are imported so.
writeFileSync(inFresh("package.json"), '{ "type": "module" }');
// For themselves: a thread shares nothing with what started it, and should load no more than it needs.
await build({ ...bundled, entryPoints: entries(threads), plugins: [direct] });
const programs = { recollect: "cli/process.js" };
const main = { ...bundled, banner: {}, entryPoints: entries({ ...programs, ...processes, ...hookParts }) };
const { metafile } = await build({ ...main, plugins: [direct], metafile: true, write: false });
const layers = [
  ["cli/process.js"],
  ["workspace/workspace.js"],
  ["cli/start-mcp-server.js", "mcp/stdio.js", "mcp/served-tools.js"],
  ["search/service/open-search.js", "search/service/agent-indexes.js"],
  ["guard/guard.js", "guard/refusal.js", "guard/invisible.js"],
  ["search/service/describe-document.js"],
];
const seeds = layers.map((paths) => paths.map(inFresh));
const plugins = [fewChunks(metafile, fresh, seeds), direct];
const { metafile: made } = await build({ ...main, plugins, metafile: true });
// Run for each prompt and each tool, it is one small file, and loads of the others only what an event needs.
const hook = { ...bundled, banner: {}, splitting: false, entryPoints: entries({ hook: "hooks/process.js" }) };
const { metafile: small } = await build({ ...hook, plugins: [direct, loadedLater(hookParts, fresh)], metafile: true });
toScripts([...Object.keys(made.outputs), ...Object.keys(small.outputs)].map(inFresh));
for (const name of Object.keys(processes)) writeFileSync(inFresh(`bin/${name}.js`), toStarter(name));
rmSync(inFresh("package.json"));
// The library starts the same ones.
for (const [name, path] of Object.entries({ ...threads, ...processes })) {
  writeFileSync(inFresh(path), `import "${posix.relative(posix.dirname(path), `bin/${name}`)}.js";\n`);
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
