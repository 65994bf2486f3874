import type { Documents } from "../../kernel/documents.ts";
import { isRecollectError, RecollectError } from "../../kernel/errors.ts";
import type { Address } from "../../kernel/store.ts";
import { isUnreadable } from "./scan-topics.ts";
import { indexPath } from "./topic-paths.ts";

/** Files beside a topic that cannot be used, by their paths, and why. */
export type BrokenFiles = Map<string, RecollectError>;

/**
 * Whether an operation failed for files beside the topic: the index, which is derived, or parts of the archive, which
 * goes on in another part. Then it can be done without them, and one broken file blocks nobody (KER-11, KER-12). Asked
 * after a failure alone, so that nobody else pays for it.
 */
export async function findBroken(
  documents: Documents,
  beside: readonly Address[],
  { error, newIndex }: { readonly error: unknown; readonly newIndex: string },
  broken: BrokenFiles,
): Promise<boolean> {
  if (!isUnreadable(error)) return false;
  const before = broken.size;
  if (isTooLarge(error, newIndex)) broken.set(indexPath, withRemedy(error));
  for (const at of beside) {
    const why = await whyUnreadable(documents, at);
    if (why) broken.set(at.path, why);
  }
  return broken.size > before;
}

/** Why a file cannot be read, and what mends that; undefined where it can be. */
export async function whyUnreadable(documents: Documents, at: Address): Promise<RecollectError | undefined> {
  try {
    // What is no text is refused only here.
    void (await documents.read(at))?.content;
    return undefined;
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return at.path === indexPath ? withRemedy(error) : error;
  }
}

/** What failed for the index, in words that name it and say what mends it. */
export function withRemedy(error: RecollectError): RecollectError {
  const { size, limit } = error.data;
  const says =
    error.code === "TOO_LARGE"
      ? `“${indexPath}” would have ${size} bytes, over the limit of ${limit}. Raise limits.document_bytes`
      : `${error.message.replace(/ Convert it, then read it again\.$/, "")} Move it away`;
  return new RecollectError(error.code, `${says}, then run: recollect topics reindex`, {
    data: error.data,
    cause: error,
  });
}

/** Whether the index is what would be too large; the error of the kernel tells sizes alone. */
export function isTooLarge(error: unknown, newIndex: string): error is RecollectError {
  if (!isRecollectError(error) || error.code !== "TOO_LARGE") return false;
  return newIndex !== "" && error.data["size"] === Buffer.byteLength(newIndex);
}

export function toWarnings(broken: BrokenFiles): string[] {
  return [...broken].map(([path, { message }]) =>
    path === indexPath ? `The index was not updated. ${message}` : `“${path}” was left alone. ${message}`,
  );
}
