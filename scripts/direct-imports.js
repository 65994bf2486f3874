// Bundling: a name that is imported from `app.ts` comes from the module that has it. Else every process would load
// whatever any other one uses of it.
import { readFileSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";

const reExport = /^export \{([^}]*)\} from "([^"]+)";/gm;
const surfaceImport = /^import \{([^}]*)\} from "((?:\.\.?\/)+app\.js)";/gm;

/** An esbuild plugin for the modules below a folder, whose `app.js` re-exports and does nothing else. */
export function directImports(folder) {
  const surface = join(folder, "app.js");
  const known = exportsOf(surface);
  return {
    name: "direct-imports",
    setup: (build) => {
      build.onLoad({ filter: /\.js$/ }, ({ path }) => {
        if (!path.startsWith(folder + sep)) return undefined;
        const contents = readFileSync(path, "utf8").replace(surfaceImport, (statement, names, from) =>
          resolve(dirname(path), from) === surface ? toImports(names, known, path) : statement,
        );
        return { contents };
      });
    },
  };
}

/** Exported name → the module that has it, and its name there. */
function exportsOf(surface) {
  const found = new Map();
  for (const [, names, from] of readFileSync(surface, "utf8").matchAll(reExport)) {
    for (const { name, alias } of namesIn(names)) found.set(alias, { name, module: resolve(dirname(surface), from) });
  }
  return found;
}

function toImports(names, known, path) {
  return namesIn(names)
    .map(({ name, alias }) => {
      const found = known.get(name);
      if (!found) throw new Error(`${path} imports ${name}, which app.ts does not export.`);
      return `import { ${found.name} as ${alias} } from ${JSON.stringify(found.module)};`;
    })
    .join(" ");
}

function namesIn(names) {
  return names
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")
    .map((name) => {
      const [own, alias = own] = name.split(/\s+as\s+/);
      return { name: own, alias };
    });
}
