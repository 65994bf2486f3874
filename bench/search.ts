import { parseArgs } from "node:util";
import type { Row } from "./measurement.ts";
import { finish } from "./report.ts";
import { createCorpus } from "./search/corpus.ts";
import { measureAfterWrite } from "./search/measure-after-write.ts";
import { measureFirstAnswer } from "./search/measure-first-answer.ts";
import { measureSpeed } from "./search/measure-speed.ts";
import { makePlace } from "./search/place.ts";
import { printTable } from "./table.ts";
import { withWorkFolder } from "./work-folder.ts";

const { values } = parseArgs({
  options: {
    check: { type: "boolean" },
    long: { type: "boolean" },
    sizes: { type: "string" },
    queries: { type: "string", default: "1000" },
  },
});
const usual = values.long ? [1000, 10_000, 100_000, 1_000_000] : [1000, 10_000, 100_000];
const sizes = values.sizes?.split(",").map(Number) ?? usual;
/** Where a project with many notes is, and a small fault in how changes are noticed would show. */
const closerLook = 10_000;

const rows: Row[] = [];
for (const size of sizes) {
  const corpus = createCorpus(size);
  await withWorkFolder(async (folder) => {
    console.error(`Writing ${size.toLocaleString("en")} notes …`);
    const place = await makePlace(folder, notesOf(size, corpus.note));
    console.error("Measuring …");
    const found = await measureSpeed(place, folder, corpus, Number(values.queries));
    if (size === closerLook) {
      found.push(...(await measureFirstAnswer(place, corpus)));
      found.push(...(await measureAfterWrite(place, corpus)));
    }
    printTable(found);
    rows.push(...found);
  });
}
finish("search", rows, { check: values.check ?? false });

function* notesOf<Note>(count: number, note: (index: number) => Note): Iterable<Note> {
  for (let index = 0; index < count; index += 1) yield note(index);
}
