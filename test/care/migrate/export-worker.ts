import { openFilesStore } from "../../../src/backends/files/store.ts";
import { exportRoots } from "../../../src/care/export/export-roots.ts";

/** Exports a folder until it is done or killed; each part is a line of its own. */
const [from = "", to = ""] = process.argv.slice(2);
const store = openFilesStore({ now: Date.now, roots: [{ name: "notes", folder: from }] });
await exportRoots({
  roots: [{ name: "notes", root: "notes", documents: store }],
  folder: to,
  onProgress: (done) => process.stdout.write(`${done}\n`),
});
await store.close();
