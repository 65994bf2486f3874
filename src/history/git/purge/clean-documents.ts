import { type ExistingPath, maxKernelSegments, parseDocumentPath } from "../../../kernel/document-path.ts";
import type { Documents } from "../../../kernel/documents.ts";
import { isRecollectError, RecollectError } from "../../../kernel/errors.ts";
import type { PurgeForms } from "../../../kernel/purge-forms.ts";
import type { Change, Stamp } from "../../../kernel/store.ts";
import type { Trail } from "../../../kernel/trail.ts";
import { findInDocuments } from "./purge.ts";

export interface CleanedDocuments {
  /** Under the names that they have now. */
  readonly cleaned: readonly string[];
  /** What could not be cleaned, and why. */
  readonly left: readonly { readonly path: string; readonly why: string }[];
}

/** Takes a value out of the documents of a root, and out of their names, as any other change is made. */
export async function cleanDocuments(
  trail: Trail,
  documents: Documents,
  forms: PurgeForms,
  stamp: Stamp,
): Promise<CleanedDocuments> {
  const cleaned: string[] = [];
  const left: { path: string; why: string }[] = [];
  for (const { path } of findInDocuments(trail, forms)) {
    const shown = forms.cleanPath(path);
    try {
      await cleanOne({ root: trail.root, path }, documents, forms, stamp);
      cleaned.push(shown);
    } catch (error) {
      if (!isRecollectError(error)) throw error;
      left.push({ path: shown, why: forms.cleanText(error.message) });
    }
  }
  return { cleaned, left };
}

async function cleanOne(
  at: { readonly root: string; readonly path: ExistingPath },
  documents: Documents,
  forms: PurgeForms,
  stamp: Stamp,
): Promise<void> {
  const name = forms.cleanPath(at.path);
  const target = { root: at.root, path: parseDocumentPath(name, maxKernelSegments) };
  if (name !== at.path) {
    const moved = await documents.move(at, target, stamp);
    if (moved?.kind === "conflict") {
      throw new RecollectError("CONFLICT", "Its name without the value is taken. Rename it, then purge again.");
    }
  }
  await documents.commit(
    [target],
    (current): Change[] => {
      const before = current(target)?.content;
      const after = before === undefined ? undefined : forms.cleanText(before);
      return after === undefined || after === before ? [] : [{ kind: "put", at: target, content: after }];
    },
    stamp,
  );
}
