import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bin } from "../helpers/checkout.ts";
import { cliProcess } from "../helpers/cli.ts";
import { connectServer, textOf } from "../helpers/mcp.ts";
import { memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();

/** The block of seed 001 as it stands there. */
const block = {
  serena: {
    type: "stdio",
    command: "uvx",
    args: [
      "--from",
      "git+https://github.com/oraios/serena",
      "serena",
      "start-mcp-server",
      "--context",
      "ide-assistant",
      "--project",
      "./",
      "--additional-folders",
      "../shared/.serena/memories,/team/common-memories",
      "--enable-web-dashboard=false",
    ],
  },
} as const;

/** What comes after the command and the package: the part that nobody has to change. */
const kept = block.serena.args.slice(block.serena.args.indexOf("start-mcp-server"));

describe("MCP-3 a client configuration that was made for Serena", () => {
  it("MCP-3 starts the server with only the command and the package changed, and without a word on stderr about flags", async () => {
    const world = memoryWorld(folders.make());
    mkdirSync(join(world.folder, "work/shared/.serena/memories"), { recursive: true });
    world.write("work/app/.serena/memories/from_serena.md", "# Kept\n");
    const server = await connectServer(kept.slice(1), { cwd: world.project, env: world.env });
    expect(textOf(await server.call("read_memory", { memory_name: "from_serena" }))).toBe("# Kept\n");
    await server.call("write_memory", { memory_name: "MEMORIES_x", content: "shared\n" });
    expect(readFileSync(join(world.folder, "work/shared/.serena/memories/MEMORIES_x.md"), "utf8")).toBe("shared\n");
    expect(server.log()).not.toContain("means nothing here");
    // MEM-2: the folder that does not exist is left out with a warning, and is not made.
    expect(server.log()).toContain("/team/common-memories");
    expect(server.client.getInstructions()).toContain("/team/common-memories");
    expect(existsSync("/team/common-memories")).toBe(false);
    await server.close();
  });

  it.each([
    [["--context", "some-context-nobody-knows"], undefined],
    [["--transport", "stdio"], undefined],
    [["--project-from-cwd"], undefined],
    [["--enable-web-dashboard", "false"], undefined],
    [["--host", "0.0.0.0", "--port", "9121"], "--port"],
    [["--mode", "planning", "--mode", "one-shot"], "--mode"],
    [["--tool-timeout", "60"], "--tool-timeout"],
    [["--enable-gui-log-window", "false"], "--enable-gui-log-window"],
    [["--language-backend", "LSP"], "--language-backend"],
    [["--log-level", "WARNING"], undefined],
    [["--log-level", "CRITICAL"], undefined],
  ])("MCP-3 %j is accepted, with a note where it means nothing here", async (flags, noted) => {
    const world = memoryWorld(folders.make());
    const { code, out, err } = await cliProcess(["start-mcp-server", ...flags], { cwd: world.project, env: world.env });
    expect([code, out]).toEqual([0, ""]);
    if (noted === undefined) expect(err).toBe("");
    else expect(err).toContain(`recollect: ${noted} means nothing here and is ignored.`);
  });

  it("MCP-3 a transport that is not there is refused, and nobody waits on stdin for it", async () => {
    const args = ["start-mcp-server", "--transport", "streamable-http", "--port", "9121"];
    const { code, err } = await cliProcess(args, { env: { HOME: folders.make() } });
    expect([code, err]).toEqual([2, expect.stringContaining("stdin and stdout alone")]);
  });

  it("MCP-3 a flag that neither of the two knows is refused", async () => {
    const { code, err } = await cliProcess(["start-mcp-server", "--frobnicate"], { env: { HOME: folders.make() } });
    expect(code).toBe(2);
    expect(err).toContain("--frobnicate");
  });

  it("CFG-1 --log-level, its variable and the user's file decide what is logged", async () => {
    const world = memoryWorld(folders.make());
    const start = async (flags: readonly string[], env: Readonly<Record<string, string>> = {}) => {
      const args = [bin, "start-mcp-server", "--additional-folders", "missing", ...flags].slice(1);
      return (await cliProcess(args, { cwd: world.project, env: { ...world.env, ...env } })).err;
    };
    expect(await start([])).toContain('"level":"warning"');
    expect(await start(["--log-level", "ERROR"])).toBe("");
    expect(await start([], { RECOLLECT_LOG_LEVEL: "error" })).toBe("");
    world.write("home/.config/recollect/config.yaml", "log_level: error\n");
    expect(await start([])).toBe("");
    expect(await start(["--log-level", "info"])).toContain('"level":"warning"');
  });
});
