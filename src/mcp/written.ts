import { RecollectError, type WrittenMemory } from "../app.ts";

export function writtenWhere({ folder, rev }: WrittenMemory): string {
  return ` (in ${folder}, rev ${rev})`;
}

/** Serena's own limit of a text; ours is the size limit of a document. */
export function assertMaxChars(content: string, maxChars: number | undefined): void {
  if (maxChars === undefined || maxChars < 0 || content.length <= maxChars) return;
  throw new RecollectError(
    "TOO_LARGE",
    `The content has ${content.length} characters, over the max_chars of ${maxChars}. Shorten it, or split it.`,
    { data: { size: content.length, limit: maxChars } },
  );
}
