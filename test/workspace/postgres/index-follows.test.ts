import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Workspace } from "../../../src/app.ts";
import { openPostgresStore } from "../../../src/backends/postgres/store.ts";
import type { DocumentPath } from "../../../src/kernel/document-path.ts";
import { sharedDatabase } from "../../helpers/postgres-stores.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { databaseWorld, found } from "./open-workspaces.ts";

const folders = temporaryFolders();

const name = fc.constantFrom("a", "b", "deep/c", "deep/d", "e");
const step = fc.record({
  machine: fc.constantFrom("one", "two"),
  kind: fc.constantFrom("write", "write", "delete", "rename", "search"),
  name,
  other: name,
  word: fc.constantFrom("oak", "ash", "elm", "yew"),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

async function take({ kind, name: called, other, word }: Omit<Step, "machine">, workspace: Workspace): Promise<void> {
  const { memories } = workspace;
  const refused = () => undefined;
  if (kind === "write") await memories.write(called, `The ${word} of ${called}.\n`);
  else if (kind === "delete") await memories.delete(called).catch(refused);
  else if (kind === "rename") await memories.rename(called, other).catch(refused);
  else await found(workspace, word);
}

describe("the index of a space", () => {
  it("PG-2 SRCH-3 after any writes by two servers and any searches between, it equals one that is made anew", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        const world = await databaseWorld(folders.make());
        const machines = {
          one: await world.open({ stays: true }),
          two: await world.open({ stays: true, machine: "two" }),
        };
        try {
          for (const { machine, ...one } of steps) await take(one, machines[machine]);
          for (const workspace of Object.values(machines)) {
            for (const word of ["oak", "ash", "elm", "yew"]) await found(workspace, word);
            expect((await workspace.verify()).findings).toEqual([]);
          }
        } finally {
          // Else those that a failure is made smaller with leave the database without a connection.
          for (const workspace of Object.values(machines)) await workspace.close();
        }
      }),
      { numRuns: 6 },
    );
  });

  it("PG-2 is looked at anew where the database was set back to what it was before", async () => {
    const world = await databaseWorld(folders.make());
    const workspace = await world.open({ stays: true });
    const space = `${world.space}/memories`;
    await workspace.memories.write("one", "The oak.\n");
    await workspace.memories.write("two", "The ash.\n");
    expect(await found(workspace, "ash")).toHaveLength(1);
    const database = await sharedDatabase();
    await database.transaction([space], (transaction) =>
      transaction.commit(
        { text: "DELETE FROM recollect.documents WHERE space = $1 AND path = 'two.md'", values: [space] },
        { text: "DELETE FROM recollect.changes WHERE space = $1 AND path = 'two.md'", values: [space] },
        { text: "UPDATE recollect.spaces SET last_change = 1 WHERE space = $1", values: [space] },
      ),
    );
    // Its change has the number that the one that is gone had.
    await (await world.open({ machine: "two" })).memories.write("three", "The elm.\n");
    expect(await found(workspace, "ash")).toEqual([]);
    expect((await found(workspace, "elm"))[0]).toBe(`postgres:${space}: three.md`);
  });

  it("PG-2 takes many changes at once, and documents of a first build in few round trips", async () => {
    const world = await databaseWorld(folders.make());
    const workspace = await world.open({ stays: true });
    expect(await found(workspace, "pine")).toEqual([]);
    const roots = [{ name: "memories", space: `${world.space}/memories` }];
    const store = openPostgresStore({ database: await sharedDatabase(), roots });
    const pines = Array.from({ length: 700 }, (_, number) => ({
      kind: "put" as const,
      at: { root: "memories", path: `pines/p${number}.md` as DocumentPath },
      content: `Pine p${number}.\n`,
    }));
    await store.commit(pines.map(({ at }) => at).map(store.resolve), () => pines, { author: "person:ada" });
    // A server answers with what it has so far where that takes longer.
    const total = async () => (await workspace.search.search({ query: "pine", limit: 1 })).total;
    await expect.poll(total).toBe(700);
  });
});
