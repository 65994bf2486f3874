import { createGuard } from "../../src/guard/guard.ts";
import { parseDocumentPath } from "../../src/kernel/document-path.ts";
import { createContentGuard } from "../../src/workspace/content-guard.ts";
import { type HostileText, hostileTexts, ordinaryText, plainScan } from "../../test/guard/hostile.ts";
import { interleave } from "../interleave.ts";
import type { Measurement, Row } from "../measurement.ts";

const hostileLength = 256 * 1024;
const ordinaryLength = 5 * 1024;

/**
 * The guard on texts made to slow it down, beside a plain scan of an ordinary text of the same length: that of seed 003,
 * which looks for each of its literals in lower case. And on ordinary notes, where it must not be felt.
 */
export const guard: Measurement = {
  name: "guard",
  run: async () => {
    const { scan } = createGuard({ policy: "standard", allowed: new Set() });
    const judge = await createContentGuard({ policy: "standard", allowed: () => new Set(), log: () => {} })();
    const plainText = ordinaryText(hostileLength);
    const note = ordinaryText(ordinaryLength);
    const hostile: Row[] = [];
    for (const [name, text] of slowest(hostileTexts(hostileLength), scan)) {
      const subjects = { ours: () => scan(text), plain: () => plainScan(plainText) };
      const times = await interleave(subjects, { warmUp: 5, measured: 40 });
      hostile.push({
        measurement: `guard: 256 KiB of ${name}`,
        unit: "ms",
        ours: times.ours.median,
        p90: times.ours.p90,
        reference: { name: "the seed's literals", value: times.plain.median, p90: times.plain.p90 },
        limit: 20,
        details: times,
      });
    }
    const at = { root: "memory", path: parseDocumentPath("notes/today.md") };
    const notes = await interleave(
      {
        scan: () => scan(note),
        judge: () => judge([{ at, nameBefore: at.path, before: note, after: `${note}\n- more\n` }]),
      },
      { warmUp: 200, measured: 1000 },
    );
    return [
      ...hostile,
      {
        measurement: "guard: scan 5 KB of Markdown",
        unit: "ms",
        ours: notes.scan.median,
        p90: notes.scan.p90,
        limit: 3,
      },
      {
        measurement: "guard: judge an append to 5 KB",
        unit: "ms",
        ours: notes.judge.median,
        p90: notes.judge.p90,
        limit: 3,
      },
    ];
  },
};

/** The three worst of some thousand, by their best times: by others a busy machine would choose. */
function slowest(texts: readonly HostileText[], scan: (text: string) => unknown): [string, string][] {
  const best = (text: string) =>
    Math.min(
      ...Array.from({ length: 4 }, () => {
        const start = performance.now();
        scan(text);
        return performance.now() - start;
      }),
    );
  const timed = texts.map((hostile) => ({ hostile, time: best(hostile.text) }));
  return timed
    .toSorted((a, b) => b.time - a.time)
    .slice(0, 3)
    .map(({ hostile: { name, text } }) => [name, text]);
}
