import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, it, vi } from "vitest";
import { bin, checkout } from "../helpers/checkout.ts";
import { cliProcess } from "../helpers/cli.ts";
import { bearer, modernCall, send } from "../helpers/http-server.ts";
import { connectServer, textOf } from "../helpers/mcp.ts";
import { type MemoryWorld, memoryWorld } from "../helpers/memory-world.ts";
import { seenUnderWay } from "../helpers/seen-under-way.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

interface Served {
  readonly origin: string;
  readonly token: string;
  readonly dashboard: string;
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
}

async function serve(world: MemoryWorld, args: readonly string[] = []): Promise<Served> {
  const child = spawn(process.execPath, [bin, "serve", "--port", "0", "--json", ...args], {
    cwd: world.project,
    env: { ...process.env, ...world.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.push(child);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    void ended.then((code) => reject(new Error(`ended with ${code}`)));
  });
  return { ...JSON.parse(line), child, ended };
}

const ask = ({ origin, token }: Served, asked: Parameters<typeof send>[1]) =>
  send(origin, { ...asked, headers: { host: new URL(origin).host, ...bearer(token), ...asked.headers } });

const call = (name: string, args: object) => modernCall("tools/call", { name, arguments: args });

describe("WEB-1 recollect serve", () => {
  it("WEB-1 serves the project, MCP, API and dashboard on one port, and says where", async () => {
    const world = memoryWorld(folders.make());
    const server = await serve(world);
    expect(server.dashboard).toBe(`${server.origin}/#token=${server.token}`);
    await ask(server, call("write_memory", { memory_name: "note", content: "over HTTP\n" }));
    expect(existsSync(join(world.project, ".serena/memories/note.md"))).toBe(true);
    expect((await ask(server, { path: "/api/session" })).status).toBe(200);
    const page = await ask(server, { path: "/", headers: { "accept-encoding": "gzip" } });
    expect([page.status, page.headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.headers["content-security-policy"]).toContain("default-src 'none'");
    const again = { "if-none-match": String(page.headers.etag) };
    expect((await ask(server, { path: "/", headers: again })).status).toBe(304);
  });

  it("WEB-1 ends on SIGTERM with exit code 0, after what is under way", async () => {
    const server = await serve(memoryWorld(folders.make()));
    await ask(server, call("write_memory", { memory_name: "long", content: `${"a".repeat(40)}!\n` }));
    const regex = { memory_name: "long", needle: "(a+)+$", repl: "x", mode: "regex" };
    const underWay = await seenUnderWay(
      () => ask(server, call("edit_memory", regex)),
      async () => (await ask(server, { path: "/metrics" })).text.includes("recollect_http_requests_working 1"),
    );
    server.child.kill("SIGTERM");
    // The same signal once more at once, as npm and a terminal together send it, changes nothing.
    server.child.kill("SIGTERM");
    expect((await underWay.ended).status).toBe(200);
    expect(await server.ended).toBe(0);
  });

  it("WEB-1 works on a workspace of its own with --embedded, as npm start does", async () => {
    const world = memoryWorld(folders.make());
    const server = await serve(world, ["--embedded"]);
    await ask(server, call("write_memory", { memory_name: "note", content: "x\n" }));
    expect(existsSync(join(world.home, ".local/share/recollect/workspace/.serena/memories/note.md"))).toBe(true);
    expect(existsSync(join(world.project, ".serena"))).toBe(false);
  });

  it.skipIf(process.platform === "win32")(
    "WEB-1 npm start serves, and leaves nothing behind when npm is ended",
    async () => {
      const world = memoryWorld(folders.make());
      const child = spawn("npm", ["start", "--silent", "--", "--port", "0", "--json"], {
        cwd: checkout,
        env: { ...process.env, ...world.env },
        stdio: ["ignore", "pipe", "ignore"],
      });
      started.push(child);
      const line = await new Promise<string>((resolve) =>
        createInterface({ input: child.stdout }).once("line", resolve),
      );
      const { origin, token } = JSON.parse(line);
      const headers = { host: new URL(origin).host, ...bearer(token) };
      expect((await send(origin, { path: "/api/session", headers })).status).toBe(200);
      child.kill("SIGTERM");
      await vi.waitFor(() => expect(send(origin, { path: "/healthz", headers })).rejects.toThrow(), 10_000);
    },
  );

  it("WEB-1 a port that is taken, half of OAuth and a wrong address are refused in words", async () => {
    const world = memoryWorld(folders.make());
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const port = String((other.address() as AddressInfo).port);
    for (const [args, says] of [
      [["--port", port], "another program listens there"],
      [["--port", "0", "--oauth-issuer", "https://login.example.org"], "need all of"],
      [["--port", "0", "--addresses", "memory.example.org"], "address"],
      [["--port", "0", "--host", "192.0.2.1"], "no such address"],
    ] as const) {
      const { code, err } = await cliProcess(["serve", ...args], { cwd: world.project, env: world.env });
      expect([code, err]).toEqual([2, expect.stringContaining(says)]);
    }
    other.close();
  });

  it("WEB-2 makes no token of its own where it is told so, and knows those of recollect token", async () => {
    const world = memoryWorld(folders.make());
    const server = await serve(world, ["--no-own-token"]);
    expect([server.token, server.dashboard]).toEqual([undefined, `${server.origin}/`]);
    const created = JSON.parse((await world.cli(["token", "create", "ada", "--json"])).out);
    expect((await ask({ ...server, token: created.secret }, { path: "/api/session" })).status).toBe(200);
  });
});

describe("MCP-3 start-mcp-server --enable-web-dashboard", () => {
  it("MCP-3 WEB-1 serves the dashboard beside stdin and stdout, says where on stderr, and ends with them", async () => {
    const world = memoryWorld(folders.make());
    const server = await connectServer(["--enable-web-dashboard=true"], { cwd: world.project, env: world.env });
    const address = await vi.waitFor(() => {
      const found = /(http:\/\/127\.0\.0\.1:\d+)\/#token=(rcl_\S+)/.exec(server.log());
      expect(found).not.toBeNull();
      return found;
    }, 10_000);
    const [, origin = "", token = ""] = address ?? [];
    await server.call("write_memory", { memory_name: "note", content: "over stdin\n" });
    const path = "/api/document?root=.serena%2Fmemories&path=note.md";
    const headers = { host: new URL(origin).host, ...bearer(token) };
    expect((await send(origin, { path, headers })).text).toContain("over stdin");
    expect(textOf(await server.call("read_memory", { memory_name: "note" }))).toBe("over stdin\n");
    await server.close();
    await vi.waitFor(() => expect(send(origin, { path: "/healthz", headers })).rejects.toThrow(), 10_000);
  });
});
