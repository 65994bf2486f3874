// Builds dist/: the library by plain tsc, and the command line bundled into few files, since reading
// hundreds of modules is most of a start.
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
rmSync(`${root}/dist`, { recursive: true, force: true });
execFileSync(process.execPath, [`${root}/node_modules/typescript/bin/tsc`, "-p", "tsconfig.build.json"], {
  cwd: root,
  stdio: "inherit",
});
await build({
  absWorkingDir: root,
  entryPoints: { recollect: "src/cli/process.ts", "regex-worker": "src/workspace/regex-worker.ts" },
  outdir: "dist/bin",
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
