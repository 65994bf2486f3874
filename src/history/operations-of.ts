import type { LogRequest, Operation, RootHistory } from "../kernel/root-history.ts";

const pageSize = 500;

/** All operations, newest first, read as far as they are asked for. */
export async function* operationsOf(
  history: RootHistory,
  filter: Omit<LogRequest, "limit" | "after">,
): AsyncGenerator<Operation> {
  for (let after: string | undefined; ; ) {
    const page = await history.log({ ...filter, limit: pageSize, after });
    yield* page.operations;
    if (page.next === undefined) return;
    after = page.next;
  }
}

/** Whether it only tells of what was there when recording began, or when older revisions were dropped. */
export function isImport({ changes }: Operation): boolean {
  return changes.some(({ kind }) => kind === "import");
}
