import { describe, expect, it } from "vitest";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { complete, pathsOf, searchWorld } from "./search-world.ts";

const folders = temporaryFolders();

describe("SRCH-1 words in quotes", () => {
  it("stand side by side in what is found, where anything has them so", async () => {
    const world = searchWorld(folders.make(), "search: { meaning: false }\n");
    world.note("a.md", "# A\n\nthe harbour crane is red\n");
    world.note("b.md", "# B\n\nthe crane stands in the harbour\n");
    const page = await complete(await (await world.open()).search, 'red "harbour crane"');
    expect(pathsOf(page)).toEqual(["a.md"]);
    expect(page.warnings).toEqual([]);
  });

  it("may stand apart where nothing has them so, which is said; what must not be there stays away", async () => {
    const world = searchWorld(folders.make(), "search: { meaning: false }\n");
    world.note("a.md", "# A\n\nwhen the tide fell the crane of the harbour was read about\n");
    world.note("b.md", "# B\n\nharbour crane beneath rust\n".replace("harbour crane", "crane, harbour"));
    const search = await (await world.open()).search;
    const page = await complete(search, 'When was "harbour crane" read?');
    expect(pathsOf(page)[0]).toBe("a.md");
    expect(page.warnings).toEqual([expect.stringContaining("side by side")]);
    expect(pathsOf(await complete(search, 'rust "harbour crane" -tide'))).toEqual(["b.md"]);
  });

  it("are all that is looked for where nothing else is asked", async () => {
    const world = searchWorld(folders.make(), "search: { meaning: false }\n");
    world.note("a.md", "# A\n\nthe crane of the harbour, ORD-1243\n");
    const search = await (await world.open()).search;
    for (const query of ['"harbour crane"', '"ORD-1234"', '-tide "harbour crane"'])
      expect(await complete(search, query), query).toMatchObject({ hits: [], warnings: [] });
  });
});
