import { type ExistingPath, isExistingPath } from "../../kernel/document-path.ts";
import type { Documents } from "../../kernel/documents.ts";
import { isRecollectError } from "../../kernel/errors.ts";
import { originalOfConflict } from "../../kernel/merge/conflict-path.ts";
import type { Address } from "../../kernel/store.ts";

/** A document that a merge left beside another, since both sides had changed the same lines. */
export interface WaitingConflict {
  /** The other version. */
  readonly at: Address;
  /** What kept the name; it need not be there any more. */
  readonly original: Address;
}

/** The one that lies in this place, as far as its name tells; what is there need not be readable, nor there at all. */
export function conflictAt(
  documents: Pick<Documents, "resolve">,
  roots: readonly string[],
  { root, path }: { readonly root: string; readonly path: string },
): WaitingConflict | undefined {
  if (!roots.includes(root) || !isExistingPath(path)) return undefined;
  const [at, original] = [{ root, path }, originalPathOf(path)];
  if (original === undefined || documents.resolve(at).root !== root) return undefined;
  return { at, original: { root, path: original } };
}

/** All of them in these roots, by their names alone. A root that may not be listed has none to show. */
export async function findConflicts(documents: Documents, roots: readonly string[]): Promise<WaitingConflict[]> {
  const found: WaitingConflict[] = [];
  for (const root of roots) {
    for (let after: string | undefined; ; ) {
      const page = await listPage(documents, root, after);
      for (const { path, owner } of page?.entries ?? []) {
        const original = owner === root ? originalPathOf(path) : undefined;
        if (original !== undefined) found.push({ at: { root, path }, original: { root, path: original } });
      }
      after = page?.next;
      if (after === undefined) break;
    }
  }
  return found;
}

async function listPage(documents: Documents, root: string, after: string | undefined) {
  try {
    return await documents.list({ root, ...(after === undefined ? {} : { after }) });
  } catch (error) {
    if (isRecollectError(error) && ["NOT_ALLOWED", "PERMISSION_DENIED"].includes(error.code)) return undefined;
    throw error;
  }
}

function originalPathOf(path: string): ExistingPath | undefined {
  const original = originalOfConflict(path);
  return original !== undefined && isExistingPath(original) ? original : undefined;
}
