import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { loadDashboardFiles } from "../../src/http/dashboard-files.ts";
import { exposureOf, servedOrigins } from "../../src/http/served-origins.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  new Request(`http://127.0.0.1:1${path}`, { headers, method });

function dashboard() {
  const folder = folders.make();
  const files = join(folder, "dashboard");
  mkdirSync(join(files, "fonts"), { recursive: true });
  writeFileSync(join(files, "index.html"), "<!doctype html>");
  writeFileSync(join(files, "app.js"), "export {};\n".repeat(100));
  writeFileSync(join(files, "notes.txt"), "of no kind that is served");
  writeFileSync(join(folder, "secret.js"), "secret");
  symlinkSync(join(folder, "secret.js"), join(files, "link.js"));
  return loadDashboardFiles([join(folder, "missing"), files]);
}

describe("WEB-1 the files of the dashboard", () => {
  it("WEB-1 are answered whole, or compressed, or as unchanged", async () => {
    const files = dashboard();
    const plain = files.answer(ask("/app.js"));
    expect(plain?.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    const zipped = files.answer(ask("/app.js", { "accept-encoding": "br, gzip" }));
    expect(zipped?.headers.get("content-encoding")).toBe("gzip");
    const unzipped = gunzipSync(Buffer.from((await zipped?.arrayBuffer()) ?? new ArrayBuffer(0))).toString("utf8");
    expect(unzipped).toBe(await plain?.text());
    const again = files.answer(ask("/app.js", { "if-none-match": plain?.headers.get("etag") ?? "" }));
    expect([again?.status, await again?.text()]).toEqual([304, ""]);
    expect(await files.answer(ask("/"))?.text()).toBe("<!doctype html>");
    const head = files.answer(ask("/app.js", {}, "HEAD"));
    expect([head?.headers.get("content-length"), await head?.text()]).toEqual(["1100", ""]);
  });

  it.each([
    "/secret.js",
    "/link.js",
    "/notes.txt",
    "/fonts",
    "/../secret.js",
    "/%2e%2e%2fsecret.js",
    "//app.js",
    "/APP.JS",
    "/__proto__",
  ])("KER-2 WEB-1 %s is none of them", (path) => {
    expect(dashboard().answer(ask(path))).toBeUndefined();
  });

  it("WEB-1 where nothing was built there are none", () => {
    expect(loadDashboardFiles([join(folders.make(), "missing")]).answer(ask("/"))).toBeUndefined();
  });
});

describe("WEB-1 the addresses of a server", () => {
  it.each([
    ["127.0.0.1", 7325, [], ["http://127.0.0.1:7325", "http://localhost:7325"]],
    ["localhost", 80, [], ["http://localhost", "http://127.0.0.1", "http://[::1]"]],
    ["::", 7325, [], ["http://[::1]:7325", "http://127.0.0.1:7325", "http://localhost:7325"]],
    ["127.0.0.2", 7325, [], ["http://127.0.0.2:7325"]],
    ["::1", 7325, [], ["http://[::1]:7325", "http://localhost:7325"]],
    [
      "0.0.0.0",
      7325,
      ["https://a.example.org"],
      ["http://127.0.0.1:7325", "http://localhost:7325", "https://a.example.org"],
    ],
    ["192.0.2.7", 8080, [], ["http://192.0.2.7:8080"]],
  ])("WEB-1 on %s, port %i, with %j are its own", (host, port, addresses, origins) => {
    expect(servedOrigins(host, port, addresses)).toEqual(origins);
  });

  it.each(["127.0.0.1", "127.0.0.2", "::1", "localhost"])("WEB-1 %s is reached by nobody else", (host) => {
    expect(exposureOf({ host, addresses: [] })).toEqual([]);
  });

  it("WEB-1 who opens it to others is told, and how they reach it", () => {
    const open = expect.stringContaining("Others can reach this server");
    const how = expect.stringContaining("serve.addresses");
    for (const host of ["0.0.0.0", "::"]) expect(exposureOf({ host, addresses: [] })).toEqual([open, how]);
    expect(exposureOf({ host: "0.0.0.0", addresses: ["https://a.example.org"] })).toEqual([open]);
    expect(exposureOf({ host: "192.0.2.7", addresses: [] })).toEqual([open]);
  });
});
