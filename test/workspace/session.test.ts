import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseDocumentPath } from "../../src/kernel/document-path.ts";
import { fullAccess, type Operation, readOnly } from "../../src/kernel/root-policy.ts";
import type { Outcome, Stamp } from "../../src/kernel/store.ts";
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

function fromBase64(text: string): string {
  return Buffer.from(text, "base64url").toString("latin1");
}

async function found(session: Session, query: string): Promise<string[]> {
  return pathsOf(await complete(session.search, query));
}

describe("a session of a workspace", () => {
  it("HIST-2 writes under the name of its bearer, beside others", async () => {
    const workspace = await world().open({ author: "person:ada" });
    const session = workspace.session({ author: "agent:builder", run: "r1" });
    await workspace.memories.write("one", "# One\n");
    await session.memories.write("two", "# Two\n");
    const { operations } = await workspace.history.timeline({ limit: 9 });
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

  it("writes, whatever becomes of telling others", async () => {
    const workspace = await world().open();
    const told: string[] = [];
    workspace.onChanged(() => {
      throw new Error("broken");
    });
    workspace.onChanged((outcomes) => void told.push(...outcomes.map(({ at }) => at.path)));
    await workspace.memories.write("one", "# One\n");
    expect(told).toEqual(["one.md"]);
  });

  it("WEB-2 knows nothing of a root that it was not granted", async () => {
    const workspace = await world(withShared).open();
    const session = workspace.session(only([primary, fullAccess]));
    expect(session.roots.map(({ name }) => name)).toEqual([primary]);
    expect((await session.memories.list()).memories.map(({ name }) => name)).toEqual(["build"]);
    expect(await found(session, "lighthouse")).toEqual([]);
    expect((await complete(session.search, "harbour")).total).toBe(1);
    expect(await found(workspace, "lighthouse")).toEqual(["secret.md"]);
    const history = session.history;
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
    // What refers to a memory there is not its own to change, and a new name could hide one that lies there.
    expect(await errorOf(() => session.memories.rename("build", "make"))).toMatchObject({ code: "NOT_ALLOWED" });
    expect((await workspace.documents.read(inside))?.content).toContain("mem:build");
  });

  it("WEB-2 history names nothing of a hidden root, nor what was there before it was one", async () => {
    const made = searchWorld(folders.make(), "search: { meaning: false }\n");
    made.note("build.md", "# Build\n");
    made.note("private/earlier.md", "# Earlier\n");
    const before = await made.open();
    await before.history.catchUp();
    await before.close();
    made.write("recollect.yaml", withShared.replace("[shared]", "[.serena/memories/private]"));
    made.note("private/secretname.md", "# Secret\n\nlighthouse\n");
    const workspace = await made.open();
    const at = (path: string) => ({ root: primary, path: parseDocumentPath(path) });
    const move = (from: string, to: string) => workspace.documents.move(at(from), at(to), workspace.stamp);
    await move("private/secretname.md", "pub.md");
    await workspace.documents.write(at("pub.md"), "# Public\n", workspace.stamp);
    await workspace.documents.write(at("going.md"), "# Going\n", workspace.stamp);
    await move("going.md", "private/gone.md");
    await workspace.documents.write(at("private/earlier.md"), "# Later\n", workspace.stamp);
    const hidden = /private|secretname|gone\.md|lighthouse.*private/;
    const everything = JSON.stringify(await workspace.history.timeline({ limit: 99 }));
    expect(everything).toMatch(/private\/secretname/);

    const history = workspace.session(only([primary, fullAccess])).history;
    const told = [
      await history.timeline({ limit: 99 }),
      await history.log({ root: primary, limit: 1 }),
      await history.log({ root: primary, folder: parseDocumentPath("private"), limit: 9 }),
      ...(await Promise.all(
        ["pub.md", "going.md"].flatMap((path) => [
          history.log({ ...at(path), limit: 1 }),
          history.log({ ...at(path), limit: 9 }),
          history.log({ ...at(path), limit: 1, author: workspace.stamp.author }),
          history.show(at(path)),
          history.diff(at(path)),
          history.diff(at(path), { to: "~1" }),
          history.blame(at(path)),
        ]),
      )),
      await history.log({ ...at("private/earlier.md"), limit: 9 }),
      await errorOf(() => history.show(at("pub.md"), "~2")),
    ];
    const decoded = told.flatMap((one) => {
      const text = JSON.stringify(one);
      // Where a page goes on is no text that somebody reads, and must not hold a name either.
      return [text, ...[...text.matchAll(/"next":"([^"]+)"/g)].map(([, next = ""]) => fromBase64(next))];
    });
    for (const text of decoded) expect(text).not.toMatch(hidden);
    expect((await history.log({ ...at("pub.md"), limit: 9 })).operations).toHaveLength(2);
    expect((await history.log({ ...at("private/earlier.md"), limit: 9 })).operations).toEqual([]);
    expect(await errorOf(() => history.locate("private/earlier.md"))).toMatchObject({ code: "NOT_FOUND" });
  });

  it("WEB-2 pages of a log are full, and go on, where what is hidden is left out", async () => {
    const made = searchWorld(folders.make(), "search: { meaning: false }\n");
    const before = await made.open();
    const at = (path: string) => ({ root: primary, path: parseDocumentPath(path) });
    for (let number = 0; number < 6; number += 1) {
      await before.documents.write(at(`seen-${number}.md`), "# Seen\n", before.stamp);
      await before.documents.write(at(`private/hidden-${number}.md`), "# Hidden\n", before.stamp);
    }
    await before.history.catchUp();
    await before.close();
    made.write("recollect.yaml", withShared.replace("[shared]", "[.serena/memories/private]"));
    const workspace = await made.open();
    const history = workspace.session(only([primary, fullAccess])).history;
    const pages: string[][] = [];
    for (let after: string | undefined; ; ) {
      const page = await history.log({ root: primary, limit: 4, after });
      if (page.operations.length > 0) pages.push(page.operations.map(({ changes }) => changes[0]?.path ?? ""));
      if (page.next === undefined) break;
      after = page.next;
    }
    expect(pages).toEqual([
      ["seen-5.md", "seen-4.md", "seen-3.md", "seen-2.md"],
      ["seen-1.md", "seen-0.md"],
    ]);
  });

  it("WEB-2 BANK-2 has that part of the bank which it was granted", async () => {
    const made = world();
    const bank = join(made.home, "bank");
    for (const path of ["app/plan.md", "templates/plan-mode.md"]) {
      mkdirSync(dirname(join(bank, path)), { recursive: true });
      writeFileSync(join(bank, path), "# Plan\n");
    }
    const workspace = await made.open({ flags: { "--memory-path": bank } });
    const [plan, template] = [join(bank, "app/plan.md"), join(bank, "templates/plan-mode.md")];
    const none = workspace.session(only([primary, fullAccess]));
    expect(none.bankAreas).toBeUndefined();
    const ofBank = workspace.session(only(["bank", fullAccess]));
    expect((await ofBank.bank.readFile(plan)).content).toContain("Plan");
    expect(await ofBank.bank.createTaskFile("one", "plan")).toMatchObject({ from: "nothing" });
    const ofTemplates = workspace.session(only(["templates", fullAccess]));
    expect((await ofTemplates.bank.readFile(template)).content).toContain("Plan");
    expect(await errorOf(() => ofTemplates.bank.createTaskFile("two", "plan"))).toMatchObject({ code: "NOT_ALLOWED" });
    for (const [session, path] of [
      [none, plan],
      [none, template],
      [ofBank, template],
      [ofTemplates, plan],
    ] as const) {
      const error = await errorOf(() => session.bank.readFile(path));
      expect(error).toMatchObject({ code: "NOT_ALLOWED", message: expect.not.stringContaining(dirname(path)) });
    }
  });

  it("WEB-2 may do no more than it was granted, nor more than the configuration allows", async () => {
    const workspace = await world(withShared.replace("[shared]", '["shared:ro"]')).open();
    const reader = workspace.session(only([primary, readOnly], ["shared", fullAccess]));
    expect((await reader.memories.read("secret")).content).toContain("lighthouse");
    for (const name of ["build", "secret", "new"])
      expect(await errorOf(() => reader.memories.write(name, "changed\n"))).toMatchObject({ code: "READ_ONLY" });
    const writer = workspace.session(
      only([primary, new Set<Operation>(["list", "read", "write"])], ["shared", readOnly]),
    );
    await writer.memories.write("new", "# New\n");
    expect(await errorOf(() => writer.memories.delete("new"))).toMatchObject({ code: "NOT_ALLOWED" });
    expect(await errorOf(() => writer.memories.rename("new", "other"))).toMatchObject({ code: "NOT_ALLOWED" });
  });

  it("WEB-2 has no topics where it was granted none", async () => {
    const workspace = await world().open();
    const entry = { topic: "sea", subtopic: "tide", title: "Low", context: "c", problem: "p", solution: "sandbank" };
    await workspace.topics.store(entry);
    const session = workspace.session(only([primary, fullAccess]));
    expect(session.topicsRoot).toBeUndefined();
    expect(await errorOf(() => session.topics.list())).toMatchObject({ code: "NOT_FOUND" });
    expect(await found(session, "sandbank")).toEqual([]);
  });

  it.each(["fallback", "fail"])(
    "WEB-2 TOP-7 hears nothing of failing topics that it was not granted (%s)",
    async (mode) => {
      const made = world();
      const flags = { "--external-memory": true, "--external-memory-path": "/etc", "--on-external-failure": mode };
      const workspace = await made.open({ flags });
      expect(workspace.topicsWarning).toBeDefined();
      expect((await workspace.search.search({ query: "harbour" })).warnings).toContain(workspace.topicsWarning);
      const session = workspace.session(only([primary, fullAccess]));
      expect(session.topicsWarning).toBeUndefined();
      const search = session.search;
      const said = [await search.search({ query: "harbour" }), await search.recall({ query: "harbour" })];
      for (const { warnings } of said) expect(warnings).not.toContain(workspace.topicsWarning);
      expect(await errorOf(() => session.topics.list())).toMatchObject({ code: "NOT_FOUND" });
    },
  );

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
      for (const session of sessions) expect((await complete(session.search, "harbour")).total).toBe(2);
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
