import { describe, expect, it } from "vitest";
import { parseDocumentPath } from "../../src/core/document-path.ts";
import { fullAccess, type Operation, readOnly } from "../../src/core/root-policy.ts";
import type { Outcome, Stamp } from "../../src/core/store.ts";
import type { Session } from "../../src/workspace/session.ts";
import { errorOf } from "../helpers/error-of.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";
import { complete, pathsOf, searchWorld } from "../search/whole/search-world.ts";

const folders = temporaryFolders();
const primary = ".serena/memories";

function world(settings = "search: { meaning: false }\n") {
  const made = searchWorld(folders.make(), settings);
  made.note("build.md", "# Build\n\nharbour\n");
  made.write("shared/secret.md", "# Secret\n\nharbour lighthouse\n");
  return made;
}

const withShared = "search: { meaning: false }\nmemories: { additional_folders: [shared] }\n";
const only = (...grants: [string, ReadonlySet<Operation>][]) => ({ author: "agent:a", grants: new Map(grants) });

async function found(session: Session, query: string): Promise<string[]> {
  return pathsOf(await complete(await session.search(), query));
}

describe("a session of a workspace", () => {
  it("HIST-2 writes under the name of its bearer, beside others", async () => {
    const workspace = await world().open({ author: "person:ada" });
    const session = workspace.session({ author: "agent:builder", run: "r1" });
    await workspace.memories.write("one", "# One\n");
    await session.memories.write("two", "# Two\n");
    const { operations } = await (await workspace.history()).timeline({ limit: 9 });
    const writers = operations.map(({ author, run, changes }) => [changes[0]?.path, author, run]);
    expect(writers).toContainEqual(["one.md", "person:ada", undefined]);
    expect(writers).toContainEqual(["two.md", "agent:builder", "r1"]);
  });

  it("tells of what any session writes, and by whom, until nobody listens", async () => {
    const workspace = await world().open();
    const told: [readonly Outcome[], Stamp][] = [];
    const stop = workspace.onChanged((...change) => void told.push(change));
    await workspace.session({ author: "agent:a" }).memories.write("one", "# One\n");
    const own = workspace.session({ author: "agent:b", agentId: "b" });
    await own.agent?.memory.writeMemoryFile("b", "notes.md", "mine\n");
    stop();
    await workspace.memories.write("two", "# Two\n");
    expect(told.map(([outcomes, { author }]) => [outcomes[0]?.at.root, outcomes[0]?.at.path, author])).toEqual([
      [primary, "one.md", "agent:a"],
      ["agent_memory", "b/notes.md", "agent:b"],
    ]);
  });

  it("WEB-2 knows nothing of a root that it was not granted", async () => {
    const workspace = await world(withShared).open();
    const session = workspace.session(only([primary, fullAccess]));
    expect(session.roots.map(({ name }) => name)).toEqual([primary]);
    expect((await session.memories.list()).memories.map(({ name }) => name)).toEqual(["build"]);
    expect(await found(session, "lighthouse")).toEqual([]);
    expect((await complete(await session.search(), "harbour")).total).toBe(1);
    expect(await found(workspace, "lighthouse")).toEqual(["secret.md"]);
    const history = await session.history();
    expect(history.roots).toEqual([primary]);
    const withName = (error: unknown, name: string) => JSON.stringify(error).replaceAll(name, "NAME");
    for (const ask of [
      (name: string) => session.memories.read(name),
      (name: string) => session.memories.delete(name),
      (name: string) => history.locate(name),
      (name: string) => history.log({ root: name, limit: 1 }),
      (name: string) => session.documents.list({ root: name }),
      (name: string) => session.documents.read({ root: name, path: parseDocumentPath("a.md") }),
    ]) {
      for (const [hidden, missing] of [
        ["secret", "nothin"],
        ["shared", "nowher"],
      ] as const) {
        const errors = [await errorOf(() => ask(hidden)), await errorOf(() => ask(missing))];
        expect(errors[0]).toBeInstanceOf(Error);
        expect(withName(errors[0], hidden)).toBe(withName(errors[1], missing));
        expect(String(errors[0]).replaceAll(hidden, "")).toBe(String(errors[1]).replaceAll(missing, ""));
      }
    }
  });

  it("WEB-2 a hidden root in a folder that it sees is not there", async () => {
    const made = searchWorld(folders.make(), withShared.replace("[shared]", "[.serena/memories/inner]"));
    made.note("build.md", "# Build\n\nharbour\n");
    made.note("inner/INNER_secret.md", "# Secret\n\nlighthouse mem:build\n");
    const workspace = await made.open();
    const session = workspace.session(only([primary, fullAccess]));
    const inside = { root: primary, path: parseDocumentPath("inner/INNER_secret.md") };
    expect(await workspace.documents.read(inside)).toBeDefined();
    expect(await session.documents.read(inside)).toBeUndefined();
    const listed = await session.documents.list({ root: primary });
    expect(listed.entries.map(({ path }) => path)).toEqual(["build.md"]);
    expect((await session.documents.browse({ root: primary }))?.folders).toEqual([]);
    expect(await session.documents.browse({ root: primary, folder: parseDocumentPath("inner") })).toBeUndefined();
    expect(await found(session, "lighthouse")).toEqual([]);
    for (const name of ["INNER_secret", "inner/INNER_secret"])
      expect(await errorOf(() => session.memories.read(name))).toMatchObject({ code: "NOT_FOUND" });
    const written = session.documents.write(inside, "changed\n", session.stamp);
    expect(await errorOf(() => written)).toMatchObject({ code: "NOT_ALLOWED" });
    // What refers to a memory there is not its own to change.
    await session.memories.rename("build", "make");
    expect((await workspace.documents.read(inside))?.content).toContain("mem:build");
  });

  it("WEB-2 may do no more than it was granted, nor more than the configuration allows", async () => {
    const workspace = await world(withShared.replace("[shared]", '["shared:ro"]')).open();
    const reader = workspace.session(only([primary, readOnly], ["shared", fullAccess]));
    expect((await reader.memories.read("secret")).content).toContain("lighthouse");
    for (const name of ["build", "secret", "new"])
      expect(await errorOf(() => reader.memories.write(name, "changed\n"))).toMatchObject({ code: "READ_ONLY" });
    const writer = workspace.session(only([primary, new Set<Operation>(["list", "read", "write"])]));
    await writer.memories.write("new", "# New\n");
    expect(await errorOf(() => writer.memories.delete("new"))).toMatchObject({ code: "NOT_ALLOWED" });
    expect(await errorOf(() => writer.memories.rename("new", "other"))).toMatchObject({ code: "NOT_ALLOWED" });
  });

  it("WEB-2 has no topics where it was granted none", async () => {
    const workspace = await world().open();
    const entry = { topic: "sea", subtopic: "tide", title: "Low", context: "c", problem: "p", solution: "sandbank" };
    await workspace.topics().store(entry);
    const session = workspace.session(only([primary, fullAccess]));
    expect(session.topicsRoot).toBeUndefined();
    expect(await errorOf(() => session.topics())).toMatchObject({ code: "NOT_FOUND" });
    expect(await found(session, "sandbank")).toEqual([]);
  });

  it("AGT-4 finds the files of its own agent alone, however many agents there are", async () => {
    const workspace = await world().open({ stays: true });
    const agents = Array.from({ length: 70 }, (_, number) => `agent-${number}`);
    const sessions = agents.map((agentId) => workspace.session({ author: `agent:${agentId}`, agentId }));
    for (const [at, session] of sessions.entries())
      await session.agent?.memory.writeMemoryFile(agents[at] ?? "", "own.md", `# Own\n\nharbour number${at}\n`);
    for (const round of [1, 2]) {
      for (const at of [0, 1, 35, 69]) {
        const session = sessions[at];
        if (!session) throw new Error(`no session ${at} in round ${round}`);
        expect(await found(session, `"number${at}"`)).toEqual(["own.md"]);
        expect(await found(session, `"number${(at + 1) % 70}"`)).toEqual([]);
      }
      for (const session of sessions) expect((await complete(await session.search(), "harbour")).total).toBe(2);
    }
    expect(await found(workspace, `"number1"`)).toEqual([]);
  });

  it("AGT-4 an agent's grants hold for its own files too", async () => {
    const workspace = await world().open();
    const bearer = { author: "agent:a", agentId: "a" };
    await workspace.session(bearer).agent?.memory.writeMemoryFile("a", "own.md", "mine\n");
    const reader = workspace.session({ ...bearer, grants: new Map([["agent_memory", readOnly]]) });
    expect(await reader.agent?.memory.readMemoryFile("a", "own.md")).toBe("mine\n");
    const writing = errorOf(() => reader.agent?.memory.writeMemoryFile("a", "own.md", "changed\n"));
    expect(await writing).toMatchObject({ code: "READ_ONLY" });
  });
});
