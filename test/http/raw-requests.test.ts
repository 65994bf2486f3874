import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HttpWorld, httpWorld } from "../helpers/http-server.ts";
import { memoryWorld } from "../helpers/memory-world.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
let at: HttpWorld;
beforeAll(async () => {
  at = await httpWorld(memoryWorld(folders.make()));
});
afterAll(() => at.close());

/** The status that comes first on a socket, whatever was written to it. */
function statusOf(request: string): Promise<string> {
  const [host = "", port = ""] = at.host.split(":");
  return new Promise((resolve) => {
    const socket = connect(Number(port), host);
    let received = "";
    const end = () => {
      socket.destroy();
      resolve(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? "closed");
    };
    socket.on("data", (part) => {
      received += part.toString("latin1");
      end();
    });
    socket.on("close", end).on("error", end);
    socket.write(request.replaceAll("HOST", at.host).replaceAll("TOKEN", at.server.secret ?? ""));
  });
}

describe("WEB-1 what no browser and no library would send", () => {
  it.each([
    ["an ordinary request", "GET /healthz HTTP/1.1\r\nHost: HOST\r\n\r\n", "200"],
    ["two names, ours first", "GET /healthz HTTP/1.1\r\nHost: HOST\r\nHost: evil.example.org\r\n\r\n", "403"],
    ["two names, ours last", "GET /healthz HTTP/1.1\r\nHost: evil.example.org\r\nHost: HOST\r\n\r\n", "403"],
    ["no name", "GET /healthz HTTP/1.1\r\n\r\n", "400"],
    ["no name, as of old", "GET /healthz HTTP/1.0\r\n\r\n", "400"],
    ["another name in the request line", "GET http://evil.example.org/healthz HTTP/1.1\r\nHost: HOST\r\n\r\n", "403"],
    [
      "two lengths of one body",
      "POST /mcp HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer TOKEN\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "400",
    ],
    ["a header without end", `GET /healthz HTTP/1.1\r\nHost: HOST\r\nX: ${"a".repeat(20_000)}\r\n\r\n`, "431"],
    ["an upgrade", "GET /mcp HTTP/1.1\r\nHost: HOST\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n", "401"],
    ["a tunnel", "CONNECT evil.example.org:80 HTTP/1.1\r\nHost: HOST\r\n\r\n", "closed"],
    ["a trace", "TRACE / HTTP/1.1\r\nHost: HOST\r\n\r\n", "404"],
    ["a zero byte", "GET /%00 HTTP/1.1\r\nHost: HOST\r\n\r\n", "404"],
    ["no HTTP at all", "\x16\x03\x01\x02\x00\x01\r\n\r\n", "400"],
    [
      "two tokens",
      "GET /api/session HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer x\r\nAuthorization: Bearer TOKEN\r\n\r\n",
      "401",
    ],
  ])("WEB-1 %s gives %3$s", async (_, request, status) => {
    expect(await statusOf(request)).toBe(status);
  });
});
