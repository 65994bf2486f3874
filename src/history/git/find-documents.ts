import { isExistingPath } from "../../kernel/document-path.ts";
import type { Trail } from "../../kernel/trail.ts";
import type { Pace } from "../pace.ts";
import { blobId } from "./blob-id.ts";
import type { RecordedDocuments } from "./recorded-documents.ts";

export interface FoundDocument {
  readonly blob: string;
  /** 0 where it was changed so lately that a later change could look the same. */
  readonly stamp: number;
}

/**
 * What is there now and is not as history has it, or is about to be something else there: `written` has records.
 * Documents that look as they did when they were recorded are not read; those that are so are marked as seen.
 */
export async function findDocuments(
  trail: Trail,
  documents: RecordedDocuments,
  { written, pace }: { readonly written: ReadonlySet<string>; readonly pace: Pace },
): Promise<Map<string, FoundDocument>> {
  const found = new Map<string, FoundDocument>();
  documents.look();
  for (const { path, stamp } of trail.survey()) {
    if (documents.stampAt(path) === stamp && !written.has(path)) {
      documents.see(path);
    } else {
      const look = isExistingPath(path) ? trail.look(path) : undefined;
      if (look?.kind === "document") take(path, { blob: blobId(look.bytes), stamp: look.stamp });
    }
    const rest = pace.turn();
    if (rest) await rest;
  }
  return found;

  function take(path: string, one: FoundDocument): void {
    if (written.has(path) || documents.blobAt(path) !== one.blob) {
      found.set(path, one);
      return;
    }
    documents.see(path);
    documents.setStamp(path, one.stamp);
  }
}
