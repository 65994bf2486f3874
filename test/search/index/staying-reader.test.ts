import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { IndexedDocument } from "../../../src/search/index/index-change.ts";
import { createRandom } from "../../guard/corpus/random.ts";
import { someRuns } from "../../helpers/some-cases.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { documentOf, openFile } from "./index-fixture.ts";
import { type Documents, expectRight, failToApply, takeSteps } from "./index-steps.ts";

const folders = temporaryFolders();

describe("a reader that stays while others write", () => {
  function world(count = 12, mostInTail = 4) {
    const file = join(folders.make(), "index");
    const [writer, reader] = [openFile(file, { mostInTail }), openFile(file, { mostInTail })];
    const documents: Documents = new Map();
    const put = (...changed: readonly IndexedDocument[]) => {
      writer.apply({ put: changed, remove: [] });
      for (const document of changed) documents.set(document.path, document);
    };
    const remove = (...paths: readonly string[]) => {
      writer.apply({ put: [], remove: paths });
      for (const path of paths) documents.delete(path);
    };
    put(
      ...Array.from({ length: count }, (_, number) => documentOf(`n${number}.md`, ["kafka lag", `kafka n${number}`])),
    );
    const check = (...terms: readonly string[]) => expectRight(file, [reader, writer], documents, terms);
    return { file, writer, reader, documents, put, remove, check };
  }

  test("SRCH-3 counts what died between two questions for a term, whatever was asked for in between", () => {
    const { remove, check } = world();
    check("kafka");
    remove("n7.md");
    check("lag");
    remove("n2.md");
    check("kafka", "lag");
    remove("n9.md", "n0.md");
    check("lag", "kafka", "n2", "n3");
  });

  test("SRCH-3 sees one state of the index as long as it reads, and the last one afterwards", () => {
    const { writer, reader, put, remove, check } = world();
    const snapshot = reader.beginReading();
    expect([snapshot.units, snapshot.entry("kafka").units]).toEqual([24, 24]);
    remove("n1.md");
    put(documentOf("n2.md", ["other"]));
    while (writer.maintain(100));
    expect([snapshot.units, snapshot.entry("kafka").units, snapshot.entry("lag").units]).toEqual([24, 24, 12]);
    reader.endReading();
    check("kafka", "lag", "other");
  });

  test("SRCH-3 is not misled by a change that was taken back, whose number another chunk gets", () => {
    const { writer, reader, put, check } = world();
    check("kafka");
    for (const index of [writer, reader]) {
      failToApply(index, [documentOf("n3.md", ["never kafka"])], ["n4.md"]);
      check("kafka", "never");
    }
    put(documentOf("n5.md", ["lag"]), documentOf("new.md", ["never again"]));
    check("kafka", "never", "lag");
  });

  test("SRCH-3 puts in order what others take out of meanwhile", () => {
    const { writer, reader, put, remove, check } = world(2000, 64);
    for (let number = 0; number < 3; number++) {
      put(...Array.from({ length: 700 }, (_, one) => documentOf(`m${number}-${one}.md`, [`w${one} kafka w${number}`])));
    }
    for (let number = 0; number < 900; number += 2) remove(`n${number}.md`);
    let steps = 0;
    for (; reader.maintain(0.01); steps++) remove(`n${steps * 2 + 1}.md`, `m1-${steps}.md`);
    expect(steps).toBeGreaterThan(0);
    check("kafka", "lag", "w1");
    while (writer.maintain(100));
    check("kafka", "lag", "w1");
  });

  test("SRCH-3 equals a new reader and a rebuild after every step of others, and of its own", () => {
    for (let seed = 1; seed <= someRuns(3, 8); seed++) takeSteps(createRandom(seed), 50, join(folders.make(), "index"));
  });
});
