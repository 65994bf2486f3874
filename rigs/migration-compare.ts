import { isDeepStrictEqual } from "node:util";
import type { Operation, RootHistory } from "../src/kernel/root-history.ts";
import type { ListPage, ListRequest, Store } from "../src/kernel/store.ts";
import type { Violations } from "./rig-report.ts";

export interface Side {
  readonly store: Store;
  readonly history: RootHistory;
}

const pageSize = 2000;
const sampled = 200;

/** Whether two roots tell the same: every operation, every document, and the bytes of a part of the revisions. */
export async function compareRoots(one: Side, other: Side, violations: Violations): Promise<{ operations: number }> {
  let operations = 0;
  let [after, otherAfter]: (string | undefined)[] = [];
  for (;;) {
    const left = await one.history.log({ limit: pageSize, after });
    const right = await other.history.log({ limit: pageSize, after: otherAfter });
    for (const [index, operation] of left.operations.entries()) {
      const twin = right.operations[index];
      if (twin && isDeepStrictEqual(plain(operation), plain(twin))) continue;
      violations.add("operations", `${JSON.stringify(plain(operation))} is ${JSON.stringify(twin && plain(twin))}`);
    }
    if (left.operations.length !== right.operations.length) violations.add("operations", "one has more than the other");
    await compareContents(one.history, other.history, left.operations, right.operations, violations);
    operations += left.operations.length;
    [after, otherAfter] = [left.next, right.next];
    if (after === undefined || otherAfter === undefined) break;
  }
  if (after !== otherAfter) violations.add("operations", "one goes on where the other ends");
  await compareDocuments(one.store, other.store, violations);
  return { operations };
}

/** Ids are of each history alone, and where a document went to is told by some logs alone. */
function plain({ id: _, changes, ...operation }: Operation) {
  return { ...operation, changes: changes.map(({ to: _to, from = undefined, ...change }) => ({ ...change, from })) };
}

/** Some of each page: what a history says of all its bytes, `verify` reads. */
async function compareContents(
  one: RootHistory,
  other: RootHistory,
  left: readonly Operation[],
  right: readonly Operation[],
  violations: Violations,
): Promise<void> {
  const step = Math.max(1, Math.floor(left.length / sampled));
  const moments = left.flatMap(({ id, changes }, index) => {
    const change = index % step === 0 ? changes[index % changes.length] : undefined;
    const twin = right[index]?.id;
    return change && twin !== undefined ? [{ id, twin, path: change.path, side: "after" as const }] : [];
  });
  const here = await one.contents(moments);
  const there = await other.contents(moments.map(({ twin, ...moment }) => ({ ...moment, id: twin })));
  for (const [index, bytes] of here.entries()) {
    const twin = there[index];
    const isSame = bytes && twin ? Buffer.from(bytes).equals(twin) : bytes === twin;
    if (!isSame) violations.add("bytes", `${moments[index]?.path} after ${moments[index]?.id}`);
  }
}

async function compareDocuments(one: Store, other: Store, violations: Violations): Promise<void> {
  for (let after: string | undefined = ""; after !== undefined; ) {
    const request: ListRequest = { root: "notes", limit: pageSize, details: true, after };
    const left: ListPage = await one.list(request);
    const right = await other.list(request);
    for (const [index, entry] of left.entries.entries()) {
      if (!isDeepStrictEqual(entry, right.entries[index])) {
        violations.add("documents", `${JSON.stringify(entry)} is ${JSON.stringify(right.entries[index])}`);
      }
    }
    if (left.entries.length !== right.entries.length) violations.add("documents", "one has more than the other");
    after = left.next;
  }
}
