import { mkdirSync } from "node:fs";
import { join } from "node:path";
// From the sources until the library exports it; it stands on the built documents all the same.
import { createTopics } from "../../src/notes/topics/topics.ts";
import { writeDurably } from "../floor.ts";
import { interleave } from "../interleave.ts";
import type { Measurement } from "../measurement.ts";
import { addressOf, openDocuments, stamp } from "../open-documents.ts";
import { sampleText } from "../sample-text.ts";
import { withWorkFolder } from "../work-folder.ts";

const rounds = { warmUp: 100, measured: 400 };

/** One entry into a topic of ten, where every store prunes one into the archive and looks at the index. */
export const storeEntry: Measurement = {
  name: "store-entry",
  run: () =>
    withWorkFolder(async (folder) => {
      const { documents, close } = openDocuments(join(folder, "ours"));
      const { root } = addressOf("index.md");
      const topics = createTopics({ documents, root, stamp, today: () => "2026-11-15" });
      const store = (title: string) =>
        topics.store({
          topic: "bench",
          subtopic: "entries",
          title,
          context: "PRB-7",
          problem: "The build was slow, and nobody knew why.",
          solution: "- run the tests before the build, and write down what you learn\n".repeat(4),
        });
      for (let index = 0; index < 10; index += 1) await store(`before ${index}`);
      const bare = join(folder, "bare");
      mkdirSync(bare);
      const { ours, floor } = await interleave(
        {
          ours: (round) => store(`entry ${round}`),
          floor: (round) => writeDurably(join(bare, "note.md"), sampleText(round)),
        },
        rounds,
      );
      await close();
      return [
        {
          measurement: "store an entry, prune one into the archive",
          unit: "ms",
          ours: ours.median,
          p90: ours.p90,
          reference: { name: "bare system calls", value: floor.median, p90: floor.p90 },
          limit: 6,
          details: { ours, floor },
        },
      ];
    }),
};
