import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { digestOf } from "../../../src/kernel/folder-digest.ts";
import type { IndexedDocument } from "../../../src/search/index/index-change.ts";
import { openMemoryIndex } from "../../../src/search/index/open-index.ts";
import type { TermQuery } from "../../../src/search/index/query-engine.ts";
import type { SearchIndex } from "../../../src/search/index/search-index.ts";
import { someRuns } from "../../helpers/some-cases.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { engineOf, openFile, shownAs } from "./index-fixture.ts";

const folders = temporaryFolders();
/** So that most of these documents come into chunks. */
const mostInTail = 3;

const words = [
  "deploy",
  "deployed",
  "invoice",
  "kafka",
  "kanban",
  "queue",
  "größe",
  "記憶",
  "😀tail",
  "retry",
  "retries",
];
const paths = ["a.md", "b.md", "auth/login.md", "auth/token.md", "auth/ä.md", "topics/one.md", "topics/two.md", "z.md"];
const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

const unit = fc.record({
  date: fc.option(fc.constantFrom("2024-02-29", "2025-01-31", "2025-06-01"), { nil: undefined }),
  terms: fc
    .uniqueArray(fc.tuple(fc.constantFrom(...words), fc.integer({ min: 1, max: 255 })), { selector: ([word]) => word })
    .map((entries) => new Map(entries)),
});

const document: fc.Arbitrary<IndexedDocument> = fc
  .record({
    path: fc.constantFrom(...paths),
    stamp: fc.nat({ max: 5 }),
    modified: fc.integer({ min: 1_600_000_000_000, max: 1_700_000_000_000 }),
    kind: fc.constantFrom("memory" as const, "topic" as const),
    flagged: fc.boolean(),
    units: fc.array(
      fc.tuple(unit, fc.option(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 3, maxLength: 3 }))),
      {
        maxLength: 4,
      },
    ),
  })
  .map(({ units, ...rest }) => ({
    ...rest,
    folder: folderOf(rest.path),
    units: units.map(([weighed]) => weighed),
    shown: units.map((_, ordinal) => shownAs(`${rest.path} ${rest.modified} ${ordinal}`)),
    vectors: units.map(([, vector]) => (vector ? Float32Array.from(vector) : undefined)),
  }));

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("apply" as const),
      put: fc.array(document, { maxLength: 4 }),
      remove: fc.array(fc.constantFrom(...paths), { maxLength: 2 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom("reopen" as const, "maintain" as const) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("query" as const) }) },
);

const queries: readonly TermQuery[] = [
  ...words.map((word) => ({ terms: [{ term: word, weight: 1, word }], explain: true })),
  { terms: words.map((word, index) => ({ term: word, weight: 1 + index / 7, word })), explain: true },
  {
    terms: [
      { term: "deplyo", weight: 1, word: "deplyo" },
      { term: "reties", weight: 2, word: "reties" },
    ],
    explain: true,
  },
  {
    terms: [{ term: "queue", weight: 1, word: "queue" }],
    excluded: ["kafka"],
    required: [["deploy", "retry"], ["queue"]],
  },
  { terms: [], filter: { since: "2024-01-01", accepts: ({ path }) => path.startsWith("auth/") } },
  { terms: words.map((word) => ({ term: word, weight: 1, word })), filter: { until: "2025-02-01" } },
];

function answersOf(index: SearchIndex) {
  const engine = engineOf(index);
  return {
    matches: queries.flatMap((query) => [engine.match(query, 3), engine.match(query, 100)]),
    nearest: [
      engine.nearest(Float32Array.of(1, 2, -1), 4),
      engine.nearest(Float32Array.of(1, 0, 0), 50, { until: "2025-02-01" }),
    ],
  };
}

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
type Documents = Map<string, IndexedDocument>;

/** Does one step, and notes what the documents are afterwards. Answers the handle to go on with. */
function take(action: Step, handle: SearchIndex, file: string, documents: Documents): SearchIndex {
  switch (action.kind) {
    case "apply":
      handle.apply(action);
      for (const path of action.remove) documents.delete(path);
      for (const put of action.put) documents.set(put.path, put);
      return handle;
    case "maintain":
      while (handle.maintain(100));
      return handle;
    case "query":
      answersOf(handle);
      return handle;
    case "reopen":
      handle.close();
      return openFile(file, { mostInTail });
  }
}

function expectEqual(handle: SearchIndex, rebuilt: SearchIndex, documents: Documents): void {
  expect(handle.dump()).toEqual(rebuilt.dump());
  expect(answersOf(handle)).toEqual(answersOf(rebuilt));
  expect(handle.folders()).toEqual(rebuilt.folders());
  const units = [...documents.values()].reduce((sum, { units: own }) => sum + own.length, 0);
  expect(handle.counts()).toMatchObject({ documents: documents.size, units });
  for (const [folder, digest] of handle.folders()) {
    expect(digestOf([...documents.values()].filter((one) => one.folder === folder))).toBe(digest);
  }
}

test("SRCH-3 an index equals a rebuild after any sequence of changes by two processes", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(0, 1), step), { maxLength: 40 }), (steps) => {
      const file = join(folders.make(), "index");
      const handles = [openFile(file, { mostInTail }), openFile(file, { mostInTail })];
      const documents: Documents = new Map();
      for (const [who, action] of steps) handles[who] = take(action, handles[who] as SearchIndex, file, documents);
      const rebuilt = rebuiltFrom(documents);
      for (const handle of handles) expectEqual(handle, rebuilt, documents);
      for (const handle of [...handles, rebuilt]) handle.close();
    }),
    { numRuns: someRuns(40, 100) },
  );
});

function rebuiltFrom(documents: Documents): SearchIndex {
  const rebuilt = openMemoryIndex();
  rebuilt.apply({ put: [...documents.values()], remove: [] });
  return rebuilt;
}
