import { hash } from "node:crypto";

declare const revision: unique symbol;

/** The content hash of a document: 128 bits of SHA-256 over its bytes, in hexadecimal. */
export type Rev = string & { readonly [revision]: true };

export function revisionOf(bytes: Uint8Array): Rev {
  return hash("sha256", bytes, "hex").slice(0, 32) as Rev;
}

export function isRev(text: string): text is Rev {
  return /^[0-9a-f]{32}$/.test(text);
}
