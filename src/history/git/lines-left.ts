import { goesOnFrom, linkOf } from "../../kernel/record-chain.ts";
import { type CutRecord, type KeptLine, parseMessage } from "./message.ts";
import { readObjects } from "./read-objects.ts";
import type { Git } from "./run-git.ts";

/** What must stay of the records of operations that are dropped. */
export interface LinesLeft {
  /** Those that journals still hold: a journal that is read again from its beginning must find them known. */
  readonly lines: readonly KeptLine[];
  readonly links: CutRecord["links"];
}

export async function linesLeft(ids: readonly string[], onDisk: ReadonlySet<string>, git: Git): Promise<LinesLeft> {
  const lines: KeptLine[] = [];
  const links = createDroppedLinks();
  for await (const { bytes } of readObjects(ids, git)) {
    const text = bytes.toString("utf8");
    const message = parseMessage(text.slice(text.indexOf("\n\n") + 2), () => false);
    links.goOn(message?.cut?.links ?? {});
    // What was recorded after a loss goes on from nothing that is known.
    if (message?.lost) links.forget();
    for (const one of message?.lines ?? []) {
      if (onDisk.has(one.line)) {
        links.keep(one.folder);
        lines.push({ ...one, isVoid: true });
      } else links.drop(one);
    }
  }
  return { lines, links: links.all() };
}

/** Of each folder, the links of dropped records, each the last before one that stays: the chains go on from them. */
function createDroppedLinks() {
  const kept = new Map<string, readonly string[]>();
  const last = new Map<string, string>();

  function keep(folder: string): void {
    const link = last.get(folder);
    if (link !== undefined) kept.set(folder, [...(kept.get(folder) ?? []), link]);
    last.delete(folder);
  }

  return {
    keep,
    /** With those of an earlier cut. */
    goOn: (links: CutRecord["links"]) => {
      for (const [folder, given] of Object.entries(links)) kept.set(folder, given);
    },
    drop: ({ folder, line }: KeptLine) => {
      const link = linkOf(line);
      if (link === undefined) return;
      last.set(folder, link);
      const before = kept.get(folder)?.filter((one) => !goesOnFrom(one, line));
      if (before) kept.set(folder, before);
    },
    forget: () => {
      kept.clear();
      last.clear();
    },
    all: () => {
      for (const folder of [...last.keys()]) keep(folder);
      return Object.fromEntries(kept);
    },
  };
}
