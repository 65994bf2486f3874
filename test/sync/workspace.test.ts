import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { openWorkspace, type WorkspaceOptions } from "../../src/app.ts";
import { openPurgedValues } from "../../src/backends/files/purged-values.ts";
import { errorOf } from "../helpers/error-of.ts";
import { textOf } from "../helpers/mcp.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { diskFolder, temporaryFolders } from "../helpers/temporary-folders.ts";
import { git, makeRemote } from "./clones.ts";

const folders = temporaryFolders(diskFolder);
let [one, other]: [MemoryWorld, MemoryWorld] = [] as never;
let remote: string;

beforeEach(() => {
  const folder = folders.make();
  [one, other] = [memoryWorld(join(folder, "one")), memoryWorld(join(folder, "other"))];
  remote = makeRemote(join(folder, "team.git"));
});

/** In the user's own file: a project's may not lead outside. */
function configure(world: MemoryWorld, path: string, more: Readonly<Record<string, string>> = {}): void {
  const all = { external_memory_enabled: "true", memory_type: "git_repo", memory_path: JSON.stringify(path), ...more };
  const lines = Object.entries(all).map(([key, value]) => `  ${key}: ${value}\n`);
  world.write("home/.config/recollect/config.yaml", `memory_configuration:\n${lines.join("")}`);
}

const store = (world: MemoryWorld, title: string) =>
  world.cli(["topics", "store", "build", "cache", "--title", title, "--problem", "p"]);
const load = async (world: MemoryWorld) => (await world.cli(["topics", "load", "build"])).out;

async function open(world: MemoryWorld, more: WorkspaceOptions = {}) {
  const workspace = await openWorkspace({ project: world.project, home: world.home, env: {}, ...more });
  onTestFinished(() => workspace.close());
  return workspace;
}

describe("TOP-9 git_repo", () => {
  it("TOP-9 HIST-4 is cloned on first use, and on_write sends what is stored", async () => {
    for (const world of [one, other]) configure(world, `file://${remote}`);
    expect(await store(one, "First")).toEqual({ code: 0, out: "Stored in build/cache.\n", err: "" });
    expect(git(remote, "show", "main:build/cache.md")).toContain("First");
    expect(await load(other)).toContain("First");
    await store(other, "Second");
    expect(await load(one)).not.toContain("Second");
    expect(await one.cli(["sync"])).toMatchObject({
      code: 0,
      out: expect.stringContaining("2 files received, 0 files sent"),
    });
    expect(await load(one)).toContain("Second");
    expect(existsSync(join(one.project, "memory"))).toBe(false);
    const clones = join(one.home, ".local/share/recollect/repositories");
    expect(readdirSync(clones)).toEqual([expect.stringMatching(/^team-[0-9a-f]{16}$/)]);
  });

  it("AGT-4 a remote puts nothing where agents keep their files, and nothing of them goes there", async () => {
    const folder = join(one.folder, "topics");
    git(one.folder, "clone", "-q", remote, folder);
    configure(one, folder, { sync_strategy: "manual" });
    const inFolder = ["--app-cache-dir", join(folder, "cache")];
    await one.cli(["agent", "write", "mine.md", "--agent-id", "bob", "--content", "mine", ...inFolder]);
    await one.cli(["topics", "store", "build", "cache", "--title", "First", "--problem", "p", ...inFolder]);
    expect((await one.cli(["sync", ...inFolder])).err).toBe("");
    expect(git(remote, "ls-tree", "-r", "--name-only", "main")).not.toContain("agent_memory");
    const elsewhere = join(one.folder, "elsewhere");
    git(one.folder, "clone", "-q", remote, elsewhere);
    mkdirSync(join(elsewhere, "cache/agent_memory/bob"), { recursive: true });
    for (const name of ["cache/agent_memory/bob/mine.md", "cache/agent_memory/bob/planted.md", "README"]) {
      writeFileSync(join(elsewhere, name), "theirs");
    }
    git(elsewhere, "add", "-A");
    git(elsewhere, "commit", "-qm", "plant");
    git(elsewhere, "push", "-q");
    expect((await one.cli(["sync", ...inFolder])).err).toBe("");
    expect(readFileSync(join(folder, "README"), "utf8")).toBe("theirs");
    expect(readFileSync(join(folder, "cache/agent_memory/bob/mine.md"), "utf8")).toBe("mine");
    expect(existsSync(join(folder, "cache/agent_memory/bob/planted.md"))).toBe(false);
  });

  it("HIST-4 the first sync of a new clone says what it received", async () => {
    for (const world of [one, other]) configure(world, `file://${remote}`);
    await store(one, "First");
    expect((await other.cli(["sync"])).out).toContain("2 files received");
  });

  it("HIST-4 with manual sends nothing by itself, and says what waits", async () => {
    configure(one, remote, { sync_strategy: "manual" });
    await store(one, "First");
    expect(git(remote, "for-each-ref")).toBe("");
    expect((await one.cli(["sync", "--status"])).out).toMatch(/strategy manual\n.*\nWaiting to be sent: 2/);
    expect((await one.cli(["doctor"])).out).toContain("2 changes wait");
    expect(await one.cli(["sync", "--json"])).toMatchObject({ code: 0, out: expect.stringContaining('"sent":2') });
    expect(git(remote, "show", "main:build/cache.md")).toContain("First");
    expect((await one.cli(["doctor"])).out).toContain("nothing to send");
  });

  it("HIST-4 a remote that was never reached loses nothing, and every answer says so until it is", async () => {
    const later = join(one.folder, "later.git");
    configure(one, `file://${later}`);
    const stored = await store(one, "Before");
    expect(stored).toMatchObject({ code: 0, err: expect.stringContaining("was not reached yet") });
    const { topics, topicsWarning, search } = await open(one);
    expect(topicsWarning).toContain("There is no repository at the remote's address");
    expect((await topics.load({ topic: "build" })).total).toBe(1);
    expect((await search.search({ query: "Before" })).warnings[0]).toBe(topicsWarning);
    expect((await one.cli(["doctor"])).out).toContain("never synced, 2 changes wait");
    expect(await one.cli(["sync"])).toMatchObject({
      code: 6,
      err: expect.stringContaining("no repository at the remote"),
    });
    makeRemote(later);
    configure(other, `file://${later}`);
    await store(other, "By another");
    expect(await one.cli(["sync"])).toMatchObject({ code: 0 });
    expect(await load(one)).toMatch(/Before[\s\S]*By another|By another[\s\S]*Before/);
    expect((await open(one)).topicsWarning).toBeUndefined();
  });

  it("TOP-7 with on_external_failure: fail nothing is stored before the remote was reached", async () => {
    configure(one, `file://${join(one.folder, "none.git")}`, { on_external_failure: "fail" });
    const { topics, memories } = await open(one);
    expect(await errorOf(() => topics.list())).toMatchObject({ code: "SYNC_FAILED" });
    await memories.write("note", "memories go on\n");
  });

  it("CFG-2 a project's own file names no remote, and asks for no sync", async () => {
    const text = `memory_configuration:\n  external_memory_enabled: true\n  memory_type: git_repo\n  memory_path: file://${remote}\n`;
    one.write("work/app/recollect.yaml", text);
    expect(await store(one, "First")).toMatchObject({ code: 0, err: expect.stringContaining("has no effect") });
    expect(git(remote, "for-each-ref")).toBe("");
    expect(existsSync(join(one.project, "memory/build/cache.md"))).toBe(true);
    expect(existsSync(join(one.home, ".local/share/recollect/repositories"))).toBe(false);
    expect(await one.cli(["sync"])).toMatchObject({ code: 3 });
  });

  it.each([
    ["a password in it", () => "https://ada:hunter2@git.acme.dev/x.git"],
    ["another transport", () => "ext::sh -c touch% x"],
    ["an option", () => "--upload-pack=x"],
  ])("TOP-9 %s falls back to the project, says so, and does not repeat it", async (_, given) => {
    configure(one, given());
    const { code, err } = await store(one, "First");
    expect([code, err]).toEqual([0, expect.stringContaining("Entries go to “memory” in the project")]);
    expect(err).not.toMatch(/hunter2|touch|upload/);
    expect(existsSync(join(one.project, "memory/build/cache.md"))).toBe(true);
  });

  it("TOP-9 a folder that is no repository is refused; one that is empty becomes one", async () => {
    const [full, empty] = [join(one.folder, "full"), join(one.folder, "empty")];
    for (const folder of [full, empty]) mkdirSync(folder);
    writeFileSync(join(full, "x.txt"), "x");
    configure(one, full);
    expect((await store(one, "First")).err).toContain("is no git repository. Run git init there");
    configure(one, empty);
    expect(await store(one, "Second")).toMatchObject({ code: 0, err: "" });
    expect(git(empty, "show", "HEAD:build/cache.md")).toContain("Second");
    expect(git(empty, "status", "--porcelain")).toBe("");
  });

  it("HIST-4 a server keeps answering, sends after a write, and takes over what others wrote", async () => {
    for (const world of [one, other]) configure(world, `file://${remote}`);
    const server = await one.connect();
    onTestFinished(() => server.close());
    const entry = { topic: "build", subtopic: "cache", context: "c", problem: "p", solution: "s" };
    const call = (name: string, args: Record<string, unknown>) => server.client.callTool({ name, arguments: args });
    await call("store_in_memory", { ...entry, title: "By the server" });
    await expect
      .poll(() => git(remote, "log", "--all", "--format=%s"), { timeout: 30_000 })
      .toContain("recollect: sync");
    await expect.poll(() => load(other), { timeout: 30_000 }).toContain("By the server");
    await store(other, "By another");
    await call("store_in_memory", { ...entry, title: "Once more" });
    const loaded = async () => textOf(await call("load_from_memory", { topic: "build" }));
    await expect.poll(loaded, { timeout: 30_000 }).toContain("By another");
    expect(await loaded()).toContain("Once more");
  });

  it("HIST-4 a process that stays answers at once while its remote hangs, and says what is the matter", async () => {
    const server = createServer(() => {}).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const address = server.address();
    configure(one, `https://127.0.0.1:${typeof address === "object" ? address?.port : 0}/memory.git`);
    const workspace = await open(one, { stays: true });
    await workspace.topics.store({
      topic: "build",
      subtopic: "cache",
      title: "One",
      context: "c",
      problem: "p",
      solution: "s",
    });
    expect((await workspace.topics.load({ topic: "build" })).total).toBe(1);
    expect(workspace.topicsWarning).toContain("was not reached yet");
  });

  it("HIST-5 a value that was purged here stops the sync until the remote is clean", async () => {
    for (const world of [one, other]) configure(world, `file://${remote}`);
    await store(one, "First");
    await load(other);
    const value = "Zq81-planted-value";
    const purged = openPurgedValues({ folder: join(other.home, ".local/share/recollect") });
    await (await purged.prepare([Buffer.from(value)], Date.now())).register();
    await store(one, value);
    const { code, err } = await other.cli(["sync"]);
    expect([code, err]).toEqual([6, expect.stringContaining("still holds a value that was purged")]);
    expect(err).not.toContain(value);
    expect(await load(other)).not.toContain(value);
    expect((await open(other)).topicsWarning).toContain("not in step with its remote");
  });

  it("HIST-4 a sync that keeps what a rewritten remote lacks does not repeat the refusal that it has just resolved", async () => {
    configure(one, `file://${remote}`);
    await store(one, "First");
    await store(one, "Second");
    git(remote, "update-ref", "refs/heads/main", "refs/heads/main~1");
    const refused = await one.cli(["sync"]);
    expect([refused.code, refused.err]).toEqual([6, expect.stringContaining("--rewritten keep")]);
    expect(await one.cli(["sync", "--rewritten", "keep"])).toMatchObject({ code: 0, err: "" });
  });

  it("GUARD-1 what is pulled is not refused, and left out of recall", async () => {
    for (const world of [one, other]) configure(world, `file://${remote}`);
    await store(one, "First");
    await load(other);
    const [clone = ""] = readdirSync(join(other.home, ".local/share/recollect/repositories"));
    const folder = join(other.home, ".local/share/recollect/repositories", clone);
    const secret = ["ghp", "_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].join("");
    writeFileSync(join(folder, "build/leak.md"), `## 2026-11-15: Leak\n**Context:** token ${secret}\n---\n`);
    expect(await other.cli(["sync"])).toMatchObject({ code: 0 });
    expect(await one.cli(["sync"])).toMatchObject({ code: 0 });
    const mine = join(one.home, ".local/share/recollect/repositories", clone, "build/leak.md");
    expect(readFileSync(mine, "utf8")).toContain(secret);
    expect((await one.cli(["recall", "Leak token"])).out).not.toContain(secret);
  });
});
