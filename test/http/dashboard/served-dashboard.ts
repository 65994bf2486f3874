import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium as driver,
  type Page,
} from "playwright-core";
import { buildDashboard } from "../../../scripts/build-dashboard.js";
import { openWorkspace, type Tokens, type Workspace } from "../../../src/app.ts";
import type { ApiDocument } from "../../../src/http/api/contract/document.ts";
import { type RunningServer, serveHttp } from "../../../src/http/serve.ts";
import { serveSettings } from "../../../src/http/serve-settings.ts";
import { browserProgram } from "../../helpers/browser-program.ts";

/** A running server on a workspace of its own, and a browser that looks at it. */
export interface ServedDashboard {
  readonly project: string;
  readonly workspace: Workspace;
  readonly server: RunningServer;
  readonly tokens: Tokens;
  readonly browser: Browser;
  /** A tab of its own, signed in. */
  open(hash?: string, options?: BrowserContextOptions): Promise<Page>;
  /** Calls the API as whoever has the token. */
  call(method: string, path: string, body?: unknown, secret?: string): Promise<Response>;
  /** Writes a note as an agent does. */
  write(secret: string, path: string, content: string): Promise<void>;
  tokenFor(agentId: string): Promise<string>;
  close(): Promise<void>;
}

/** Not those that come with it: they switch off what keeps pages apart, and one process for all of them falls as one. */
const browserArgs = ["--no-sandbox", "--disable-gpu"];

/** How long a test waits for what must come: longer than any busy machine needs. */
const patience = 30_000;

export const memoriesRoot = ".serena/memories";

/** To another screen, as a click on a link goes. */
export async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
}

/** `seed` is called with the project's folder before anything is opened. */
export async function serveDashboard(seed: (project: string) => void = () => {}): Promise<ServedDashboard> {
  const scratch = mkdtempSync(join(tmpdir(), "recollect-dashboard-"));
  const project = join(scratch, "shop");
  const home = join(scratch, "home");
  for (const folder of [join(project, memoriesRoot), home]) mkdirSync(folder, { recursive: true });
  seed(project);
  const dashboardFolder = join(scratch, "dashboard");
  await buildDashboard(dashboardFolder);
  const place = { home, env: { PATH: process.env["PATH"] ?? "" } };
  const workspace = await openWorkspace({ ...place, project, author: "person:ada", stays: true });
  const { tokens } = workspace;
  const settings = serveSettings(workspace.settings.values);
  const server = await serveHttp({
    ...settings,
    port: 0,
    workspace,
    version: "0.0.0-test",
    makesToken: true,
    dashboardFolder,
  });
  const browser = await driver.launch({ executablePath: await browserProgram(), args: browserArgs });
  const contexts: BrowserContext[] = [];
  const call: ServedDashboard["call"] = (method, path, body, secret = server.secret ?? "") =>
    fetch(`${server.origin}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${secret}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });

  return {
    project,
    workspace,
    server,
    tokens,
    browser,
    call,
    async open(hash = "#/", options = {}) {
      // One tab at a time: those of earlier tests would go on listening.
      await Promise.all(contexts.splice(0).map((context) => context.close()));
      const context = await browser.newContext({
        viewport: { width: 1280, height: 800 },
        reducedMotion: "reduce",
        ...options,
      });
      contexts.push(context);
      const page = await context.newPage();
      page.setDefaultTimeout(patience);
      await page.addInitScript(`sessionStorage.setItem("recollect.token", ${JSON.stringify(server.secret)})`);
      await page.goto(`${server.origin}/${hash}`);
      await page.getByRole("navigation", { name: "Screens" }).waitFor();
      return page;
    },
    async write(secret, path, content) {
      const url = `/document?root=${encodeURIComponent(memoriesRoot)}&path=${encodeURIComponent(path)}`;
      const before = await call("GET", url, undefined, secret);
      const found: Partial<ApiDocument> = before.ok ? Object(await before.json()) : {};
      const ifRev = found.rev ?? null;
      const saved = await call("PUT", "/document", { root: memoriesRoot, path, content, ifRev }, secret);
      if (!saved.ok) throw new Error(`Cannot write ${path}: ${await saved.text()}`);
    },
    tokenFor: async (agentId) => (await tokens.create({ name: agentId, agentId, scopes: ["*:all"] })).secret,
    async close() {
      await Promise.all(contexts.map((context) => context.close()));
      await browser.close();
      await server.close();
      await workspace.close();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}
