import { hash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import type { Action } from "./perform.ts";
import { complete, pathsOf, type SearchWorld, searchWorld } from "./search-world.ts";
import { type Partner, startPartner } from "./start-partner.ts";

const folders = temporaryFolders();

/** Far from each other, so that none is taken for a slip of another one. */
const wordOf = (round: number) => `x${hash("sha256", `word ${round}`, "hex").replace(/[0-9]/g, "").slice(0, 14)}`;

/** One way after the other to bring a text to a path; of equal length, so that a size tells nothing. */
function waysTo(path: string, round: number): Action {
  const text = `# Note\n\nAbout ${wordOf(round).padEnd(20)}\n`;
  const ways: readonly Action[] = [
    { kind: "edit", path, text },
    { kind: "replace", path, text },
    { kind: "backdate", path, text },
    { kind: "edit", path, text },
  ];
  return ways[round % ways.length] as Action;
}

describe("what was finished before a question", () => {
  let partner: Partner;
  let world: SearchWorld;

  beforeAll(async () => {
    // Words alone: something is always nearest in meaning.
    world = searchWorld(folders.make(), "search: { meaning: false }\n");
    for (let number = 0; number < 40; number += 1) world.note(`old/n${number}.md`, `# Old\n\nNumber ${number}.\n`);
    partner = startPartner();
    await partner.tell({ open: { project: world.project, home: world.home, stays: false } });
  });
  afterAll(() => partner.kill());

  async function follow(rounds: number, ask: (query: string) => Promise<string[]>): Promise<void> {
    const missed: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const path = `.serena/memories/p${round % 3}/n.md`;
      await partner.perform(waysTo(path, round));
      const found = await ask(wordOf(round));
      if (found.join() !== `p${round % 3}/n.md`) missed.push(`round ${round}: ${wordOf(round)} is in ${found}`);
      const former = round >= 3 ? await ask(wordOf(round - 3)) : [];
      if (former.length > 0) missed.push(`round ${round}: what was there before is still found`);
      if (round % 10 === 9) missed.push(...(await followFolder(wordOf(round - (round % 3)), ask)));
    }
    expect(missed).toEqual([]);
  }

  async function followFolder(word: string, ask: (query: string) => Promise<string[]>): Promise<string[]> {
    await partner.perform({ kind: "move", path: ".serena/memories/p0", to: ".serena/memories/moved" });
    const moved = await ask(word);
    await partner.perform({ kind: "delete", path: ".serena/memories/moved" });
    const gone = await ask(word);
    return moved.join() === "moved/n.md" && gone.length === 0
      ? []
      : [`${word} moved to ${moved} and then was in ${gone}`];
  }

  it("SRCH-3 is in the answer of a process that stays", async () => {
    const search = await (await world.open({ stays: true })).search;
    await follow(200, async (query) => pathsOf(await complete(search, query)));
  });

  it("SRCH-3 is in the answer of a process that looks through everything", async () => {
    const search = await (await world.open()).search;
    await follow(60, async (query) => pathsOf(await complete(search, query)));
  });

  it("SRCH-3 is in the answer of a process that has just begun", async () => {
    await follow(20, async (query) => pathsOf(await world.ask(query)));
  });

  it("SRCH-3 is in the answer when it was written here, while others write as well", async () => {
    const workspace = await world.open({ stays: true });
    const search = workspace.search;
    for (let round = 1000; round < 1060; round += 1) {
      const other = partner.perform({ kind: "write", name: `theirs${round}`, text: `# Theirs\n\n${wordOf(-round)}\n` });
      await workspace.memories.write(`ours${round}`, `# Ours\n\n${wordOf(round)}\n`);
      expect(pathsOf(await complete(search, wordOf(round)))).toEqual([`ours${round}.md`]);
      await other;
      expect(pathsOf(await complete(search, wordOf(-round)))).toEqual([`theirs${round}.md`]);
    }
  });
});
