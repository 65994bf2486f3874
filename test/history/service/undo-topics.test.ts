import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { openWorkspace } from "../../../src/app.ts";
import { createHistory } from "../../../src/history/history.ts";
import { undoTopics } from "../../../src/history/service/undo-topics.ts";
import { createTopics } from "../../../src/notes/topics/topics.ts";
import { documentStores } from "../../helpers/document-stores.ts";
import { type MemoryWorld, memoryWorld } from "../../helpers/memory-world.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { entriesIn, topicsIn } from "../../notes/topics/open-topics.ts";

const folders = temporaryFolders();
let world: MemoryWorld;

beforeEach(() => {
  world = memoryWorld(folders.make());
});

/** Stores entries as an author, in a run of the same name. */
async function stores(author: string, ...titles: string[]) {
  const workspace = await openWorkspace({
    cwd: world.project,
    env: {},
    home: world.home,
    author: `agent:${author}`,
    run: author,
  });
  const topics = workspace.topics;
  for (const title of titles) {
    const said = { context: "c", problem: "p", solution: `${title} solved` };
    await topics.store({ topic: "t", subtopic: "s", title, ...said });
  }
  await workspace.close();
}

const undo = (...args: string[]) => world.cli(["undo", "--yes", ...args]);
const path = (name: string) => join(world.project, "memory", name);
const titlesIn = (name: string) =>
  existsSync(path(name))
    ? [...readFileSync(path(name), "utf8").matchAll(/^## [0-9-]+: (.*)$/gm)].map(([, title]) => title)
    : undefined;
const archive = () => `archive/t/${new Date().getFullYear()}.md`;
const many = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `Bob${from + index}`);

describe("HIST-1 undo in a folder of topics", () => {
  it("takes an entry out of a file that was made then, and leaves those of others", async () => {
    await stores("ada", "Ada");
    await stores("bob", "Bob");
    expect(await undo("--run", "ada")).toMatchObject({ code: 0, err: "" });
    expect(titlesIn("t/s.md")).toEqual(["Bob"]);
    expect(readFileSync(path("index.md"), "utf8")).toContain("1 entry");
    expect(await undo("--run", "bob")).toMatchObject({ code: 0, err: "" });
    expect(titlesIn("t/s.md") ?? []).toEqual([]);
    expect((await world.cli(["verify"])).out).toContain("Everything agrees.");
  });

  it("brings what was pruned back once, also where others have pruned since", async () => {
    await stores("bob", ...many(0, 10));
    await stores("ada", "Ada");
    await stores("bob-later", ...many(10, 12));
    expect(titlesIn(archive())).toHaveLength(3);
    expect(await undo("--run", "ada")).toMatchObject({ code: 0, err: "" });
    const all = [...(titlesIn("t/s.md") ?? []), ...(titlesIn(archive()) ?? [])];
    expect(all.toSorted()).toEqual(many(0, 12).toSorted());
    expect((await world.cli(["verify"])).out).toContain("Everything agrees.");
  });
});

describe.each(documentStores)("PG-1 HIST-1 undo of entries on $name", (stores) => {
  it("HIST-1 takes an entry out and brings what was pruned back once, and leaves what others stored since", async () => {
    const { documents, history: historyOf, all } = await topicsIn(stores)();
    const undoFormat = undoTopics("memory");
    const history = createHistory({ histories: [historyOf("memory")], documents, undoFormat });
    const store = async (author: string, ...titles: string[]) => {
      const stamp = { author: `agent:${author}`, run: author };
      const topics = createTopics({ documents, root: "memory", stamp, today: () => "2026-11-15" });
      const said = { topic: "t", subtopic: "s", context: "c", problem: "p" };
      for (const title of titles) await topics.store({ ...said, title, solution: `${title} solved` });
    };
    await store("bob", ...many(0, 10));
    await store("ada", "Ada");
    await store("bob-later", ...many(10, 12));
    const report = await history.undo({ run: "ada" }, { author: "person:bob" });
    expect(report.documents.filter(({ kind }) => kind === "left")).toEqual([]);
    expect(entriesIn(await all(), "t")).toEqual(
      many(0, 12)
        .map((title) => `s 2026 ${title}`)
        .toSorted(),
    );
  });
});
