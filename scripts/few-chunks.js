// Bundling: what is loaded together lies in one file. By itself esbuild makes a file for each set of parts that share
// something, dozens of a few lines each, and to open them is a good part of a start.
import { dirname, relative, resolve, sep } from "node:path";

/**
 * An esbuild plugin, by what a first build without it tells. `seeds` are modules for each layer: with all of the folder
 * that they import, and no layer before it has. What lies elsewhere follows those who import it. A part is an entry, or
 * is imported when it is needed; one that has anything of a layer imports all of it: so a layer is one set to esbuild,
 * and one file.
 */
export function fewChunks(metafile, folder, seeds) {
  const graph = readGraph(metafile, folder);
  const layers = layersOf(graph, folder, seeds);
  const needs = new Map(
    [...graph.parts].map((part) => {
      const needed = graph.closureOf([part]);
      return [part, layers.flatMap((layer, at) => (layer.some((path) => needed.has(path)) ? [at] : []))];
    }),
  );
  return {
    name: "few-chunks",
    setup: (build) => {
      build.onResolve({ filter: /./ }, ({ path, resolveDir, kind, namespace }) => {
        if (namespace === "part" || !["entry-point", "dynamic-import"].includes(kind)) return undefined;
        const part = resolve(resolveDir, path);
        return (needs.get(part) ?? []).length > 0 ? { path: relative(folder, part), namespace: "part" } : undefined;
      });
      build.onLoad({ filter: /./, namespace: "part" }, ({ path }) => {
        const part = resolve(folder, path);
        const layers = needs.get(part).map((layer) => `import "layer:${layer}";`);
        return {
          contents: [...layers, `export * from ${JSON.stringify(part)};`].join("\n"),
          resolveDir: dirname(part),
        };
      });
      build.onResolve({ filter: /^layer:/ }, ({ path }) => ({ path, namespace: "layer" }));
      build.onLoad({ filter: /./, namespace: "layer" }, ({ path }) => ({
        contents: layers[Number(path.slice("layer:".length))].map((one) => `import ${JSON.stringify(one)};`).join("\n"),
        resolveDir: folder,
      }));
    },
  };
}

function readGraph({ inputs, outputs }, root) {
  const imports = new Map();
  const parts = new Set();
  for (const [path, input] of Object.entries(inputs)) {
    const inside = input.imports.filter(({ external }) => !external);
    const to = (kind) => inside.filter((one) => one.kind === kind).map((one) => resolve(root, one.path));
    imports.set(resolve(root, path), to("import-statement"));
    for (const part of to("dynamic-import")) parts.add(part);
  }
  const included = new Set();
  for (const { entryPoint, inputs: own } of Object.values(outputs)) {
    if (entryPoint !== undefined) parts.add(resolve(root, entryPoint));
    for (const [path, { bytesInOutput }] of Object.entries(own))
      if (bytesInOutput > 0) included.add(resolve(root, path));
  }
  const closureOf = (paths) => {
    const found = new Set(paths);
    for (const path of found) for (const next of imports.get(path) ?? []) found.add(next);
    return found;
  };
  return { parts, included, closureOf };
}

function layersOf({ included, closureOf }, folder, seeds) {
  const taken = new Set();
  const isOurs = (path) => path.startsWith(folder + sep) && included.has(path);
  return seeds.map((paths) => {
    const layer = [...closureOf(paths)].filter((path) => isOurs(path) && !taken.has(path));
    for (const path of layer) taken.add(path);
    return layer;
  });
}
