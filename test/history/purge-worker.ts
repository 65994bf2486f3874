import { text } from "node:stream/consumers";
import { openFilesStore } from "../../src/backends/files/store.ts";
import { openGitHistory } from "../../src/history/git/history.ts";
import { cleanDocuments } from "../../src/history/git/purge/clean-documents.ts";
import { purgeRoot } from "../../src/history/git/purge/purge.ts";
import { createDocuments } from "../../src/kernel/documents.ts";
import { toPurgeForms } from "../../src/kernel/purge-forms.ts";
import { fullAccess } from "../../src/kernel/root-policy.ts";

/** Purges a value that it reads from its input from a root, until it is done or killed. */
const [folder = ""] = process.argv.slice(2);
const forms = toPurgeForms(await text(process.stdin), "removed");
const store = openFilesStore({ now: Date.now, roots: [{ name: "notes", folder }] });
const documents = createDocuments({ roots: [{ name: "notes", policy: fullAccess, store }] });
const trail = store.trail("notes");
const history = openGitHistory({ trail, env: process.env, now: Date.now });
process.stdout.write("begun\n");
await cleanDocuments(trail, documents, forms, { author: "person:bob" });
process.stdout.write("cleaned\n");
await history.catchUp({ waitMs: 60_000 });
process.stdout.write("recorded\n");
const stamp = { author: "person:bob", time: new Date().toISOString(), fingerprint: "f00" };
await purgeRoot({ trail, env: process.env, forms, stamp });
process.stdout.write("purged\n");
await history.close();
await store.close();
