import { describe, expect, it } from "vitest";
import { recordsInFolder } from "../../../src/backends/files/records.ts";
import { openAllowList } from "../../../src/credentials/allow-list.ts";
import { createGuard } from "../../../src/guard/guard.ts";
import { made } from "../../../src/guard/rules/made.ts";
import type { Search } from "../../../src/search/search.ts";
import { userDataFolder } from "../../../src/settings/user-folders.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { cacheText, complete, type SearchWorld, searchWorld } from "./search-world.ts";

const folders = temporaryFolders();
const token = ["gh", "p_", made(60).slice(0, 36)].join("");
const text = `# Deploy\n\nThe zebrafish pipeline.\n\nUse ${token} there.\n`;
const [finding] = createGuard({ policy: "standard", allowed: new Set() }).scan(text);
const fingerprint = finding?.fingerprint ?? "";

/** What another process writes down. */
const allowListOf = ({ home }: SearchWorld) =>
  openAllowList({ records: recordsInFolder(userDataFolder({ env: {}, home })) });

async function shownBy(search: Search): Promise<string> {
  const page = await complete(search, { query: "zebrafish pipeline there", limit: 100 });
  const item = await search.recall({ query: "zebrafish pipeline" });
  return JSON.stringify([page, item]);
}

/** As it may stand in an index: in pieces, and folded. */
const pieceOf = (secret: string) => secret.slice(4, 20).toLowerCase();

describe("a server that runs while somebody decides what may be shown", () => {
  it("GUARD-4 shows what was allowed from the next question on, and no more once that is taken back", async () => {
    const world = searchWorld(folders.make());
    world.note("n.md", text);
    const server = await world.open({ stays: true });
    const search = server.search;
    expect(await shownBy(search)).not.toContain(token);
    await allowListOf(world).allow(fingerprint, "A sample.");
    expect(await shownBy(search)).toContain(token);
    expect(await allowListOf(world).revoke(fingerprint)).toBe(true);
    world.note("late.md", text);
    expect(await shownBy(search)).not.toContain(token);
    expect(await shownBy(server.search)).not.toContain(token);
    expect(await shownBy(search)).toContain("late.md");
    await server.close();
    expect(cacheText(world)).toContain("zebrafish");
    expect(cacheText(world)).not.toContain(pieceOf(token));
  });

  it("GUARD-4 answers all questions meanwhile, also of agents, and can be closed at any time", async () => {
    const world = searchWorld(folders.make());
    for (let number = 0; number < 40; number += 1) world.note(`n${number}.md`, `${text}\nNumber ${number}.\n`);
    const server = await world.open({ stays: true, flags: { "--agent-id": "ada" } });
    const search = server.search;
    const list = allowListOf(world);
    const asked: Promise<string>[] = [];
    for (let round = 0; round < 6; round += 1) {
      for (let question = 0; question < 5; question += 1) asked.push(shownBy(search));
      await (round % 2 === 0 ? list.allow(fingerprint, "A sample.") : list.revoke(fingerprint));
      await asked.at(-1);
    }
    for (const answer of await Promise.all(asked)) expect(answer).toContain("zebrafish");
    await list.allow(fingerprint, "A sample.");
    const last = shownBy(search).catch(() => "closed");
    await server.close();
    await server.close();
    expect(await last).toBeTypeOf("string");
    await expect(search.search({ query: "zebrafish" })).rejects.toThrowError(/was closed/);
  });

  it("HIST-5 never shows a purged value that comes back by hand, until that is taken back", async () => {
    const world = searchWorld(folders.make());
    const value = "Tulpenfeld-Nord-4711-Quagga";
    const note = `# Note\n\nThe zebrafish pipeline.\n\nFrom ${value} on.\n\nThere.\n`;
    world.note("n.md", note);
    const server = await world.open({ stays: true });
    const search = server.search;
    expect(await shownBy(search)).toContain(value);
    const other = await world.open();
    const { fingerprint: purged } = await other.purge({ value });
    world.note("again.md", note);
    world.note(`${value}.md`, "# Named\n\nThe zebrafish pipeline.\n");
    for (const one of [search, await (await world.open()).search]) {
      const { hits } = await complete(one, "zebrafish");
      expect(hits.map(({ path, flagged }) => [path, flagged]).sort()).toEqual([
        ["again.md", true],
        ["n.md", false],
      ]);
      expect((await complete(one, "quagga")).total).toBe(0);
      expect(await shownBy(one)).not.toContain(value);
    }
    expect(cacheText(world)).not.toContain("quagga");
    expect(await other.purgedValues.remove(purged ?? "")).toBe(true);
    expect(await shownBy(search)).toContain(value);
  });
});
