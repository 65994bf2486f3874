// Bundling: modules become scripts, which `bin/load.cjs` loads with a cache of compiled code. Only scripts can have one
// that is made after they ran.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { transformSync } from "esbuild";

/** Rewrites the files of a build, which import each other and nothing else by a relative name. */
export function toScripts(files) {
  for (const file of files) {
    const code = readFileSync(file, "utf8").replaceAll(/\bimport\(("\.\/[^"]+")\)/g, "__import($1)");
    const script = transformSync(code, {
      format: "cjs",
      platform: "node",
      target: "node22.13",
      minify: true,
      legalComments: "none",
      // As modules are without being told.
      banner: '"use strict";',
      define: { "import.meta.url": "__url" },
    });
    rmSync(file);
    writeFileSync(file.replace(/\.js$/, ".cjs"), script.code);
  }
}

/** The file by which a process of its own is started. */
export function toStarter(name) {
  return `import { createRequire } from "node:module";\ncreateRequire(import.meta.url)("../../bin/load.cjs").start("${name}");\n`;
}
