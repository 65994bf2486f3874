import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "../floor.ts";
import { interleave, type Subject } from "../interleave.ts";
import type { Measurement, Row } from "../measurement.ts";
import { addressOf, openDocuments, stamp } from "../open-documents.ts";
import { sampleText } from "../sample-text.ts";
import { withWorkFolder } from "../work-folder.ts";

const rounds = { warmUp: 500, measured: 1000 };
const line = "- one more thing that was learned\n";

/** A durable write against the bare system calls. */
export const write: Measurement = {
  name: "write",
  run: () =>
    withWorkFolder(async (folder) => {
      const { documents, close } = openDocuments(join(folder, "ours"));
      const bare = join(folder, "bare");
      mkdirSync(bare);
      const rows = [
        await compare("replace a document of 2 KB", 1.65, {
          ours: (round) => documents.write(addressOf("note.md"), sampleText(round), stamp),
          floor: (round) => writeDurably(join(bare, "note.md"), sampleText(round)),
        }),
        await compare("create a document of 2 KB", undefined, {
          ours: (round) => documents.write(addressOf(`created/${round}.md`), sampleText(round), stamp),
          floor: (round) => writeDurably(join(bare, `${round}.md`), sampleText(round)),
        }),
        // Always to a document of about two kilobytes, as the floor writes one.
        await compare("append a line to 2 KB", undefined, {
          ours: (round) => documents.append(addressOf(`created/${round}.md`), line, stamp),
          floor: (round) => writeDurably(join(bare, `${round}.md`), sampleText(round) + line),
        }),
      ];
      await close();
      return rows;
    }),
};

async function compare(
  measurement: string,
  limit: number | undefined,
  subjects: Readonly<Record<"ours" | "floor", Subject>>,
): Promise<Row> {
  const { ours, floor } = await interleave(subjects, rounds);
  return {
    measurement,
    unit: "ms",
    ours: ours.median,
    p90: ours.p90,
    reference: { name: "bare system calls", value: floor.median, p90: floor.p90 },
    ...(limit === undefined ? {} : { limit }),
    details: { ours, floor },
  };
}
