import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { toLinkedLine } from "../../src/backends/files/journal-segment.ts";
import type { ExistingPath } from "../../src/kernel/document-path.ts";
import { linkOf } from "../../src/kernel/record-chain.ts";
import { type Rev, revisionOf } from "../../src/kernel/revision.ts";
import type { Trail, TrailRecord } from "../../src/kernel/trail.ts";

export interface WrittenRevision {
  readonly path: string;
  readonly text: string;
  readonly author: string;
  readonly time: string;
}

/** A root that lies in memory, so that a hundred thousand revisions need no disk but that of history. */
export function createMemoryTrail(folder: string): Trail & { write(revision: WrittenRevision): void } {
  const bytes = new Map<string, Uint8Array>();
  const current = new Map<string, Rev>();
  const records: TrailRecord[] = [];
  let link = "";
  mkdirSync(dirname(folder), { recursive: true });
  return {
    root: "notes",
    refusal: () => undefined,
    place: () => folder,
    existingPlace: () => folder,
    isPlaceTaken: () => false,
    tooLarge: () => [],
    tryAlone: () => ({ release: () => {} }),
    records: async (after) => {
      const from = Number(after[""] ?? 0);
      const positions = from < records.length ? { "": records.length } : {};
      return { records: records.slice(from), positions, gaps: [] };
    },
    bytesOf: (_, rev) => bytes.get(rev),
    survey: () => [...current].map(([path, rev]) => ({ path, stamp: stampOf(rev) })),
    look: (path) => {
      const rev = current.get(path);
      const found = rev && bytes.get(rev);
      return rev && found ? { kind: "document", bytes: found, stamp: stampOf(rev) } : { kind: "gone" };
    },
    inspect: async () => [],
    rewrite: async () => ({ positions: {}, left: [] }),
    removeEmpty: async () => {},
    notedTip: () => undefined,
    noteTip: () => {},
    release: async () => {
      const live = new Set<string>(current.values());
      for (const rev of bytes.keys()) if (!live.has(rev)) bytes.delete(rev);
    },
    write: ({ path, text, author, time }) => {
      const content = Buffer.from(text);
      const rev = revisionOf(content);
      const was = current.get(path);
      const line = toLinkedLine({ kind: "put", name: path, rev, was, author, time }, link);
      link = linkOf(line) ?? link;
      bytes.set(rev, content);
      current.set(path, rev);
      records.push({
        path: path as ExistingPath,
        folder: "",
        kind: "put",
        rev,
        was,
        author,
        time,
        line,
        isVoid: false,
      });
    },
  };
}

function stampOf(rev: Rev): number {
  return Number.parseInt(rev.slice(0, 12), 16) + 1;
}
