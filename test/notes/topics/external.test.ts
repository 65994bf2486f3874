import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { openWorkspace, type Workspace } from "../../../src/app.ts";
import { cli } from "../../helpers/cli.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { detailsOf, textOf } from "../../helpers/mcp.ts";
import { type MemoryWorld, memoryWorld } from "../../helpers/memory-world.ts";
import { someCases } from "../../helpers/some-cases.ts";
import { diskFolder, temporaryFolders } from "../../helpers/temporary-folders.ts";

const folders = temporaryFolders(diskFolder);
const entry = { topic: "build", subtopic: "cache", title: "One", context: "c", problem: "p", solution: "s" };
const access = "Path validation failed: Cannot access configured memory path";
let world: MemoryWorld;

beforeEach(() => {
  world = memoryWorld(folders.make());
});

/** In the user's own file: a project's may not lead outside. */
function configure(path: string | undefined, more: Readonly<Record<string, string>> = {}): void {
  const lines = Object.entries({ external_memory_enabled: "true", ...more }).map(([key, one]) => `  ${key}: ${one}`);
  if (path !== undefined) lines.push(`  memory_path: ${JSON.stringify(path)}`);
  world.write("home/.config/recollect/config.yaml", `memory_configuration:\n${lines.join("\n")}\n`);
}

async function open(): Promise<Workspace> {
  const workspace = await openWorkspace({ project: world.project, home: world.home, env: {} });
  onTestFinished(() => workspace.close());
  return workspace;
}

const own = () => join(world.project, "memory");
const store = (...args: string[]) =>
  world.cli(["topics", "store", "build", "cache", "--title", "One", "--problem", "p", ...args]);

describe("ONE-4 {project} in the path of the external memory", () => {
  it("ONE-4 gives each project a folder to itself", async () => {
    configure("~/notes/{project}");
    await store();
    mkdirSync(join(world.folder, "work/other/.serena"), { recursive: true });
    const inOther = ["--project", join(world.folder, "work/other")];
    expect((await world.cli(["topics", "list", ...inOther])).out).not.toContain("build/");
    await store("--title", "Two", ...inOther);
    expect(readdirSync(join(world.home, "notes")).sort()).toEqual(["app", "other"]);
    expect(readFileSync(join(world.home, "notes/other/build/cache.md"), "utf8")).not.toContain("One");
  });

  it("ONE-4 stands for --project-name where one is given, and a name is taken as it is", async () => {
    configure("~/notes/{project}");
    expect(await store("--project-name", "a $& b")).toMatchObject({ code: 0 });
    expect(readdirSync(join(world.home, "notes"))).toEqual(["a $& b"]);
  });

  it("ONE-4 outside of a project says what to do, and makes nothing", async () => {
    configure("~/notes/{project}");
    const { code, err } = await cli(["topics", "list"], undefined, { cwd: world.home, home: world.home, env: {} });
    expect([code, err]).toEqual([2, expect.stringContaining("Change to a project, or give --project-name.")]);
    expect(existsSync(join(world.home, "notes"))).toBe(false);
  });

  it("ONE-4 CFG-2 in a project's own file has no effect before the user trusts it: a clone can bring links", async () => {
    mkdirSync(join(world.folder, "elsewhere"));
    mkdirSync(join(world.project, "topics"));
    symlinkSync(join(world.folder, "elsewhere"), join(world.project, "topics/app"));
    world.write("work/app/recollect.yaml", "memory_path: topics/{project}\n");
    await store();
    expect(readdirSync(join(world.folder, "elsewhere"))).toEqual([]);
    expect(existsSync(own())).toBe(true);
  });
});

describe("TOP-7 an external memory", () => {
  it.each([
    ["with ~", () => "~/notes/topics", () => join(world.home, "notes/topics")],
    ["absolute", () => join(world.folder, "external"), () => join(world.folder, "external")],
  ])("TOP-7 %s is made where it is missing, and holds the entries", async (_, given, place) => {
    configure(given());
    expect(await store()).toEqual({ code: 0, out: "Stored in build/cache.\n", err: "" });
    expect(readdirSync(place()).sort()).toEqual(expect.arrayContaining(["build", "index.md"]));
    expect(existsSync(own())).toBe(false);
    expect((await world.cli(["topics", "load", "build"])).out).toContain("One");
    const { topicsWarning, warnings } = await open();
    expect([topicsWarning, warnings]).toEqual([undefined, []]);
  });

  it("TOP-7 is shared by projects, and read again once it is enabled no more", async () => {
    configure(join(world.folder, "external"));
    await store();
    configure(join(world.folder, "external"), { external_memory_enabled: "false" });
    expect(await world.cli(["topics", "load", "build"])).toMatchObject({ code: 3 });
    await store();
    expect(existsSync(join(own(), "build/cache.md"))).toBe(true);
  });

  it("CFG-2 a project's own file cannot lead outside", async () => {
    const outside = join(world.folder, "outside");
    const text = `memory_configuration:\n  external_memory_enabled: true\n  memory_path: ${outside}\n`;
    world.write("work/app/recollect.yaml", text);
    expect(await store()).toMatchObject({ code: 0, err: expect.stringContaining("has no effect") });
    expect([existsSync(outside), existsSync(own())]).toEqual([false, true]);
  });

  it("a git repository in a folder works as a folder", async () => {
    mkdirSync(join(world.folder, "repo/.git"), { recursive: true });
    configure(join(world.folder, "repo"), { memory_type: "git_repo" });
    expect(await store()).toMatchObject({ code: 0, err: "" });
    expect(existsSync(join(world.folder, "repo/build/cache.md"))).toBe(true);
  });
});

const system = "Security violation: Cannot use system directory for memory storage";
const refusals: readonly (readonly [what: string, given: () => string | undefined, says: string])[] = [
  ["/etc", () => "/etc", system],
  ["/var/x", () => "/var/x", system],
  ["/usr/share/recollect", () => "/usr/share/recollect", system],
  ["a link to /usr", () => linked("/usr"), system],
  ["below a link to /etc", () => `${linked("/etc")}/memory`, system],
  ["a link to what is missing in /etc", () => linked("/etc/none-such"), system],
  ["keys of the home", () => "~/.ssh/memory", system],
  ["/", () => "/", "Security violation: Cannot use root directory for memory storage"],
  ["a link to /", () => linked("/"), "Security violation: Cannot use root directory for memory storage"],
  ["~/../../etc", () => "~/../../etc", "Security violation: Path traversal not allowed in memory path"],
  ["a/../b", () => "a/../b", "Security violation: Path traversal not allowed in memory path"],
  ["/etc/../x", () => "/etc/../x", "Security violation: Path traversal not allowed in memory path"],
  ["~other/x", () => "~other/x", access],
  ["nothing", () => undefined, access],
  ["a file", () => world.write("a-file", "x"), access],
  ["below a file", () => join(world.write("a-file", "x"), "sub"), access],
  ["a link in a circle", () => circle(), access],
  ["an https address", () => "https://git.acme.dev/notes.git", access],
  ["an ssh address", () => "git@git.acme.dev:notes.git", access],
  ["a host", () => "backup:notes", access],
  ["a transport that runs a command", () => "ext::sh -c touch% x", access],
  ["an option", () => "--upload-pack=x", access],
  ["the project", () => world.project, "lies inside of the project, so it is not external"],
  ["a folder of the project", () => join(world.project, "notes"), "lies inside of the project"],
  ["a relative folder", () => "notes", "lies inside of the project"],
  ["git's own folder", () => join(world.project, ".git/hooks"), "lies inside of the project"],
  ["the user's own memories", () => "~/.serena/memories/global", "is a folder of memories already"],
  ["where agents keep their files", () => "~/.local/share/recollect/agent_memory/a", "where the agents keep"],
];

/** To write costs much more than to be refused, and goes the same way after each refusal. */
const written = new Set(someCases(refusals, 7).map(([what]) => what));

function linked(target: string): string {
  symlinkSync(target, join(world.folder, "link"));
  return join(world.folder, "link");
}

function circle(): string {
  symlinkSync("circle", join(world.folder, "circle"));
  return join(world.folder, "circle");
}

describe("TOP-8 a refused external memory", () => {
  it.each(refusals)("TOP-7 TOP-8 %s falls back to the project, and says so", async (what, given, says) => {
    configure(given());
    const { topics, topicsWarning, warnings } = await open();
    expect(topicsWarning).toContain(says);
    expect(topicsWarning).toMatch(
      /\. Entries go to “memory” in the project until memory_configuration\.memory_path is mended\.$/,
    );
    expect(warnings).toContain(topicsWarning);
    if (!written.has(what)) return;
    await topics.store(entry);
    expect(existsSync(join(own(), "build/cache.md"))).toBe(true);
    expect(readdirSync(world.project).sort()).toEqual([".git", "memory"]);
  });

  it.each(refusals)(
    "TOP-7 TOP-8 %s with on_external_failure: fail is an error of the topics alone",
    async (what, given, says) => {
      configure(given(), { on_external_failure: "fail" });
      const { topics, memories } = await open();
      expect(await errorOf(() => topics.list())).toMatchObject({
        code: "NOT_ALLOWED",
        message: expect.stringContaining(says),
      });
      if (written.has(what)) await memories.write("note", "memories go on\n");
      expect(existsSync(own())).toBe(false);
    },
  );

  it("TOP-8 a folder of memories, and the bank, are refused wherever they lie", async () => {
    const shared = join(world.folder, "shared");
    mkdirSync(shared);
    const refusal = async (external: string, ...flags: string[]) =>
      (await store(...flags, "--external-memory", "--external-memory-path", external)).err;
    expect(await refusal(shared, "--additional-folder", shared)).toContain("is a folder of memories already");
    expect(await refusal(shared, "--memories-folder", shared)).toContain("is a folder of memories already");
    for (const inside of ["", "app", "templates", "other"])
      expect(await refusal(join(world.bank, inside), "--memory-path", world.bank)).toContain("lies inside of the bank");
  });

  it("TOP-7 the command line warns on stderr in every command, in words and with --json, until it is mended", async () => {
    configure("/etc");
    const commands = [
      ["store", "build", "cache", "--title", "One", "--problem", "p"],
      ["load", "build"],
      ["load", "missing"],
      ["list"],
      ["prune"],
      ["archive", "build", "cache", "--keep", "5"],
      ["reindex"],
    ];
    for (const args of commands) {
      const [plain, json] = [await world.cli(["topics", ...args]), await world.cli(["topics", ...args, "--json"])];
      expect([args, plain.err]).toEqual([args, expect.stringContaining(`recollect: ${system}. Entries go to`)]);
      const [first = ""] = json.err.split("\n");
      expect(JSON.parse(first)).toEqual({ warnings: [expect.stringContaining(system)] });
      if (json.code === 0) expect(() => JSON.parse(json.out)).not.toThrow();
    }
    configure("~/mended");
    expect(await store()).toMatchObject({ code: 0, err: "" });
  });

  it("TOP-7 with fail, the command line ends with 5, and memories go on", async () => {
    configure("/", { on_external_failure: "fail" });
    expect(await store()).toMatchObject({
      code: 5,
      out: "",
      err: expect.stringContaining("Cannot use root directory"),
    });
    expect(await world.cli(["memories", "write", "a", "--content", "x"])).toMatchObject({ code: 0 });
  });

  it("TOP-8 the keys of the account are refused, whatever HOME says", async () => {
    const keys = join(userInfo().homedir, ".ssh", "recollect-notes");
    configure(keys);
    expect((await open()).topicsWarning).toContain(system);
    expect(existsSync(keys)).toBe(false);
  });

  it("TOP-7 without a project there is nothing to fall back to", async () => {
    configure("/etc");
    const workspace = await openWorkspace({ cwd: world.home, home: world.home, env: {} });
    onTestFinished(() => workspace.close());
    expect(await errorOf(() => workspace.topics.list())).toMatchObject({ code: "NOT_ALLOWED", message: `${system}.` });
  });

  it("TOP-7 over MCP every result has the warning, as text and structured, errors too", async () => {
    configure("/etc");
    const server = await world.connect();
    onTestFinished(() => server.close());
    const stored = await server.call("store_in_memory", entry);
    const again = await server.call("store_in_memory", entry);
    const loaded = await server.call("load_from_memory", { topic: "build" });
    for (const result of [stored, again, loaded]) {
      expect(result.isError ?? false).toBe(false);
      expect(textOf(result).match(/Warning: Security violation/g)).toHaveLength(1);
      expect(detailsOf(result)).toMatchObject({ warning: expect.stringContaining(system) });
    }
    for (const failed of [
      await server.call("load_from_memory", { topic: "elsewhere" }),
      await server.call("store_in_memory", { ...entry, title: "" }),
    ]) {
      expect([failed.isError, textOf(failed)]).toEqual([true, expect.stringContaining(`Warning: ${system}`)]);
    }
    expect(server.log()).toContain(system);
    expect((await server.call("write_memory", { memory_name: "a", content: "x" })).isError ?? false).toBe(false);
  });

  it.each(["fallback", "fail"])("TOP-7 search and recall have the warning as well (%s)", async (mode) => {
    configure("/etc", mode === "fail" ? { on_external_failure: "fail" } : {});
    if (mode === "fallback") await store();
    const warned = { warnings: expect.arrayContaining([expect.stringContaining(system)]) };
    for (const command of [
      ["search", "one"],
      ["recall", "one"],
    ]) {
      expect(JSON.parse((await world.cli([...command, "--json"])).out)).toMatchObject(warned);
      // In words, once.
      expect((await world.cli(command)).err.split(system)).toHaveLength(2);
    }
    const server = await world.connect();
    onTestFinished(() => server.close());
    for (const tool of ["search_memory", "recall_context"]) {
      const result = await server.call(tool, { query: "one" });
      expect(detailsOf(result)).toMatchObject(warned);
      expect(JSON.stringify(result.content)).toContain(system);
    }
  });

  it("TOP-7 over MCP with fail, both tools say why, and memories go on", async () => {
    configure("/etc", { on_external_failure: "fail" });
    const server = await world.connect();
    onTestFinished(() => server.close());
    for (const [tool, args] of [
      ["store_in_memory", entry],
      ["load_from_memory", { topic: "build" }],
    ] as const) {
      const result = await server.call(tool, args);
      expect([result.isError, textOf(result)]).toEqual([true, expect.stringMatching(`^NOT_ALLOWED: ${system}`)]);
      expect(textOf(result).split(system)).toHaveLength(2);
    }
    expect((await server.call("write_memory", { memory_name: "a", content: "x" })).isError ?? false).toBe(false);
  });
});

describe("TOP-7 the project's own folder of topics", () => {
  it("TOP-7 is where memory_path says, and a folder of memories costs the topics alone", async () => {
    expect(await store("--topics-folder", "docs/learned")).toMatchObject({ code: 0 });
    expect(readFileSync(join(world.project, "docs/learned/build/cache.md"), "utf8")).toContain("One");
    mkdirSync(own());
    for (const flags of [
      ["--memories-folder", "memory"],
      ["--additional-folder", "memory"],
      ["--topics-folder", "."],
    ]) {
      expect(await store(...flags)).toMatchObject({
        code: 5,
        err: expect.stringContaining("There are no topics, since"),
      });
      const written = await world.cli(["memories", "write", "a", "--content", "x", ...flags]);
      expect(written).toMatchObject({ code: 0, err: expect.stringContaining("There are no topics, since") });
    }
    rmSync(own(), { recursive: true });
    const outside = join(world.folder, "outside");
    mkdirSync(outside);
    symlinkSync(outside, own());
    expect(await store()).toMatchObject({
      code: 5,
      err: expect.stringContaining("leads outside of the project through a link"),
    });
    expect(readdirSync(outside)).toEqual([]);
  });
});
