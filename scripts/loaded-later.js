// Bundling: a program of its own loads its rarer parts from another build.
import { resolve } from "node:path";

/** An esbuild plugin: what is imported when it is needed is one of these parts, and stays out of the program. */
export function loadedLater(parts, folder) {
  const names = new Map(Object.entries(parts).map(([name, path]) => [resolve(folder, path), name]));
  return {
    name: "loaded-later",
    setup: (build) => {
      build.onResolve({ filter: /^\./ }, ({ path, resolveDir, kind }) => {
        if (kind !== "dynamic-import") return undefined;
        const name = names.get(resolve(resolveDir, path));
        if (name === undefined) throw new Error(`The build does not know ${path} as a part that is loaded later.`);
        return { path: `./${name}.js`, external: true };
      });
    },
  };
}
