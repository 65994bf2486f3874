import type { ExistingPath } from "../../kernel/document-path.ts";
import type { Documents } from "../../kernel/documents.ts";
import { type ErrorCode, isRecollectError } from "../../kernel/errors.ts";
import type { Address } from "../../kernel/store.ts";

/** What cannot be read breaks nothing else. */
type ReadText =
  | { readonly content: string; readonly failed?: never }
  | { readonly failed: ErrorCode; readonly content?: never };

interface PagedDocument {
  readonly path: ExistingPath;
  read(): Promise<ReadText>;
}

const pageSize = 200;

/** The documents that belong to a root, page by page; each is read when somebody asks for it. */
export async function* readMemoryPages(root: string, documents: Documents): AsyncGenerator<readonly PagedDocument[]> {
  for (let after: string | undefined; ; ) {
    const page = await documents.list({ root, limit: pageSize, ...(after === undefined ? {} : { after }) });
    yield page.entries
      .filter(({ owner }) => owner === root)
      .map(({ path }) => ({ path, read: () => read({ root, path }, documents) }));
    if (page.next === undefined) return;
    after = page.next;
  }
}

async function read(at: Address, documents: Documents): Promise<ReadText> {
  try {
    return { content: (await documents.read(at))?.content ?? "" };
  } catch (error) {
    if (isRecollectError(error)) return { failed: error.code };
    throw error;
  }
}
