import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, chromium as driver, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserProgram } from "../../helpers/browser-program.ts";
import { memoriesRoot, type ServedDashboard, serveDashboard } from "./served-dashboard.ts";

let dashboard: ServedDashboard;
let foreign: Server;
let foreignOrigin: string;
/** With a name that a hostile server of names lets lead to this machine. */
let browser: Browser;

const secretText = "the lighthouse keeper is called Marlow";
const reboundName = "rebound.example";

beforeAll(async () => {
  dashboard = await serveDashboard();
  await dashboard.workspace.memories.write("secret", `# Secret\n\n${secretText}\n`);
  foreign = createServer((_, response) => response.setHeader("content-type", "text/html").end("<p>another page</p>"));
  await new Promise<void>((resolve) => void foreign.listen(0, "127.0.0.1", resolve));
  foreignOrigin = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`;
  browser = await driver.launch({
    executablePath: await browserProgram(),
    args: ["--no-sandbox", "--disable-gpu", `--host-resolver-rules=MAP ${reboundName} 127.0.0.1`],
  });
}, 120_000);
afterAll(async () => {
  await browser?.close();
  foreign?.close();
  await dashboard?.close();
});

/** What a script of a page gets of a request: the answer's text, or why it got none. */
function request(page: Page, url: string, init: RequestInit = {}): Promise<string> {
  const script = `fetch(${JSON.stringify(url)}, ${JSON.stringify(init)})
    .then(async (answer) => answer.status + " " + answer.type + " " + (await answer.text()))
    .catch((error) => "refused: " + error.message)`;
  return page.evaluate(script);
}

async function documentNow(): Promise<string> {
  return (await dashboard.workspace.memories.read("secret")).content;
}

const attempts = (token: string): [string, string, RequestInit][] => {
  const document = `/api/document?root=${encodeURIComponent(memoriesRoot)}&path=secret.md`;
  const bearer = { authorization: `Bearer ${token}` };
  const change = JSON.stringify({ root: memoriesRoot, path: "planted.md", content: "planted\n", ifRev: null });
  const call = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "write_memory", arguments: { memory_name: "planted", content: "planted" } },
  });
  return [
    ["reads without a token", document, {}],
    ["reads with a token that it stole", document, { headers: bearer }],
    ["reads and cares for no answer", document, { mode: "no-cors" }],
    ["reads with cookies", document, { credentials: "include" }],
    ["searches", "/api/search?q=lighthouse", { headers: bearer }],
    ["follows the events", "/api/events", { headers: bearer }],
    [
      "writes",
      "/api/document",
      { method: "PUT", body: change, headers: { ...bearer, "content-type": "application/json" } },
    ],
    ["writes as a form does", "/api/document", { method: "POST", body: change, mode: "no-cors" }],
    [
      "calls a tool",
      "/mcp",
      { method: "POST", body: call, headers: { ...bearer, "content-type": "application/json" } },
    ],
    ["calls a tool as a form does", "/mcp", { method: "POST", body: call, mode: "no-cors" }],
    ["asks for the figures", "/metrics", { headers: bearer }],
    ["asks what there is to sign in with", "/.well-known/oauth-protected-resource", {}],
  ];
};

describe("WEB-1 a page of another origin, in a real browser", () => {
  it("asks for what the server's own page is given", async () => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(dashboard.server.origin);
    const [, stolen] = attempts(dashboard.server.secret ?? "");
    const [, path = "", init = {}] = stolen ?? [];
    expect(await request(page, dashboard.server.origin + path, init)).toContain("Marlow");
    await page.context().close();
  });

  it("can neither read nor write, also with a token", async () => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(foreignOrigin);
    for (const [what, path, init] of attempts(dashboard.server.secret ?? "")) {
      const got = await request(page, dashboard.server.origin + path, init);
      expect(got, what).not.toContain("Marlow");
      expect(got, what).toMatch(/^(refused: |0 opaque $)/);
    }
    expect(await documentNow()).toContain(secretText);
    expect(await dashboard.workspace.memories.names()).toEqual(["secret"]);
    await page.context().close();
  });

  it("cannot show the dashboard in a frame of its own", async () => {
    const page = await (await browser.newContext()).newPage();
    await page.goto(foreignOrigin);
    const address = `${dashboard.server.origin}/#token=${dashboard.server.secret}`;
    await page.evaluate(
      `new Promise((resolve) => { const frame = document.createElement("iframe"); frame.onload = resolve;
        frame.src = ${JSON.stringify(address)}; document.body.append(frame); })`,
    );
    const framed = page.frames().find((frame) => frame !== page.mainFrame());
    expect(await framed?.locator("nav, main, h1").count()).toBe(0);
    await page.context().close();
  });
});

describe("WEB-1 a name that was bound anew to this machine, in a real browser", () => {
  it("is refused everything, under the server's own port", async () => {
    const page = await (await browser.newContext()).newPage();
    const { port } = new URL(dashboard.server.origin);
    const shown = await page.goto(`http://${reboundName}:${port}/`);
    expect(shown?.status()).toBeGreaterThanOrEqual(400);
    expect(await page.content()).not.toContain("Recollect</title>");
    for (const [what, path, init] of attempts(dashboard.server.secret ?? "")) {
      const got = await request(page, `http://${reboundName}:${port}${path}`, init);
      expect(got, what).toMatch(/^4\d\d /);
      expect(got, what).not.toContain("Marlow");
    }
    expect(await dashboard.workspace.memories.names()).toEqual(["secret"]);
    await page.context().close();
  });
});
