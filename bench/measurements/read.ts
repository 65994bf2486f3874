import { closeSync, mkdirSync, openSync, readSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { interleave } from "../interleave.ts";
import type { Measurement, Row } from "../measurement.ts";
import { addressOf, openDocuments, stamp } from "../open-documents.ts";
import { sampleText } from "../sample-text.ts";
import type { Summary } from "../statistics.ts";
import { withWorkFolder } from "../work-folder.ts";

const rounds = { warmUp: 1000, measured: 4000 };

/** A checked read, with its revision, against what a program would call instead. */
export const read: Measurement = {
  name: "read",
  run: () =>
    withWorkFolder(async (folder) => {
      const { documents, close } = openDocuments(join(folder, "ours"));
      const bare = join(folder, "bare");
      mkdirSync(bare);
      writeFileSync(join(bare, "note.md"), sampleText("read"));
      await documents.write(addressOf("note.md"), sampleText("read"), stamp);
      await documents.write(addressOf("topics/build/note.md"), sampleText("read"), stamp);
      const times = await interleave(
        {
          ours: () => documents.read(addressOf("note.md")),
          floor: () => readFile(join(bare, "note.md"), "utf8"),
          raw: () => readRaw(join(bare, "note.md")),
          nested: () => documents.read(addressOf("topics/build/note.md")),
        },
        rounds,
      );
      await close();
      const microseconds = (milliseconds: number) => milliseconds * 1000;
      const floor = {
        name: "fs.promises.readFile",
        value: microseconds(times.floor.median),
        p90: microseconds(times.floor.p90),
      };
      const raw = { name: "open and read", value: microseconds(times.raw.median), p90: microseconds(times.raw.p90) };
      const row = (measurement: string, ours: Summary, reference: NonNullable<Row["reference"]>): Row => ({
        measurement,
        unit: "µs",
        ours: microseconds(ours.median),
        p90: microseconds(ours.p90),
        reference,
      });
      return [
        { ...row("read a document of 2 KB", times.ours, floor), limit: 3, details: times },
        { ...row("read one two folders down", times.nested, floor), limit: 3 },
        row("read a document of 2 KB", times.ours, raw),
      ];
    }),
};

/** The least that a read can cost: it blocks, checks nothing and knows the size beforehand. */
function readRaw(path: string): string {
  const descriptor = openSync(path, "r");
  const bytes = Buffer.allocUnsafe(2048);
  readSync(descriptor, bytes, 0, bytes.length, 0);
  closeSync(descriptor);
  return bytes.toString("utf8");
}
