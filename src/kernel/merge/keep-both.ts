/** Two versions of which one keeps the name. */
export interface BothKept<Version> {
  readonly content: Version;
  readonly beside: Version;
}

/** The longer one keeps the name; of two that are as long it is the one that sorts first. Never who is ours. */
export function keepBoth<Version extends string | Uint8Array>(one: Version, other: Version): BothKept<Version> {
  return compareVersions(one, other) <= 0 ? { content: one, beside: other } : { content: other, beside: one };
}

/** An order of versions that every clone agrees on: longer ones first. */
export function compareVersions(one: string | Uint8Array, other: string | Uint8Array): number {
  if (one.length !== other.length) return other.length - one.length;
  // A text and bytes of the same length are never the same document.
  if (typeof one === "string" && typeof other === "string") return one < other ? -1 : Number(one > other);
  if (typeof one === "string" || typeof other === "string") return typeof one === "string" ? -1 : 1;
  return Buffer.compare(one, other);
}
