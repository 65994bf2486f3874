import { describe, expect, it } from "vitest";
import { errorOf } from "../../helpers/error-of.ts";
import { postgresStores } from "../../helpers/postgres-stores.ts";
import { ada, at } from "../../history/scratch.ts";

const token = (text: string) => Buffer.from(text).toString("base64url");
const invalid = { code: "INVALID_ARGUMENT" };

describe("PG-1 HIST-1 pages of a log that a caller made up", () => {
  async function openLog() {
    const { store, history } = await postgresStores.open([{ name: "notes" }]);
    for (const content of ["one", "two", "three"])
      await store.commit([at("a.md")].map(store.resolve), () => [{ kind: "put", at: at("a.md"), content }], ada);
    return history("notes");
  }

  it.each([
    ["no JSON in it", '{"below":"1","path":"\\x"}'],
    ["a number that no table takes", '{"below":"9999999999999999999"}'],
    ["a number that no table takes, and a path", '{"below":"9999999999999999999","path":"a.md"}'],
    ["NUL in a path", '{"below":"5","path":"a\\u0000b"}'],
    ["a path that leads out", '{"below":"5","path":"../a.md"}'],
    ["half a character in a path", '{"below":"5","path":"\\ud800"}'],
    ["a path that is none", '{"below":"5","path":7}'],
    ["a number as such", '{"below":5}'],
    ["less than nothing", '{"below":"-1"}'],
    ["nothing", ""],
    ["null", "null"],
  ])("are refused: %s", async (_, text) => {
    const log = await openLog();
    expect(await errorOf(() => log.log({ limit: 2, after: token(text) }))).toMatchObject(invalid);
    const ofDocument = () => log.log({ limit: 2, path: at("a.md").path, after: token(text) });
    expect(await errorOf(ofDocument)).toMatchObject(invalid);
  });

  it("are refused as an answer that fails, where they are of another log too", async () => {
    const log = await openLog();
    const { next: ofAll = "" } = await log.log({ limit: 1 });
    const { next: ofDocument = "" } = await log.log({ limit: 1, path: at("a.md").path });
    await expect(log.log({ limit: 1, after: "x" })).rejects.toMatchObject(invalid);
    await expect(log.log({ limit: 1, path: at("a.md").path, after: ofAll })).rejects.toMatchObject(invalid);
    await expect(log.log({ limit: 1, after: ofDocument })).rejects.toMatchObject(invalid);
    expect((await log.log({ limit: 5, after: ofAll })).operations).toHaveLength(2);
    expect((await log.log({ limit: 5, path: at("a.md").path, after: ofDocument })).operations).toHaveLength(2);
  });
});
