import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { projectNotes } from "./project-notes.ts";
import { type SearchWorld, searchWorld } from "./search-world.ts";

const folders = temporaryFolders();
let world: SearchWorld;

beforeAll(() => {
  world = searchWorld(folders.make());
  for (const [path, text] of Object.entries(projectNotes)) world.note(path, text);
});

describe("SRCH-5 an answer says", () => {
  it.each([
    ["topic:nope invoice", "There is nothing in a topic “nope”."],
    ["path:nope/** invoice", "There is nothing with a path that fits “nope/**”."],
    ["until:1999 invoice", "There is nothing of the days up to 1999-12-31."],
  ])("SRCH-5 which filter of “%s” leaves nothing", async (query, warning) => {
    expect(await world.ask(query)).toEqual({ hits: [], total: 0, warnings: [warning] });
  });

  it("SRCH-5 nothing of a filter that leaves something", async () => {
    expect(await world.ask("topic:auth qxzvkw")).toEqual({ hits: [], total: 0, warnings: [] });
  });

  it("SRCH-5 what was not taken for a filter", async () => {
    const { hits, warnings } = await world.ask("since:yesterday invoice");
    expect(hits.length).toBeGreaterThan(0);
    expect(warnings).toEqual(["“since:yesterday” was taken for words: a date is written 2026-11-15, 2026-11 or 2026."]);
  });

  it("SRCH-5 that none of the words is anywhere, where what is found is near by meaning alone", async () => {
    const { hits, warnings } = await world.ask({ query: "automobile insurance", explain: true });
    expect(hits.flatMap(({ explanation }) => explanation?.terms ?? [])).toEqual([]);
    expect(warnings).toEqual([
      "Nothing has any of these words: what is found is only somewhat near to them in meaning.",
    ]);
    expect((await world.ask("session cookie")).warnings).toEqual([]);
  });

  it.each(["hunter2hunter2", "swordfish99", "8f3a9c21"])(
    "SRCH-5 nothing for “%s”, which has no meaning",
    async (query) => {
      expect(await world.ask(query)).toEqual({ hits: [], total: 0, warnings: [] });
    },
  );
});
