import { isUtf8 } from "node:buffer";
import { isRecollectError, RecollectError } from "../kernel/errors.ts";
import type { StoredDocument } from "../kernel/store.ts";

/** Undefined where the bytes are no UTF-8 text. */
export function textOf(bytes: Uint8Array): string | undefined {
  // Buffer's own decoding keeps a byte order mark as part of the text (KER-11).
  return isUtf8(bytes) ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8") : undefined;
}

export function notText(path: string): RecollectError {
  const says = `This revision of “${path}” is not UTF-8 text. Ordinary git can bring it back: see docs/FORMAT.md.`;
  return new RecollectError("NOT_UTF8", says, { data: { path } });
}

/** Null for a document that is no text: it can be replaced all the same. */
export function contentOf(document: StoredDocument | undefined): string | null | undefined {
  try {
    return document?.content;
  } catch (error) {
    if (isRecollectError(error) && error.code === "NOT_UTF8") return null;
    throw error;
  }
}
