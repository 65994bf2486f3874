import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ApiConflictData, ApiDocument, ApiMoved, ApiSaved } from "../../../src/http/api/contract/document.ts";
import type { ApiFolder } from "../../../src/http/api/contract/folder.ts";
import type { ApiSession } from "../../../src/http/api/contract/session.ts";
import { apiWorlds } from "./open-api.ts";

const open = apiWorlds();
const root = ".serena/memories";
const fresh = (path: string, content: string) => ({ root, path, content, ifRev: null });

describe("WEB-3 documents over the JSON API", () => {
  it("WEB-3 the session says who asks and which roots there are, and what may be done there", async () => {
    const world = await open({
      askers: { reader: { author: "person:eve", grants: new Map([[root, new Set(["list", "read"])]]) } },
    });
    const { body } = await world.get<ApiSession>("/session");
    expect(body).toMatchObject({ version: "1.2.3", project: "app", author: "person:ada", isAdmin: true });
    expect(body.roots.map(({ name, kind }) => [name, kind])).toEqual([
      [root, "memories"],
      ["memory", "topics"],
    ]);
    const other = (await world.get<ApiSession>("/session", {}, "reader")).body;
    expect(other.roots).toEqual([{ name: root, kind: "memories", operations: ["list", "read"], hasHistory: true }]);
    expect(other.isAdmin).toBe(false);
  });

  it("WEB-3 a file that cannot be shown is in the way of a new one, and that is said", async () => {
    const world = await open();
    world.write(`work/app/${root}/bytes.md`, Buffer.from([0xff, 0xfe, 0x00]));
    const refused = await world.failure(world.send("PUT", "/document", fresh("bytes.md", "new\n")));
    expect([refused.code, refused.message]).toEqual(["CONFLICT", expect.stringContaining("is there")]);
    expect(refused.message).not.toContain("any more");
  });

  it("WEB-3 a document is made, read, changed and removed, each with its revision", async () => {
    const world = await open();
    const made = await world.send<ApiSaved>("PUT", "/document", fresh("auth/login.md", "# Login\n"));
    expect(made).toMatchObject({ status: 200, body: { root, path: "auth/login.md" } });
    const read = (await world.get<ApiDocument>("/document", { root, path: "auth/login.md" })).body;
    expect(read).toMatchObject({
      name: "auth/login",
      content: "# Login\n",
      rev: made.body.rev,
      readOnly: false,
      findings: [],
    });
    const changed = await world.send<ApiSaved>("PUT", "/document", {
      root,
      path: "auth/login.md",
      content: "# New\n",
      ifRev: read.rev,
    });
    expect(changed.body.rev).not.toBe(read.rev);
    const gone = await world.send<ApiSaved>(
      "DELETE",
      `/document?root=${root}&path=auth/login.md&ifRev=${changed.body.rev}`,
    );
    expect(gone.status).toBe(200);
    expect(await world.failure(world.get("/document", { root, path: "auth/login.md" }))).toMatchObject({
      status: 404,
      code: "NOT_FOUND",
    });
  });

  it("KER-6 somebody who was slower gets both sides, and nothing is written", async () => {
    const world = await open();
    const made = (await world.send<ApiSaved>("PUT", "/document", fresh("build.md", "first\n"))).body;
    writeFileSync(join(world.project, root, "build.md"), "by hand\n");
    const late = { root, path: "build.md", content: "mine\n", ifRev: made.rev };
    const refused = await world.failure(world.send("PUT", "/document", late));
    expect(refused).toMatchObject({ status: 409, code: "CONFLICT" });
    const { current } = refused.data as unknown as ApiConflictData;
    expect(current?.content).toBe("by hand\n");
    expect(readFileSync(join(world.project, root, "build.md"), "utf8")).toBe("by hand\n");
    const again = await world.send("PUT", "/document", { ...late, ifRev: current?.rev });
    expect(again.status).toBe(200);
    expect(await world.failure(world.send("PUT", "/document", fresh("build.md", "x")))).toMatchObject({
      status: 409,
      data: { current: { content: "mine\n" } },
    });
    expect(await world.failure(world.send("PUT", "/document", { ...late, path: "none.md" }))).toMatchObject({
      status: 409,
      data: {},
    });
    expect(
      await world.failure(world.send("DELETE", `/document?root=${root}&path=build.md&ifRev=${made.rev}`)),
    ).toMatchObject({ status: 409, data: { current: { content: "mine\n" } } });
  });

  it("MEM-11 a moved memory takes its references with it, and never overwrites", async () => {
    const world = await open();
    const { rev } = (await world.send<ApiSaved>("PUT", "/document", fresh("old.md", "one\n"))).body;
    await world.send("PUT", "/document", fresh("refers.md", "see mem:old\n"));
    const move = { root, path: "old.md", to: "auth/new.md", ifRev: rev };
    const moved = await world.send<ApiMoved>("POST", "/document/move", move);
    expect(moved.body).toMatchObject({ root, path: "auth/new.md", rewritten: ["refers"], notRewritten: [] });
    expect((await world.get<ApiDocument>("/document", { root, path: "refers.md" })).body.content).toBe(
      "see mem:auth/new\n",
    );
    expect(await world.failure(world.send("POST", "/document/move", move))).toMatchObject({ status: 404 });
    const taken = { root, path: "auth/new.md", to: "refers.md", ifRev: moved.body.rev };
    expect(await world.failure(world.send("POST", "/document/move", taken))).toMatchObject({ status: 409 });
    const late = { ...taken, to: "other.md", ifRev: "0".repeat(32) };
    expect(await world.failure(world.send("POST", "/document/move", late))).toMatchObject({
      status: 409,
      data: { current: { content: "one\n" } },
    });
  });

  it("KER-6 of a move and a change at the same time one is refused, so that no changed text is moved unseen", async () => {
    const world = await open();
    for (let round = 0; round < 12; round += 1) {
      const [path, to] = [`m${round}.md`, `n${round}.md`];
      const { rev } = (await world.send<ApiSaved>("PUT", "/document", fresh(path, "one\n"))).body;
      const change = { root, path, content: "two\n", ifRev: rev };
      const both = [
        () => world.send("PUT", "/document", change),
        () => world.send("POST", "/document/move", { root, path, to, ifRev: rev }),
      ];
      const answers = await Promise.all((round % 2 === 0 ? both : both.reverse()).map((send) => send()));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const moved = await world.get<ApiDocument>("/document", { root, path: to });
      expect(moved.status === 404 || moved.body.content === "one\n").toBe(true);
    }
  });

  it("TOP-5 writing, moving and removing a topic's file rebuilds the index", async () => {
    const world = await open();
    const entry = "## 2026-01-01: One\n**Problem:** p\n\n---\n\n";
    const index = () => readFileSync(join(world.project, "memory/index.md"), "utf8");
    const saved = await world.send<ApiSaved>("PUT", "/document", {
      root: "memory",
      path: "build/cache.md",
      content: entry,
      ifRev: null,
    });
    expect(index()).toContain("cache");
    const moved = await world.send<ApiMoved>("POST", "/document/move", {
      root: "memory",
      path: "build/cache.md",
      to: "build/moved.md",
      ifRev: saved.body.rev,
    });
    expect(moved.body).toMatchObject({ root: "memory", path: "build/moved.md" });
    expect(index()).toContain("moved");
    await world.send("DELETE", `/document?root=memory&path=build/moved.md&ifRev=${moved.body.rev}`);
    expect(index()).not.toContain("moved");
  });

  it("GUARD-3 a secret is refused with rule and place, and its value is nowhere in the answer", async () => {
    const world = await open();
    const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
    const answer = await world.send("PUT", "/document", fresh("keys.md", `# Keys\n\ntoken: ${secret}\n`));
    const { error } = answer.body as { error: { code: string; data: { findings: unknown[] } } };
    expect(answer.status).toBe(422);
    expect(error.code).toBe("SENSITIVE_CONTENT");
    expect(error.data.findings[0]).toEqual({
      rule: expect.any(String),
      line: 3,
      column: 8,
      fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(answer.text).not.toContain(secret);
  });

  it("KER-12 what is too large says how large it may be", async () => {
    const world = await open();
    const refused = await world.failure(world.send("PUT", "/document", fresh("big.md", "x".repeat(1024 * 1024 + 1))));
    expect(refused).toMatchObject({
      status: 413,
      code: "TOO_LARGE",
      data: { limit: 1024 * 1024, size: 1024 * 1024 + 1 },
    });
  });

  it("KER-8 what is read-only stays so", async () => {
    const world = await open({
      askers: { reader: { author: "person:eve", grants: new Map([[root, new Set(["list", "read"])]]) } },
    });
    const { rev } = (await world.send<ApiSaved>("PUT", "/document", fresh("a.md", "a\n"))).body;
    const query = `/document?root=${root}&path=a.md&ifRev=${rev}`;
    expect(await world.failure(world.send("PUT", "/document", fresh("b.md", "b"), "reader"))).toMatchObject({
      status: 403,
      code: "READ_ONLY",
    });
    expect(await world.failure(world.send("DELETE", query, undefined, "reader"))).toMatchObject({ status: 403 });
    expect(
      await world.failure(
        world.send("POST", "/document/move", { root, path: "a.md", to: "b.md", ifRev: rev }, "reader"),
      ),
    ).toMatchObject({ status: 403 });
    expect((await world.get<ApiDocument>("/document", { root, path: "a.md" }, "reader")).body.readOnly).toBe(true);
  });

  it("WEB-3 a folder shows its children, folders first, page by page, and what is no text with a remark", async () => {
    const world = await open();
    for (let at = 0; at < 205; at += 1) world.write(`work/app/${root}/n${String(at).padStart(3, "0")}.md`, `${at}\n`);
    world.write(`work/app/${root}/sub/deep/one.md`, "1\n");
    world.write(`work/app/${root}/bytes.md`, Buffer.from([0xff, 0xfe, 0x00]));
    const first = (await world.get<ApiFolder>("/folder", { root })).body;
    expect(first.folders).toEqual(["sub"]);
    expect(first.documents).toHaveLength(199);
    expect(first.documents[0]).toMatchObject({
      path: "bytes.md",
      readOnly: true,
      remark: expect.stringContaining("UTF-8"),
    });
    expect(first.documents[1]).toMatchObject({ path: "n000.md", size: 2, readOnly: false });
    const second = (await world.get<ApiFolder>("/folder", { root, after: first.next ?? "" })).body;
    expect(second.documents.map(({ path }) => path)).toEqual([
      "n198.md",
      "n199.md",
      "n200.md",
      "n201.md",
      "n202.md",
      "n203.md",
      "n204.md",
    ]);
    expect(second.next).toBeUndefined();
    expect((await world.get<ApiFolder>("/folder", { root, folder: "sub" })).body).toMatchObject({
      folders: ["sub/deep"],
      documents: [],
    });
    expect(await world.failure(world.get("/folder", { root, folder: "none" }))).toMatchObject({ status: 404 });
    const later = (await world.get<ApiFolder>("/folder", { root, after: "n203-that-is-gone.md" })).body;
    expect(later.documents.map(({ path }) => path)).toEqual(["n203.md", "n204.md"]);
    expect((await world.get<ApiFolder>("/folder", { root: "memory" })).body).toMatchObject({
      folders: [],
      documents: [],
    });
  });

  it("WEB-1 a folder says how long its documents are without reading them", async () => {
    const world = await open({ askers: { bot: { author: "agent:bot", agentId: "bot" } } });
    // Whoever reads this one to its end finds that it is no text.
    const content = Buffer.concat([Buffer.alloc(900_000, "text\n"), Buffer.from([0xff])]);
    world.write(`work/app/${root}/long.md`, content);
    expect((await world.get<ApiFolder>("/folder", { root })).body.documents).toEqual([
      { path: "long.md", size: 900_001, modified: expect.any(String), readOnly: false },
    ]);
    expect((await world.get("/document", { root, path: "long.md" })).status).toBe(422);
    const own = { root: "agent_memory", path: "n.md", content: "größe\n", ifRev: null };
    const { rev } = (await world.send<ApiSaved>("PUT", "/document", own, "bot")).body;
    expect((await world.get<ApiFolder>("/folder", { root: "agent_memory" }, "bot")).body.documents).toMatchObject([
      { path: "n.md", size: 8, rev, readOnly: false },
    ]);
  });
});
