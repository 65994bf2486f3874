import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Documents } from "../../src/kernel/documents.ts";
import type { Stamp } from "../../src/kernel/store.ts";
import { type DocumentStores, documentStores } from "../helpers/document-stores.ts";
import { ada, at, bob, openHistoryIn } from "./scratch.ts";

const names = ["a.md", "b.md", "sub/a.md", "sub/c.md"];

const action = fc.record({
  kind: fc.constantFrom("write", "append", "move", "remove", "both" as const),
  one: fc.nat(names.length - 1),
  other: fc.nat(names.length - 1),
});

type Place = ReturnType<typeof at>;
type Action = typeof action extends fc.Arbitrary<infer One> ? One : never;

function createActor(documents: Documents) {
  let count = 0;
  const doing: Record<Action["kind"], (one: Place, other: Place, stamp: Stamp) => Promise<unknown>> = {
    write: (one, _, stamp) => documents.write(one, `${count}\n`, stamp),
    append: (one, _, stamp) => documents.append(one, `more ${count}\n`, stamp),
    remove: (one, _, stamp) => documents.remove(one, stamp),
    move: async (one, other, stamp) => one.path !== other.path && documents.move(one, other, stamp),
    both: async (one, other, stamp) => {
      const put = (to: Place) => ({ kind: "put" as const, at: to, content: `both ${count}\n` });
      if (one.path !== other.path) await documents.commit([one, other], () => [put(one), put(other)], stamp);
    },
  };
  return async ({ kind, one, other }: Action, stamp: Stamp) => {
    count += 1;
    await doing[kind](at(names[one] ?? ""), at(names[other] ?? ""), stamp);
  };
}

async function undoAnything(stores: DocumentStores, base: readonly Action[], done: readonly Action[]): Promise<void> {
  const { documents, history, all } = await openHistoryIn(stores);
  const act = createActor(documents);
  for (const one of base) await act(one, bob);
  const before = await all();
  for (const [index, one] of done.entries()) {
    await act(one, { ...ada, run: "r" });
    await documents.write(at("others.md"), `${index}\n`, bob);
  }
  const report = await history.undo({ run: "r" }, bob);
  expect(report.documents.filter(({ kind }) => kind === "left")).toEqual([]);
  expect(await all()).toEqual({ ...before, "others.md": `${done.length - 1}\n` });
}

describe.each(documentStores)("PG-1 undoing anything on $name", (stores) => {
  it("HIST-1 whatever one run did, the former bytes come back, and what others wrote elsewhere stays", async () => {
    const some = fc.array(action, { maxLength: 5 });
    const many = fc.array(action, { minLength: 1, maxLength: 9 });
    await fc.assert(
      fc.asyncProperty(some, many, (base, done) => undoAnything(stores, base, done)),
      { numRuns: 12 },
    );
  });

  it("HIST-1 finds its way back where documents changed places", async () => {
    const write = (one: number): Action => ({ kind: "write", one, other: 0 });
    const move = (one: number, other: number): Action => ({ kind: "move", one, other });
    const remove = (one: number): Action => ({ kind: "remove", one, other: 0 });
    await undoAnything(stores, [write(0), write(1)], [move(0, 2), move(1, 0), move(2, 1)]);
    await undoAnything(stores, [write(0), write(1)], [remove(0), move(1, 0)]);
    await undoAnything(stores, [write(0), write(1)], [remove(0), move(1, 0), write(0), write(1)]);
    await undoAnything(stores, [write(0)], [move(0, 1), write(0), move(1, 2), move(0, 1)]);
  });
});
