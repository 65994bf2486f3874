import { exportRoots } from "../../src/migration/export-roots.ts";
import { openFilesStore } from "../../src/stores/files/files-store.ts";

/** Exports a folder until it is done or killed; each part is a line of its own. */
const [from = "", to = ""] = process.argv.slice(2);
const store = openFilesStore({ now: Date.now, roots: [{ name: "notes", folder: from }] });
await exportRoots({
  roots: [{ name: "notes", store, root: "notes", readBytes: store.readBytes }],
  folder: to,
  onProgress: (done) => process.stdout.write(`${done}\n`),
});
await store.close();
