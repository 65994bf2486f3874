import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRecollectError } from "../../../src/app.ts";
import { linkTo } from "../../../src/http/dashboard/route.ts";
import { button, heading } from "./page-parts.ts";
import { type ServedDashboard, serveDashboard } from "./served-dashboard.ts";

let served: ServedDashboard;
let clone: string;

const git = (cwd: string, ...args: string[]) => execFileSync("git", args, { cwd, stdio: "pipe" });
const topics = () => served.workspace.topicsRoot ?? "";
const document = (path: string) => served.call("GET", `/document?${new URLSearchParams({ root: topics(), path })}`);
const text = async (path: string): Promise<string> => Object(await (await document(path)).json()).content;

/** A team's repository, in which this project keeps its topics. */
function seed(project: string): void {
  const folder = dirname(project);
  const remote = join(folder, "remote.git");
  clone = join(folder, "clone");
  git(folder, "init", "-q", "--bare", "-b", "main", remote);
  git(folder, "clone", "-q", remote, clone);
  for (const [key, value] of Object.entries({ "user.name": "t", "user.email": "t@example.invalid" }))
    git(clone, "config", key, value);
  git(clone, "checkout", "-q", "-b", "main");
  mkdirSync(join(clone, "build"));
  for (const name of ["gone", "moved"]) writeFileSync(join(clone, `build/${name}.md`), `first of ${name}\n`);
  git(clone, "add", ".");
  git(clone, "commit", "-q", "-m", "one");
  git(clone, "push", "-q", "origin", "main");
  const config = join(folder, "home/.config/recollect/config.yaml");
  mkdirSync(dirname(config), { recursive: true });
  const lines = ["external_memory_enabled: true", "memory_type: git_repo", "sync_strategy: manual"];
  writeFileSync(config, `memory_configuration:\n  ${[...lines, `memory_path: "file://${remote}"`].join("\n  ")}\n`);
}

async function whenSynced(): Promise<void> {
  const sync = await served.workspace.sync();
  // What was begun with the workspace may be under way.
  for (;;) {
    try {
      return void (await sync.run());
    } catch (error) {
      if (!isRecollectError(error)) throw error;
      await setTimeout(200);
    }
  }
}

async function change(path: string, content: string): Promise<void> {
  const { rev } = Object(await (await document(path)).json());
  const saved = await served.call("PUT", "/document", { root: topics(), path, content, ifRev: rev });
  expect(saved.status).toBe(200);
}

beforeAll(async () => {
  served = await serveDashboard(seed);
  await whenSynced();
  await change("build/gone.md", "changed here\n");
  const { rev } = Object(await (await document("build/moved.md")).json());
  const move = { root: topics(), path: "build/moved.md", to: "build/here.md", ifRev: rev };
  expect((await served.call("POST", "/document/move", move)).status).toBe(200);
  git(clone, "rm", "-q", "build/gone.md");
  git(clone, "mv", "build/moved.md", "build/there.md");
  git(clone, "commit", "-q", "-m", "two");
  git(clone, "push", "-q", "origin", "main");
  await whenSynced();
});
afterAll(() => served.close());

const row = (page: Page, path: string) =>
  page.getByRole("listitem").filter({ has: page.getByRole("link", { name: path }) });
const choose = (page: Page, path: string, keep: string) =>
  row(page, path)
    .getByRole("button", { name: new RegExp(`^Keep ${keep}:`) })
    .click();

describe("what a sync decided (WEB-3, HIST-4)", () => {
  it("is not offered to who may only look", async () => {
    const { secret } = await served.tokens.create({ name: "visitor", scopes: ["*:read"] });
    const page = await (await served.browser.newContext()).newPage();
    await page.goto(`${served.server.origin}/#token=${secret}`);
    await heading(page, "Overview").waitFor();
    await page.goto(`${served.server.origin}/${linkTo("conflicts")}`);
    await row(page, "build/gone.md").getByText("Keep theirs (write, delete)").waitFor();
    expect(await page.getByRole("button", { name: /^Keep/ }).count()).toBe(0);
    await page.context().close();
  });

  it("shows what a choice deletes, and asks before it", async () => {
    const page = await served.open(linkTo("conflicts"));
    await choose(page, "build/gone.md", "theirs");
    const dialog = page.getByRole("dialog", { name: "Delete build/gone.md?" });
    await dialog.getByText("changed here").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(await text("build/gone.md")).toBe("changed here\n");
    await choose(page, "build/gone.md", "theirs");
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByText("Settled.").waitFor();
    await row(page, "build/gone.md").waitFor({ state: "detached" });
    expect((await document("build/gone.md")).status).toBe(404);
  });

  it("is not settled where it was changed meanwhile, and looked at again", async () => {
    const page = await served.open(linkTo("conflicts"));
    // The list is not told of changes, as when a line is slow.
    await page.route("**/api/events", (route) => route.abort());
    await page.reload();
    await choose(page, "build/here.md", "ours");
    const dialog = page.getByRole("dialog", { name: "Delete build/there.md?" });
    await dialog.getByText("first of moved").waitFor();
    await change("build/there.md", "written meanwhile\n");
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("alert").getByText("was changed meanwhile").waitFor();
    expect(await text("build/there.md")).toBe("written meanwhile\n");
    await button(page, "Look again").click();
    await page.getByText("was changed meanwhile").waitFor({ state: "detached" });
    await choose(page, "build/here.md", "ours");
    await dialog.getByText("written meanwhile").waitFor();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByText("There are none.").waitFor();
    expect((await document("build/there.md")).status).toBe(404);
  });
});
