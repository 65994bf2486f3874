import { revisionOf } from "./revision.ts";

/**
 * Each record ends with a link: the hash of the link before it and of the record itself without its link. One that was
 * changed, taken out or put elsewhere breaks the chain (docs/FORMAT.md).
 */
const linked = /,"link":"([0-9a-f]{32})"\}$/;

/** Undefined for lines from before there were links, and for those that a power cut tore. */
export function linkOf(line: string): string | undefined {
  return linked.exec(line)?.[1];
}

/** Where the chain of a new journal begins. */
export function firstLink(journal: string): string {
  return revisionOf(Buffer.from(journal));
}

/** A record as JSON, with its link at the end. */
export function withLink(text: string, previous: string): string {
  return `${text.slice(0, -1)},"link":"${nextLink(previous, text)}"}`;
}

/** The record without its link, as it was hashed. */
export function withoutLink(line: string): string {
  return line.replace(linked, "}");
}

/** Whether a line goes on from this link. */
export function goesOnFrom(previous: string, line: string): boolean {
  const link = linkOf(line);
  return link !== undefined && nextLink(previous, withoutLink(line)) === link;
}

function nextLink(previous: string, lineWithoutLink: string): string {
  return revisionOf(Buffer.from(previous + lineWithoutLink));
}
