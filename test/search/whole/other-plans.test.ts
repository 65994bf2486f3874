import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Operation } from "../../../src/kernel/root-policy.ts";
import type { Session } from "../../../src/workspace/session.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { complete, pathsOf, type SearchWorld, searchWorld } from "./search-world.ts";

const folders = temporaryFolders();
const memories = ".serena/memories";
const team = ({ at }: SearchWorld) => ({ RECOLLECT_ADDITIONAL_FOLDERS: at(`${memories}/team`) });
const found = async (who: Pick<Session, "search">, query: string) => {
  const { hits } = await complete(who.search, query);
  return hits.map(({ root, kind, path, title }) => [root, kind, path, title].join(" | ")).sort();
};

function worldWithTeam(): SearchWorld {
  const world = searchWorld(folders.make());
  world.note("a.md", "# A\n\nThe zebra crossing.\n");
  world.note("team/secret.md", "# Secret\n\nThe flamingo plan.\n");
  return world;
}

describe("one folder in two configurations", () => {
  it("KER-2 who may see a folder finds nothing of a root inside of it, whoever else searched without that root", async () => {
    const world = worldWithTeam();
    const server = await world.open({ stays: true, env: team(world) });
    const reading = new Set<Operation>(["list", "read"]);
    const token = server.session({ author: "token", grants: new Map([[memories, reading]]) });
    expect(await found(token, "flamingo")).toEqual([]);
    // A process that ends leaves all that it found in the index.
    expect(pathsOf(await world.ask("flamingo"))).toEqual(["team/secret.md"]);
    expect(await found(token, "flamingo")).toEqual([]);
    expect((await token.search.recall({ query: "flamingo plan" })).text).not.toContain("flamingo");
    expect(await found(token, "zebra")).toHaveLength(1);
  });

  it("SRCH-3 each finds all of its own, whatever the other one has in its index", async () => {
    const world = worldWithTeam();
    const plain = await world.open({ stays: true });
    for (const text of ["one", "two"]) {
      world.note("team/secret.md", `# Secret\n\nThe flamingo plan ${text}.\n`);
      expect(await found(plain, text)).toEqual([`${memories} | memory | team/secret.md | Secret`]);
      expect(pathsOf(await world.ask(text, { env: team(world) }))).toEqual(["secret.md"]);
      expect(await found(plain, text)).toEqual([`${memories} | memory | team/secret.md | Secret`]);
    }
  });

  it("SRCH-3 a folder of topics that is another project's memories is cut as each of them cuts it", async () => {
    const world = searchWorld(folders.make());
    const entry = (day: string, title: string) => `## 2026-01-0${day}: ${title}\n**Problem:** zebra\n\n---\n\n`;
    const own = await world.open({ stays: true });
    const topics = own.topicsRoot ?? "";
    world.write(`${topics}/build/deploy.md`, `# Deploy\n\n${entry("2", "First")}${entry("1", "Second")}`);
    world.write(`${topics}/index.md`, "# Index\n\nThe zebra.\n");
    const alone = await found(own, "zebra");
    expect(alone).toHaveLength(2);
    const other = join(dirname(world.project), "other");
    mkdirSync(join(other, ".git"), { recursive: true });
    writeFileSync(join(other, "recollect.yaml"), "");
    const theirs = { project: other, env: { RECOLLECT_ADDITIONAL_FOLDERS: world.at(topics) } };
    expect(pathsOf(await world.ask("zebra", theirs))).toContain("index.md");
    expect(await found(own, "zebra")).toEqual(alone);
    expect(await found(await world.open(), "zebra")).toEqual(alone);
  });
});
