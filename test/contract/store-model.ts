import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Address,
  type Change,
  comparePaths,
  type DocumentPath,
  parseDocumentPath,
  revisionOf,
  type Store,
} from "../../src/app.ts";
import type { CreateStoreFixture, StoreFixture } from "./store-fixture.ts";

/** The plainest store there is: a map in memory, and the revisions that each document ever had. */
class Model {
  readonly documents = new Map<string, string>();
  readonly revisions = new Map<string, Set<string>>();

  set(path: string, content: string): void {
    this.documents.set(path, content);
    this.revisions.set(path, (this.revisions.get(path) ?? new Set()).add(content));
  }
}

interface Real {
  readonly fixture: StoreFixture;
  store: Store;
}

const stamp = { author: "agent:model" };
const at = (path: string): Address<DocumentPath> => ({ root: "notes", path: parseDocumentPath(path) });
const rev = (content: string | undefined) => (content === undefined ? undefined : revisionOf(Buffer.from(content)));

type Step = [path: string, content: string | undefined] | "refused";

function stepsOf(change: Change, model: Model): Step[] {
  if (change.kind === "put") return [[change.at.path, change.content]];
  const source = change.kind === "move" ? change.from.path : change.at.path;
  const before = model.documents.get(source);
  if (change.kind === "append") return [[source, (before ?? "") + change.content]];
  if (before === undefined) return ["refused"];
  if (change.kind === "remove") return [[source, undefined]];
  const target = change.to.path;
  return model.documents.has(target)
    ? ["refused"]
    : [
        [target, before],
        [source, undefined],
      ];
}

class Commit implements fc.AsyncCommand<Model, Real> {
  readonly changes: readonly Change[];
  constructor(changes: readonly Change[]) {
    this.changes = changes;
  }
  check(): boolean {
    return true;
  }
  async run(model: Model, real: Real): Promise<void> {
    const ends = this.changes.flatMap((change) => (change.kind === "move" ? [change.from, change.to] : [change.at]));
    const result = real.store.commit(ends.map(real.store.resolve), () => this.changes, stamp);
    const planned = this.#apply(model);
    if (!planned) {
      await expect(result).rejects.toMatchObject({
        code: expect.stringMatching(/CONFLICT|NOT_FOUND|INVALID_ARGUMENT/),
      });
      return;
    }
    expect((await result).kind).toBe("committed");
    for (const [path, content] of planned) {
      if (content === undefined) model.documents.delete(path);
      else model.set(path, content);
    }
  }
  /** What the documents become, or undefined where the operation must be refused as a whole. */
  #apply(model: Model): Map<string, string | undefined> | undefined {
    const steps = this.changes.flatMap((change) => stepsOf(change, model));
    if (steps.includes("refused") || new Set(steps.map(([path]) => path)).size < steps.length) return undefined;
    return new Map(steps as [string, string | undefined][]);
  }
  toString(): string {
    return `commit ${JSON.stringify(this.changes)}`;
  }
}

class Compare implements fc.AsyncCommand<Model, Real> {
  check(): boolean {
    return true;
  }
  async run(model: Model, real: Real): Promise<void> {
    const { entries } = await real.store.list({ root: "notes", limit: 1000, details: true });
    const expected = [...model.documents].sort(([a], [b]) => comparePaths(a, b));
    expect(entries.map((entry) => [entry.path, entry.details?.rev])).toEqual(expected.map(([p, c]) => [p, rev(c)]));
    for (const [path, content] of model.documents)
      expect((await real.store.read(real.store.resolve(at(path))))?.content).toBe(content);
    const { textOf } = await real.fixture.written("notes");
    for (const [path, contents] of model.revisions) {
      for (const content of contents) expect(await textOf(path, revisionOf(Buffer.from(content)))).toBe(content);
    }
  }
  toString(): string {
    return "compare";
  }
}

class Reopen implements fc.AsyncCommand<Model, Real> {
  check(): boolean {
    return true;
  }
  async run(_: Model, real: Real): Promise<void> {
    await real.store.close();
    real.store = await real.fixture.open();
  }
  toString(): string {
    return "reopen";
  }
}

/** The chain of each document: every record's `was` is the revision that the record before it left. */
async function expectChains(fixture: StoreFixture): Promise<void> {
  const last = new Map<string, string | undefined>();
  for (const { path, rev, was } of (await fixture.written("notes")).records) {
    expect(was).toBe(last.get(path));
    last.set(path, rev);
  }
}

/** Any sequence of operations leaves the store as it would leave the plainest store there is. */
export function describeStoreModel(name: string, createFixture: CreateStoreFixture): void {
  describe(`${name} behaves like a plain map`, () => {
    const path = fc.constantFrom("a.md", "b.md", "dir/a.md", "dir/b.md", "dir/sub/c.md").map(at);
    const content = fc.oneof(
      fc.constantFrom("one", "two", "", "drei\r\n"),
      fc.string({ maxLength: 40, unit: "grapheme" }),
    );
    const change: fc.Arbitrary<Change> = fc.oneof(
      { weight: 4, arbitrary: fc.record({ kind: fc.constant("put" as const), at: path, content }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant("append" as const), at: path, content }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant("remove" as const), at: path }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant("move" as const), from: path, to: path }) },
    );
    const commands = fc.commands(
      [
        change.map((one) => new Commit([one])),
        fc.array(change, { minLength: 2, maxLength: 4 }).map((several) => new Commit(several)),
        fc.constant(new Compare()),
        fc.constant(new Reopen()),
      ],
      { maxCommands: 40 },
    );

    it("KER-4 KER-6 KER-6b KER-7 after any sequence of operations", async () => {
      const property = fc.asyncProperty(commands, async (sequence) => {
        const fixture = await createFixture(["notes"]);
        try {
          const real: Real = { fixture, store: await fixture.open() };
          await fc.asyncModelRun(() => ({ model: new Model(), real }), [...sequence, new Compare()]);
          await expectChains(fixture);
        } finally {
          await fixture.dispose();
        }
      });
      await fc.assert(property, { numRuns: 60 });
    });
  });
}
