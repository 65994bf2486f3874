// Fails for a file of src that is short and has one importer: it is part of that one, unless a list here says why not.
import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";

/** From so many lines on, a file may stand alone. */
const enough = 40;

/** Importers that list files of one kind. */
const lists = {
  "src/index.ts": "what the package exports",
  "src/app.ts": "what surfaces use",
  "src/cli/commands.ts": "a file for each command",
  "src/clients/approval/approvals-of.ts": "a file for each client",
  "src/guard/rules/all.ts": "a file for each kind of rules",
  "src/hooks/read-call.ts": "a file for each client",
  "src/http/api/api.ts": "a file for each group of routes",
  "src/mcp/server.ts": "a file for each prompt",
  "src/mcp/tools.ts": "a file for each tool",
  "src/care/doctor/diagnose.ts": "a file for each thing that doctor looks at",
};

const tooLong = "with it, its importer would be longer than 250 lines";
const later = "to be looked at";

const allowed = {
  "src/cli/init-print.ts": tooLong,
  "src/guard/rules/seed-list.ts": "the words of one rule, as data",
  "src/history/git/is-large.ts": tooLong,
  "src/history/git/verify/check-mirror.ts": tooLong,
  "src/hooks/hook-settings.ts": "loaded only where settings concern hooks: most events need none",
  "src/http/dashboard/line-marks.ts": "pure, beside a component; its test needs no page",
  "src/http/dashboard/markdown/link-target.ts": tooLong,
  "src/http/dashboard/markdown/note-worker.ts": "starts a worker",
  "src/http/dashboard/parts/notices.tsx": "a part of every screen, as those beside it",
  "src/http/security-headers.ts": "a promise of SECURITY.md, found by its name",
  "src/search/count-vectors.ts": tooLong,
  "src/search/index/memory-container.ts": "one of two containers, each in a file of its own",
  "src/search/recall/near-duplicates.ts": "when two texts say the same, apart from what fits a budget",
  "src/search/said.ts": tooLong,
  "src/search/token-encoding.ts": "the build puts the tokenizer in here",
  "src/notes/topics/check-topics.ts": tooLong,
  "src/notes/topics/tidy-topics.ts": "of topics, though sync alone asks for it; rig:sync does as well",
  "src/search/service/index-use.ts": tooLong,
  "src/workspace/own-bearer.ts": tooLong,
  "src/roots/root-place.ts": "where a root lies, apart from how a workspace is put together",
  "src/history/service/topic-entries.ts": tooLong,
  "src/backends/files/list-documents.ts": later,
  "src/backends/files/journal-tail.ts": later,
  "src/backends/postgres/ask-together.ts": later,
  "src/backends/postgres/log-place.ts": later,
  "src/backends/postgres/pipeline.ts": later,
};

const imported = /(?:\bfrom|\bimport|\bimport\(|\bnew URL\()\s*"(\.[^"]+)"/g;

const root = fileURLToPath(new URL("..", import.meta.url));
const texts = new Map(
  globSync("src/**/*.{ts,tsx}", { cwd: root }).map((file) => [
    file.replaceAll("\\", "/"),
    readFileSync(join(root, file), "utf8"),
  ]),
);
const importers = new Map([...texts.keys()].map((file) => [file, new Set()]));
for (const [file, text] of texts) {
  for (const [, path] of text.matchAll(imported)) importers.get(posix.join(posix.dirname(file), path))?.add(file);
}

const found = [...importers].flatMap(([file, [importer, ...others]]) => {
  const lines = texts.get(file).split("\n").length - 1;
  const isSmall = lines < enough && importer !== undefined && others.length === 0;
  return isSmall && !(file in allowed) && !(importer in lists) ? [{ file, lines, importer }] : [];
});
for (const { file, lines, importer } of found) console.log(`${file} has ${lines} lines and one importer: ${importer}`);
if (found.length > 0) {
  console.log("Make it part of its importer, or give the reason why it is not in scripts/small-files.js.");
  process.exitCode = 1;
}
