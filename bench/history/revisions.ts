import type { WrittenRevision } from "./memory-trail.ts";

const words = "cache build token queue index retry lock journal merge deploy vector limit branch schema error".split(
  " ",
);

/** Notes of twenty lines to begin with, then one line changed or added at a time: what agents do to them. */
export function* writeRevisions(documents: number, revisions: number): Generator<WrittenRevision> {
  const random = mulberry(7);
  const pick = (count: number) => Math.floor(random() * count);
  const line = () => Array.from({ length: 8 }, () => words[pick(words.length)]).join(" ");
  const texts = Array.from({ length: documents }, () => Array.from({ length: 20 }, line));
  const start = Date.parse("2026-01-01T00:00:00Z");
  for (let index = 0; index < revisions; index += 1) {
    // Each document once, then those that are written more often than others.
    const which = index < documents ? index : Math.floor(random() ** 2 * documents);
    const lines = texts[which] ?? [];
    if (index >= documents && random() < 0.5) lines.push(line());
    else if (index >= documents) lines[pick(lines.length)] = line();
    yield {
      path: `note-${which}.md`,
      text: `${lines.join("\n")}\n`,
      author: `agent:${pick(4)}`,
      time: new Date(start + index * 1000).toISOString(),
    };
  }
}

function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
