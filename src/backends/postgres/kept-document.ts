import { isUtf8 } from "node:buffer";
import { RecollectError } from "../../kernel/errors.ts";
import type { Rev } from "../../kernel/revision.ts";
import type { StoredDocument } from "../../kernel/store.ts";
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

/** Decoded when asked for: what was migrated may be no text, and can still be replaced, moved or removed. */
export function toStored({ bytes, rev, modified }: Kept, path: string): StoredDocument {
  let content: string | undefined;
  return {
    get content() {
      content ??= decode(bytes, path);
      return content;
    },
    rev,
    modified,
  };
}

/** The same for one that must be text. */
export function toStoredText({ bytes, rev, modified }: Kept, path: string): StoredDocument {
  return { content: decode(bytes, path), rev, modified };
}

function decode(bytes: Buffer, path: string): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  throw new RecollectError("NOT_UTF8", `“${path}” is not UTF-8 text. Convert it, then read it again.`, {
    data: { path },
  });
}
