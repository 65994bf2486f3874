import { readSync } from "node:fs";
import { linkOf, withLink } from "../../kernel/record-chain.ts";
import type { JournalRecord } from "./journal-record.ts";

const newline = 0x0a;
const tailBytes = 1024;

/** The line with its link at the end, without a line end. */
export function toLinkedLine(record: JournalRecord, previous: string): string {
  const { link: _, ...bare } = record;
  return withLink(JSON.stringify(bare), previous);
}

/** The link that the next line goes on from; "" where there is none yet: the chain begins then. */
export function lastLink(descriptor: number, size: number): string {
  for (let length = tailBytes; ; length *= 8) {
    const from = Math.max(0, size - length);
    const bytes = Buffer.alloc(size - from);
    const read = readSync(descriptor, bytes, 0, bytes.length, from);
    const link = lastLinkIn(bytes.subarray(0, read), from === 0);
    if (link !== undefined || from === 0) return link ?? "";
  }
}

/** From the end: lines that have none are passed over. The first line is whole only at the beginning of the file. */
function lastLinkIn(bytes: Buffer, isWhole: boolean): string | undefined {
  for (let end = bytes.lastIndexOf(newline); end > 0; ) {
    const start = bytes.lastIndexOf(newline, end - 1);
    if (start < 0 && !isWhole) return undefined;
    const link = linkOf(bytes.toString("utf8", start + 1, end));
    if (link !== undefined) return link;
    end = start;
  }
  return undefined;
}
