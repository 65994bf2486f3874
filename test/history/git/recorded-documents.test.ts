import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blobId } from "../../../src/history/git/blob-id.ts";
import { createRecordedDocuments, type RecordedDocuments } from "../../../src/history/git/recorded-documents.ts";
import { revisionOf } from "../../../src/kernel/revision.ts";

const paths = [
  "a",
  "a/b",
  "a/b/c",
  "a/ü.md",
  "d",
  "d/e",
  "Ω/深.md",
  ...Array.from({ length: 80 }, (_, at) => `n/${at}`),
];
const path = fc.constantFrom(...paths);
const step = fc.oneof(
  fc.record({ kind: fc.constant("set" as const), path, text: fc.string({ maxLength: 2 }), hasRev: fc.boolean() }),
  fc.record({ kind: fc.constant("stamp" as const), path, stamp: fc.nat() }),
  fc.record({ kind: fc.constant("delete" as const), path }),
);

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;
type Expected = Map<string, { blob: string; rev: string | undefined; stamp: number }>;

function take(one: Step, documents: RecordedDocuments, expected: Expected): void {
  const known = expected.get(one.path);
  if (one.kind === "set") {
    const bytes = Buffer.from(one.text);
    const [blob, rev] = [blobId(bytes), one.hasRev ? revisionOf(bytes) : undefined];
    documents.set(one.path, blob, rev);
    expected.set(one.path, { blob, rev, stamp: known?.blob === blob ? known.stamp : 0 });
  } else if (one.kind === "stamp") {
    documents.setStamp(one.path, one.stamp);
    if (known) known.stamp = one.stamp;
  } else {
    documents.delete(one.path);
    expected.delete(one.path);
  }
}

const areInTheWay = (one: string, other: string) => other.startsWith(`${one}/`) || one.startsWith(`${other}/`);

describe("what history has of the documents", () => {
  it("is what was last said of each, whatever came and went", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const documents = createRecordedDocuments();
        const expected: Expected = new Map();
        for (const one of steps) take(one, documents, expected);
        const all = [...documents.all()].map(({ path: name, ...rest }) => [name, rest] as const);
        expect(new Map(all)).toEqual(expected);
        for (const one of paths) {
          const { blob, rev, stamp } = expected.get(one) ?? {};
          expect([documents.blobAt(one), documents.revAt(one), documents.stampAt(one)]).toEqual([blob, rev, stamp]);
          const inTheWay = [...expected.keys()].filter((other) => areInTheWay(one, other));
          expect([...documents.inTheWay(one)].sort()).toEqual(inTheWay.sort());
        }
      }),
    );
  });

  it("tells which of them were not seen since somebody began to look", () => {
    const documents = createRecordedDocuments();
    const blob = blobId(Buffer.from("text"));
    for (const one of ["a", "b", "c"]) documents.set(one, blob, undefined);
    documents.look();
    documents.see("b");
    documents.see("never heard of");
    expect(documents.unseen()).toEqual(["a", "c"]);
    documents.delete("a");
    documents.set("d", blob, undefined);
    expect([...documents.unseen()].sort()).toEqual(["c", "d"]);
    documents.look();
    expect([...documents.unseen()].sort()).toEqual(["b", "c", "d"]);
  });
});
