import { isUtf8 } from "node:buffer";
import { RecollectError } from "../../core/errors.ts";
import type { Rev } from "../../core/revision.ts";
import type { StoredDocument } from "../../core/store.ts";
import type { Row } from "./database.ts";

/** A document as the tables have it. */
export interface Kept {
  readonly bytes: Buffer;
  readonly rev: Rev;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

export function keptOf(row: Row): Kept {
  const { content, rev, modified } = row as { content: Buffer; rev: Rev; modified: Date };
  return { bytes: content, rev, modified: modified.getTime() };
}

/** What was migrated may be no text: it is kept as it is. */
export function toStored({ bytes, rev, modified }: Kept, path: string): StoredDocument {
  if (!isUtf8(bytes)) throw new RecollectError("NOT_UTF8", `“${path}” is not UTF-8 text.`, { data: { path } });
  return { content: bytes.toString("utf8"), rev, modified };
}
