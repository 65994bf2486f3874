import { mergeText } from "../../text/merge-text.ts";
import { keepBoth } from "./keep-both.ts";

/** What becomes of a document that both sides changed. */
export type DocumentMerge =
  | {
      readonly kind: "merged";
      readonly content: string;
      /** Titles of entries of which both versions are kept in it. */
      readonly doubled?: readonly string[];
    }
  | {
      readonly kind: "conflict";
      /** What keeps the name. */
      readonly content: string;
      /** What is kept beside it, as a document of its own. */
      readonly beside: string;
      readonly doubled?: readonly string[];
    };

/** Merges one document; `base` is undefined where both sides made it. Must not depend on which side is ours. */
export type MergeDocument = (path: string, base: string | undefined, ours: string, theirs: string) => DocumentMerge;

/** Any text. Two documents that only share their name have no common text to merge by, and are both kept. */
export function mergeTextDocument(base: string | undefined, ours: string, theirs: string): DocumentMerge {
  if (base === undefined) return mergeNew(ours, theirs);
  const merged = mergeText(base, ours, theirs);
  return merged.kind === "merged" ? merged : { kind: "conflict", ...keepBoth(merged.ours, merged.theirs) };
}

/** Blank lines alone are no version worth a document. */
function mergeNew(ours: string, theirs: string): DocumentMerge {
  const both = keepBoth(ours, theirs);
  if (both.content === both.beside || both.beside.trim() === "") return { kind: "merged", content: both.content };
  if (both.content.trim() === "") return { kind: "merged", content: both.beside };
  return { kind: "conflict", ...both };
}
