import type { ExistingPath } from "../kernel/document-path.ts";
import type { DocumentChange, LogPage, LogRequest, Operation, RootHistory } from "../kernel/root-history.ts";

/**
 * The history of a root less what does not exist for whoever reads it: another root may lie inside, or did not when
 * something was written there, and documents are moved across (WEB-2).
 */
export function visibleHistory(history: RootHistory, isHidden: (path: ExistingPath) => boolean): RootHistory {
  async function logOfRoot(request: LogRequest): Promise<LogPage> {
    const operations: Operation[] = [];
    for (let { after } = request; ; ) {
      const page = await history.log({ ...request, after });
      const room = request.limit - operations.length;
      const seen = page.operations.flatMap((one, index) => {
        const operation = visibleOperation(one, isHidden);
        return operation ? [{ operation, index }] : [];
      });
      operations.push(...seen.slice(0, room).map(({ operation }) => operation));
      const last = seen.length > room ? seen[room - 1] : undefined;
      if (last) return { operations, next: (await history.log({ ...request, after, limit: last.index + 1 })).next };
      if (page.next === undefined || operations.length === request.limit) return { operations, next: page.next };
      after = page.next;
    }
  }

  /** A document that came from a hidden place begins there. */
  async function logOfDocument(request: LogRequest, path: ExistingPath): Promise<LogPage> {
    if (isHidden(path)) return { operations: [], next: undefined };
    const page = await history.log(request);
    const operations: Operation[] = [];
    for (const one of page.operations) {
      const operation = visibleOperation(one, isHidden);
      if (operation) operations.push(operation);
      if (!operation || comesFromHidden(one, isHidden)) return { operations, next: undefined };
    }
    return { operations, next: await visibleNext(request, page.next) };
  }

  /** Where a log goes on holds what the document was called then. */
  async function visibleNext(request: LogRequest, next: string | undefined): Promise<string | undefined> {
    if (next === undefined) return undefined;
    const [older] = (await history.log({ ...request, after: next, limit: 1 })).operations;
    return older && visibleOperation(older, isHidden) ? next : undefined;
  }

  return {
    ...history,
    log: (request) => (request.path === undefined ? logOfRoot(request) : logOfDocument(request, request.path)),
  };
}

type IsHidden = (path: ExistingPath) => boolean;

function comesFromHidden({ changes }: Operation, isHidden: IsHidden): boolean {
  return changes.some(({ from }) => from !== undefined && isHidden(from));
}

/** Undefined where nothing of it is left. */
function visibleOperation(operation: Operation, isHidden: IsHidden): Operation | undefined {
  const changes = operation.changes.filter(({ path }) => !isHidden(path));
  return changes.length === 0
    ? undefined
    : { ...operation, changes: changes.map((one) => visibleChange(one, isHidden)) };
}

function visibleChange({ from, to, ...change }: DocumentChange, isHidden: IsHidden): DocumentChange {
  return {
    ...change,
    ...(from === undefined || isHidden(from) ? {} : { from }),
    ...(to === undefined || isHidden(to) ? {} : { to }),
  };
}
