import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ApiConflicts, ApiConflictView, ApiSettled } from "../../../src/http/api/contract/conflicts.ts";
import type { ApiSaved } from "../../../src/http/api/contract/document.ts";
import { type ApiWorld, type ApiWorldOptions, apiWorlds } from "./open-api.ts";

const open = apiWorlds();
const root = ".serena/memories";
const path = "build.conflict-1a2b3c4d.md";

async function conflicted(askers: ApiWorldOptions["askers"] = {}): Promise<ApiWorld> {
  const world = await open({ askers });
  world.write(`work/app/${root}/build.md`, "one\nours\n");
  world.write(`work/app/${root}/${path}`, "one\ntheirs\n");
  return world;
}

const shown = async (world: ApiWorld, place = { root, path }, who?: string) =>
  (await world.get<ApiConflictView>("/conflicts/show", place, who)).body;
const settle = (world: ApiWorld, request: object) =>
  world.send<ApiSettled>("POST", "/conflicts/settle", { root, path, ...request });
const listed = async (world: ApiWorld) => (await world.get<ApiConflicts>("/conflicts")).body;

describe("HIST-4 conflicts over the JSON API", () => {
  it("HIST-4 are listed and shown with both sides", async () => {
    const world = await conflicted();
    expect((await listed(world)).conflicts).toEqual([
      { root, path, name: "build.conflict-1a2b3c4d", original: "build.md", originalName: "build" },
    ]);
    const view = await shown(world);
    expect(view).toMatchObject({ ours: { text: "one\nours\n" }, theirs: { text: "one\ntheirs\n" } });
    expect(view.rows?.at(-1)).toMatchObject({ kind: "changed", left: { text: "ours" }, right: { text: "theirs" } });
    expect(view.both).toContain("ours");
    for (const other of ["none.md", "build.md", "none.conflict-1a2b3c4d.md", "../x.conflict-1a2b3c4d.md"]) {
      const missing = world.get("/conflicts/show", { root, path: other });
      expect(await world.failure(missing), other).toMatchObject({ status: 404, code: "NOT_FOUND" });
    }
  });

  it.each([
    ["ours", "one\nours\n"],
    ["theirs", "one\ntheirs\n"],
    ["both", "one\nours\n"],
    ["text", "one\nmerged\n"],
  ])("HIST-4 are settled by keeping %s", async (keep, content) => {
    const world = await conflicted();
    const settled = await settle(world, { keep, ...(keep === "text" ? { text: content } : {}) });
    expect(settled.body).toMatchObject({ root, path: "build.md", rev: expect.any(String) });
    expect(settled.body.kept).toEqual(keep === "both" ? { root, path: "build-other.md" } : undefined);
    expect(readFileSync(join(world.project, root, "build.md"), "utf8")).toBe(content);
    expect((await listed(world)).conflicts).toEqual([]);
  });

  it("HIST-4 of one path in two roots are two, each shown and settled by itself", async () => {
    const world = await open();
    const other = "net/dns.conflict-1a2b3c4d.md";
    for (const folder of [root, "memory"]) {
      world.write(`work/app/${folder}/net/dns.md`, `ours in ${folder}\n`);
      world.write(`work/app/${folder}/${other}`, `theirs in ${folder}\n`);
    }
    expect((await listed(world)).conflicts).toHaveLength(2);
    for (const folder of [root, "memory"]) {
      const view = await shown(world, { root: folder, path: other });
      expect(view).toMatchObject({ ours: { text: `ours in ${folder}\n` }, theirs: { text: `theirs in ${folder}\n` } });
      const settled = await settle(world, { root: folder, path: other, keep: "theirs" });
      expect(settled.body).toMatchObject({ root: folder, path: "net/dns.md" });
      expect(readFileSync(join(world.project, folder, "net/dns.md"), "utf8")).toBe(`theirs in ${folder}\n`);
    }
    expect((await listed(world)).conflicts).toEqual([]);
  });

  it("HIST-4 KER-6 what was changed since it was looked at is not settled, nor is a text with markers", async () => {
    const world = await conflicted();
    const { ours, theirs } = await shown(world);
    const seen = { ours: ours?.rev ?? null, theirs: theirs.rev ?? null };
    world.write(`work/app/${root}/build.md`, "changed\n");
    const refused: readonly (readonly [object, number])[] = [
      [{ keep: "theirs", seen }, 409],
      [{ keep: "theirs", seen: { ...seen, ours: "bad" } }, 400],
      [{ keep: "text", text: "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n" }, 400],
      [{ keep: "text" }, 400],
      [{ keep: "ours", text: "of no use" }, 400],
      [{ keep: "mine" }, 400],
    ];
    for (const [request, status] of refused) {
      expect(await world.failure(settle(world, request)), JSON.stringify(request)).toMatchObject({ status });
    }
    expect(readFileSync(join(world.project, root, path), "utf8")).toBe("one\ntheirs\n");
  });

  it("HIST-4 keeping ours where there is none deletes the only copy, and must have been seen", async () => {
    const world = await open();
    world.write(`work/app/${root}/${path}`, "the only copy\n");
    const { ours, theirs, choices } = await shown(world);
    expect(ours).toBeUndefined();
    expect(choices).toMatchObject([
      { keep: "theirs", missing: [] },
      { keep: "ours", deletes: { root, path }, missing: [] },
    ]);
    expect(await world.failure(settle(world, { keep: "ours" }))).toMatchObject({ status: 400 });
    expect(existsSync(join(world.project, root, path))).toBe(true);
    const settled = await settle(world, { keep: "ours", seen: { ours: null, theirs: theirs.rev } });
    expect(settled.body).toEqual({ root, path: "build.md" });
    expect(existsSync(join(world.project, root, path))).toBe(false);
  });

  it("HIST-4 WEB-2 say what a credential lacks to settle them", async () => {
    const may = (...operations: ("list" | "read" | "write" | "append")[]) => {
      return { author: "person:eve", grants: new Map([[root, new Set(operations)]]) };
    };
    const world = await conflicted({ reader: may("list", "read"), writer: may("list", "read", "write", "append") });
    const missing = async (who?: string) =>
      Object.fromEntries((await shown(world, { root, path }, who)).choices.map((one) => [one.keep, one.missing]));
    expect(await missing()).toEqual({ ours: [], theirs: [], both: [], text: [] });
    expect(await missing("reader")).toEqual({
      ours: ["delete"],
      theirs: ["write", "delete"],
      both: ["move", "write"],
      text: ["write", "delete"],
    });
    expect(await missing("writer")).toEqual({ ours: ["delete"], theirs: ["delete"], both: ["move"], text: ["delete"] });
  });
});

describe("HIST-4 what a sync decided without a document beside it", () => {
  const git = (cwd: string, ...args: string[]) => execFileSync("git", args, { cwd, stdio: "pipe" });

  /** Topics in a repository, in which a clone of somebody else's did something as well. */
  async function synced(elsewhere: (clone: string) => void, here: (world: ApiWorld, topics: string) => Promise<void>) {
    let [remote, clone] = ["", ""];
    const world = await open({
      before: ({ folder }) => {
        [remote, clone] = [join(folder, "remote.git"), join(folder, "clone")];
        git(folder, "init", "-q", "--bare", "-b", "main", remote);
        git(folder, "clone", "-q", remote, clone);
        for (const [key, value] of Object.entries({ "user.name": "t", "user.email": "t@example.invalid" }))
          git(clone, "config", key, value);
        git(clone, "checkout", "-q", "-b", "main");
        mkdirSync(join(clone, "build"));
        writeFileSync(join(clone, "build/text.md"), "a\nb\nc\n");
        git(clone, "add", ".");
        git(clone, "commit", "-q", "-m", "one");
        git(clone, "push", "-q", "origin", "main");
      },
      flags: () => ({
        "--external-memory": true,
        "--external-memory-type": "git_repo",
        "--external-memory-path": `file://${remote}`,
        "--sync-strategy": "manual",
      }),
    });
    const sync = await world.workspace.sync();
    // What was begun with the workspace may be under way.
    const run = () =>
      sync.run().then(
        () => true,
        () => false,
      );
    const whenSynced = () => expect.poll(run, { timeout: 30_000 }).toBe(true);
    await whenSynced();
    const topics = world.workspace.topicsRoot ?? "";
    await here(world, topics);
    elsewhere(clone);
    git(clone, "commit", "-q", "-a", "-m", "two");
    git(clone, "push", "-q", "origin", "main");
    await whenSynced();
    return { world, topics };
  }

  const revOf = async (world: ApiWorld, place: { root: string; path: string }) =>
    (await world.get<ApiSaved>("/document", place)).body.rev;
  const change = async (world: ApiWorld, place: { root: string; path: string }, content: string) =>
    world.send("PUT", "/document", { ...place, content, ifRev: await revOf(world, place) });

  it("HIST-4 is listed with its choices, and settled by one", async () => {
    const { world, topics } = await synced(
      (clone) => git(clone, "rm", "-q", "build/text.md"),
      async (one, name) => void (await change(one, { root: name, path: "build/text.md" }, "a\nchanged\nc\n")),
    );
    const place = { root: topics, path: "build/text.md" };
    const decided = "deleted-and-changed";
    const { unsettled } = await listed(world);
    expect(unsettled).toMatchObject([
      {
        ...place,
        kind: decided,
        choices: [{ keep: "ours" }, { keep: "theirs", deletes: place, missing: [] }],
        seen: { ours: await revOf(world, place), theirs: null },
      },
    ]);
    const given = { ...place, decided };
    expect(await world.failure(settle(world, { ...given, keep: "both" }))).toMatchObject({ status: 400 });
    expect(await world.failure(settle(world, { ...place, keep: "theirs" }))).toMatchObject({ status: 404 });
    const settled = await settle(world, { ...given, keep: "theirs", seen: unsettled[0]?.seen });
    expect(settled.body).toEqual(place);
    expect((await listed(world)).unsettled).toEqual([]);
    expect((await world.get("/document", place)).status).toBe(404);
  });

  it("HIST-4 KER-6 is not settled where a document is not as it was seen, and nothing is deleted", async () => {
    const { world, topics } = await synced(
      (clone) => git(clone, "mv", "build/text.md", "build/there.md"),
      async (one, name) => {
        const place = { root: name, path: "build/text.md" };
        const ifRev = await revOf(one, place);
        expect((await one.send("POST", "/document/move", { ...place, to: "build/here.md", ifRev })).status).toBe(200);
      },
    );
    const [here, there] = ["build/here.md", "build/there.md"].map((one) => ({ root: topics, path: one })) as [
      { root: string; path: string },
      { root: string; path: string },
    ];
    const { unsettled } = await listed(world);
    expect(unsettled).toMatchObject([
      {
        ...here,
        kind: "renamed-twice",
        choices: [{ keep: "ours", deletes: there }, { keep: "theirs", deletes: here }, { keep: "both" }],
      },
    ]);
    const given = { ...here, decided: "renamed-twice", seen: unsettled[0]?.seen };
    await change(world, there, "written meanwhile\n");
    for (const keep of ["ours", "theirs", "both"]) {
      expect(await world.failure(settle(world, { ...given, keep })), keep).toMatchObject({ status: 409 });
    }
    expect(await world.failure(settle(world, { ...given, keep: "ours", text: "x" }))).toMatchObject({ status: 400 });
    expect(await revOf(world, there)).toBeDefined();
    await world.send(
      "DELETE",
      `/document?${new URLSearchParams({ ...here, ifRev: (await revOf(world, here)) ?? "" })}`,
    );
    const [now] = (await listed(world)).unsettled;
    expect(
      now?.choices.map(({ keep }) => keep),
      "nothing goes for what is gone",
    ).toEqual(["theirs", "both"]);
    const last = { ...given, seen: undefined, keep: "ours" };
    expect(await world.failure(settle(world, last)), "also of who did not look").toMatchObject({ status: 409 });
    expect((await settle(world, { ...given, keep: "theirs", seen: now?.seen })).status).toBe(200);
    expect(await revOf(world, there)).toBeDefined();
    expect((await listed(world)).unsettled).toEqual([]);
  });
});
