import { isExistingPath } from "../../core/document-path.ts";
import type { Trail } from "../../core/trail.ts";
import { blobId } from "./blob-id.ts";
import type { RecordedState } from "./recorded-state.ts";

export interface FoundDocument {
  readonly blob: string;
  /** 0 where it was changed so lately that a later change could look the same. */
  readonly stamp: number;
}

/** What is there now. Documents that look as they did when they were recorded are not read. */
export function findDocuments(trail: Trail, { blobs, stamps }: RecordedState): Map<string, FoundDocument> {
  const found = new Map<string, FoundDocument>();
  for (const { path, stamp } of trail.survey()) {
    const known = stamps.get(path) === stamp ? blobs.get(path) : undefined;
    if (known !== undefined) {
      found.set(path, { blob: known, stamp });
      continue;
    }
    const look = isExistingPath(path) ? trail.look(path) : undefined;
    if (look?.kind === "document") found.set(path, { blob: blobId(look.bytes), stamp: look.stamp });
  }
  return found;
}
