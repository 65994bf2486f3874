import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { version } from "../../src/cli/version.ts";
import { bin, checkout } from "../helpers/checkout.ts";
import { cliProcess, runProcess } from "../helpers/cli.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
const oldNode = findOldNode();
const pinned = join(checkout, "node_modules", "node", "bin", "node");

/** A Node of the machine that is older than 22.13, where there is one. */
function findOldNode(): string | undefined {
  return ["/usr/bin/node", "/usr/local/bin/node"].filter(existsSync).find((path) => {
    const [major = 0, minor = 0] = execFileSync(path, ["-p", "process.versions.node"], { encoding: "utf8" })
      .split(".")
      .map(Number);
    return major < 22 || (major === 22 && minor < 13);
  });
}

describe("the command that users start", () => {
  it("CLI-1 answers on the Node that runs the tests", async () => {
    expect(await cliProcess(["--version"])).toEqual({ code: 0, out: `${version}\n`, err: "" });
  });

  it("CLI-1 runs by npx in a checkout", async () => {
    // At a checkout that it has not seen as it is now, npx would build it anew: under the tests beside this one, and for
    // half a minute.
    const alone = ["--no-install", "--ignore-scripts", "--offline"];
    const { code, out } = await runProcess("npx", [...alone, "recollect", "--version"], { cwd: checkout });
    expect([code, out]).toEqual([0, `${version}\n`]);
  });

  it("CLI-1 runs through a link, as npm installs it", async () => {
    const link = join(folders.make(), "recollect");
    symlinkSync(bin, link);
    expect((await runProcess(process.execPath, [link, "--version"])).out).toBe(`${version}\n`);
  });

  it("CLI-1 runs where its compile cache cannot be kept", async () => {
    const env = { XDG_CACHE_HOME: "/dev/null/nowhere" };
    expect(await cliProcess(["--version"], { env })).toEqual({ code: 0, out: `${version}\n`, err: "" });
  });

  it("CLI-1 says how to build a checkout that was not built", async () => {
    const copy = join(folders.make(), "bin");
    cpSync(join(checkout, "bin"), copy, { recursive: true });
    const { code, err } = await runProcess(process.execPath, [join(copy, "recollect.cjs"), "--version"]);
    expect(code).toBe(1);
    expect(err).toBe("recollect: this checkout is not built. Run: npm ci\n");
  });
});

describe.skipIf(oldNode === undefined)(
  "started by a Node older than 22.13 (skipped where the machine has none)",
  () => {
    const start = (file: string, args: string[], input = "", env: NodeJS.ProcessEnv = {}) =>
      runProcess(oldNode ?? "", [file, ...args], { input, env });

    it.skipIf(!existsSync(pinned))(
      "CLI-1 goes on with the pinned Node of the checkout, with input, output and exit code",
      async () => {
        const options = ["--agent-id", "agent-1", "--app-cache-dir", folders.make()];
        expect(await start(bin, ["--version"])).toEqual({ code: 0, out: `${version}\n`, err: "" });
        expect(await start(bin, ["agent", "write", "a.md", ...options], "through the pipe")).toMatchObject({ code: 0 });
        expect((await start(bin, ["agent", "read", "a.md", ...options])).out).toBe("through the pipe");
        expect((await start(bin, ["agent", "read", "b.md", ...options])).code).toBe(3);
      },
    );

    it("CLI-1 without the pinned Node says which version it needs and how to get it, and ends with exit code 1", async () => {
      const copy = join(folders.make(), "bin");
      cpSync(join(checkout, "bin"), copy, { recursive: true });
      const { code, out, err } = await start(join(copy, "recollect.cjs"), ["--version"]);
      expect([code, out]).toEqual([1, ""]);
      expect(err).toContain("needs Node 22.13 or newer");
      expect(err).toContain("https://nodejs.org");
    });

    it("CLI-1 does not start itself for ever where the pinned Node is too old as well", async () => {
      const copy = folders.make();
      cpSync(join(checkout, "bin"), join(copy, "bin"), { recursive: true });
      mkdirSync(join(copy, "node_modules", "node", "bin"), { recursive: true });
      symlinkSync(oldNode ?? "", join(copy, "node_modules", "node", "bin", "node"));
      const { code, err } = await start(join(copy, "bin", "recollect.cjs"), ["--version"]);
      expect(code).toBe(1);
      expect(err).toContain("needs Node 22.13 or newer");
    });

    it("CLI-1 says that the pinned Node cannot be started, and ends with exit code 1", async () => {
      const copy = folders.make();
      cpSync(join(checkout, "bin"), join(copy, "bin"), { recursive: true });
      mkdirSync(join(copy, "node_modules", "node", "bin"), { recursive: true });
      writeFileSync(join(copy, "node_modules", "node", "bin", "node"), "", { mode: 0o644 });
      const { code, err } = await start(join(copy, "bin", "recollect.cjs"), ["--version"]);
      expect(code).toBe(1);
      expect(err).toBe("recollect: the pinned Node in node_modules cannot be started (EACCES). Run: npm ci\n");
    });

    it.skipIf(!existsSync(pinned))("CLI-1 serves MCP through the pinned Node, and ends when stdin ends", async () => {
      const greeting = { jsonrpc: "2.0", id: 1, method: "initialize" };
      const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
      const args = ["start-mcp-server", "--agent-id", "agent-1", "--app-cache-dir", folders.make()];
      const { code, out } = await start(bin, args, `${JSON.stringify({ ...greeting, params })}\n`);
      expect(code).toBe(0);
      expect(JSON.parse(out)).toMatchObject({ id: 1, result: { serverInfo: { name: "recollect" } } });
    });
  },
);
