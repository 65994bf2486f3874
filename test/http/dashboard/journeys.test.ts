import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiConflictView } from "../../../src/http/api/contract/conflicts.ts";
import { linkTo, linkToPlace } from "../../../src/http/dashboard/route.ts";
import { exampleFiles, exampleWrites } from "./example-memory.ts";
import { button, heading, note } from "./page-parts.ts";
import { goTo, memoriesRoot, type ServedDashboard, serveDashboard } from "./served-dashboard.ts";

let served: ServedDashboard;
let builder: string;

beforeAll(async () => {
  served = await serveDashboard((project) => {
    exampleFiles(project);
    const lost = Array.from({ length: 12 }, (_, at) => `mem:gone/${at + 1}`);
    writeFileSync(join(project, memoriesRoot, "links.md"), `See mem:auth/tokens. ${lost.join(" ")}\n`);
  });
  await exampleWrites(served);
  builder = await served.tokenFor("builder-7");
});
afterAll(() => served.close());

const stored = (path: string) => readFileSync(join(served.project, memoriesRoot, path), "utf8");

describe("signing in (WEB-3)", () => {
  it("takes the token out of the address at once, and keeps it for the tab", async () => {
    const page = await (await served.browser.newContext()).newPage();
    await page.goto(`${served.server.origin}/#token=${served.server.secret}`);
    await heading(page, "Overview").waitFor();
    expect(page.url()).not.toContain("rcl_");
    await page.goBack();
    expect(page.url()).not.toContain("rcl_");
    await page.goto(served.server.origin);
    await heading(page, "Overview").waitFor();
    expect(await page.evaluate("document.cookie + JSON.stringify(localStorage)")).not.toContain("rcl_");
    await page.context().close();
  });

  it("teaches how to get a token, and says when one is refused", async () => {
    const page = await (await served.browser.newContext()).newPage();
    await page.goto(served.server.origin);
    await page.getByText("recollect serve").waitFor();
    await page.getByText("recollect token create").waitFor();
    await page.getByLabel("Token").fill("rcl_wrong");
    await button(page, "Sign in").click();
    await page.getByText("did not accept this token").waitFor();
    await page.getByLabel("Token").fill(served.server.secret ?? "");
    await button(page, "Sign in").click();
    await heading(page, "Overview").waitFor();
    await page.context().close();
  });

  it("forgets the token where one signs out", async () => {
    const page = await (await served.browser.newContext()).newPage();
    await page.goto(`${served.server.origin}/#token=${served.server.secret}`);
    await button(page, "Sign out").click();
    await page.getByLabel("Token").waitFor();
    expect(await page.evaluate("JSON.stringify(sessionStorage)")).not.toContain("rcl_");
    await page.context().close();
  });

  it("asks for another token once this one is revoked", async () => {
    const page = await (await served.browser.newContext()).newPage();
    const { token, secret } = await served.tokens.create({ name: "visitor", scopes: ["*:read"] });
    await page.goto(`${served.server.origin}/#token=${secret}`);
    await heading(page, "Overview").waitFor();
    expect(await page.getByRole("link", { name: "Guard" }).count()).toBe(0);
    await served.tokens.revoke(token.id);
    await goTo(page, linkTo("topics"));
    await page.getByText("did not accept this token").waitFor();
    await page.context().close();
  });
});

describe("looking (WEB-3)", () => {
  it("shows what was learned lately, by whom, with growth, recall and health", async () => {
    const page = await served.open();
    await page.getByRole("heading", { name: "Learned lately" }).waitFor();
    await page.getByText("flaky.md").first().waitFor();
    await page.getByRole("img", { name: /documents? in 90 days/ }).waitFor();
    for (const name of ["Growth", "By whom", "Recall", "Health"]) {
      await page.getByRole("heading", { level: 2, name }).waitFor();
    }
    await page.locator(".bars").getByText("builder-7").waitFor();
    // What the guard found, a conflict, and twelve references that lead nowhere: ten of them, and the rest as one row.
    const figure = page.locator(".figures").getByRole("button", { name: /problems?$/ });
    await expect.poll(() => figure.textContent()).toBe("14 problems");
    const health = page.locator(".findings");
    await health.getByText("and 2 more").waitFor();
    await health.locator("code.command").getByText("recollect memories check").waitFor();
    expect(await health.getByRole("link", { name: "links" }).first().getAttribute("href")).toBe(
      linkTo("mem", ["links"]),
    );
    expect(await health.getByRole("link", { name: /1 conflict waits/ }).getAttribute("href")).toBe(linkTo("conflicts"));
  });

  it("marks references that lead nowhere, and names authors by their names alone", async () => {
    const page = await served.open(linkToPlace("read", note("links.md")));
    const missing = page.locator("a.missing");
    await missing.first().waitFor();
    expect([await missing.count(), await missing.first().textContent()]).toEqual([12, "mem:gone/1 (no such note)"]);
    expect(await page.getByRole("link", { name: "mem:auth/tokens" }).getAttribute("class")).toBeNull();
    await goTo(page, linkTo("history"));
    await page.getByLabel("Author").fill("builder-7");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.url()).toContain("author=agent%3Abuilder-7");
    await page.getByText("login.md").first().waitFor();
    await page.getByLabel("Author").fill("nobody:here");
    await page.keyboard.press("Enter");
    await page.getByText("No changes by nobody:here.").waitFor();
    await goTo(page, linkTo("agents"));
    await page
      .getByText(/changes?, last active/)
      .first()
      .waitFor();
  });

  it("goes down the folders to a note, rendered or as source", async () => {
    const page = await served.open(linkTo("browse"));
    await page.getByRole("link", { name: memoriesRoot }).click();
    await page.getByRole("link", { name: "auth/" }).click();
    await page.getByRole("link", { name: /^login\.md/ }).click();
    await heading(page, "auth/login").waitFor();
    await page.locator(".prose").getByRole("heading", { level: 2, name: "Login" }).waitFor();
    await page.getByRole("navigation", { name: "Outline" }).getByText("How it is built").waitFor();
    const link = page.getByRole("link", { name: "the standard" });
    expect(await link.getAttribute("rel")).toBe("noopener noreferrer");
    await button(page, "Source").click();
    await page.locator('[data-line="6"]').getByText("**one-time codes**").waitFor();
    await button(page, "Rendered").click();
    await page.getByRole("link", { name: "mem:auth/tokens" }).click();
    await heading(page, "auth/tokens").waitFor();
  });

  it("says what is missing, and what to do", async () => {
    const page = await served.open(linkToPlace("read", note("no/such.md")));
    await page.getByRole("alert").getByText("There is no").waitFor();
    await page.getByText("moved or deleted").waitFor();
    await page.goto(`${served.server.origin}/${linkTo("mem", ["no", "such"])}`);
    await page.getByText("leads nowhere").waitFor();
  });

  it("shows topics as a timeline, and their archive", async () => {
    const page = await served.open(linkTo("topics"));
    await page.getByRole("heading", { level: 2, name: "14 March 2026" }).waitFor();
    await page.getByRole("heading", { level: 3, name: "Cache lesson 13" }).waitFor();
    expect(await page.getByText("Cache lesson 1", { exact: true }).count()).toBe(0);
    await page.getByRole("link", { name: "Archive" }).click();
    await page.getByRole("heading", { level: 3, name: "Cache lesson 1", exact: true }).waitFor();
    expect(await page.getByText("Cache lesson 13").count()).toBe(0);
    await page.getByRole("link", { name: "flaky" }).click();
    await page.getByRole("link", { name: "Current" }).click();
    await page.getByRole("heading", { level: 3, name: "Tests that sleep fail on busy machines" }).waitFor();
    await page.getByText("Cache lesson").first().waitFor({ state: "detached" });
  });

  it("finds as one types, marks what fits, and explains why", async () => {
    const page = await served.open();
    await page.keyboard.press("/");
    await page.keyboard.type("previous tag", { delay: 15 });
    const hit = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: "Rollback" }) });
    await hit.locator("mark").first().waitFor();
    await hit.getByRole("button", { name: "Why is this here?" }).click();
    await hit.getByText(/^Score \d/).waitFor();
    await page.getByLabel("Root").selectOption("memory");
    await page.getByText("Nothing fits.").waitFor();
    await page.getByLabel("Root").selectOption("");
    await page.getByRole("link", { name: "Rollback" }).click();
    await heading(page, "ops/rollback").waitFor();
  });
});

describe("what others do shows up by itself (WEB-3)", () => {
  it("in a note that is open, in lists, and in the overview", async () => {
    await served.write(builder, "live/open.md", "before\n");
    const page = await served.open(linkToPlace("read", note("live/open.md")));
    await page.getByText("before").waitFor();
    await served.write(builder, "live/open.md", "after\n");
    await page.getByText(/Changed by\s+agent\s+builder-7/).waitFor();
    await button(page, "show").click();
    await page.getByText("after").waitFor();

    await page.goto(`${served.server.origin}/${linkTo("browse", [memoriesRoot, "live"])}`);
    await page.getByRole("link", { name: /^open\.md/ }).waitFor();
    await served.write(builder, "live/new.md", "new\n");
    await page.getByRole("link", { name: /^new\.md/ }).waitFor();

    await page.goto(`${served.server.origin}/`);
    await page.getByRole("heading", { name: "Learned lately" }).waitFor();
    await served.write(builder, "live/newest.md", "newest\n");
    await page.locator(".revisions").getByText("newest.md").waitFor();
  });

  it("also what an editor writes on the server's machine", async () => {
    await served.write(builder, "live/by-hand.md", "before\n");
    const page = await served.open(linkToPlace("read", note("live/by-hand.md")));
    await page.getByText("before").waitFor();
    writeFileSync(join(served.project, memoriesRoot, "live/by-hand.md"), "by hand\n");
    await page
      .getByText("Changed by")
      .or(page.getByText("by hand", { exact: true }))
      .first()
      .waitFor();
  });

  it("in the tab that is shown, however many there are, and in the others once they are shown again", async () => {
    await served.write(builder, "live/tabs.md", "before\n");
    const { secret, origin } = served.server;
    const context = await served.browser.newContext();
    // A browser without a screen shows all tabs at once.
    await context.addInitScript(`
      sessionStorage.setItem("recollect.token", ${JSON.stringify(secret)});
      let shown = "visible";
      Object.defineProperty(document, "visibilityState", { get: () => shown });
      window.show = (state) => { shown = state; document.dispatchEvent(new Event("visibilitychange")); };
    `);
    const link = `${origin}/${linkTo("browse", [memoriesRoot, "live"])}`;
    const streams = async () => {
      const headers = { authorization: `Bearer ${secret}` };
      const figures = await (await fetch(`${origin}/metrics`, { headers })).text();
      return Number(/^recollect_http_streams_open (\d+)/m.exec(figures)?.[1]);
    };
    const before = await streams();
    const tabs: Page[] = [];
    for (let count = 0; count < 8; count += 1) {
      await tabs.at(-1)?.evaluate(`show("hidden")`);
      const tab = await context.newPage();
      await tab.goto(link);
      await tab.getByRole("link", { name: /^tabs\.md/ }).waitFor({ timeout: 10_000 });
      tabs.push(tab);
    }
    await expect.poll(streams, { timeout: 10_000 }).toBeLessThanOrEqual(before + 1);
    await served.write(builder, "live/while-hidden.md", "new\n");
    const fresh = (tab: Page | undefined) => tab?.getByRole("link", { name: /^while-hidden\.md/ });
    await fresh(tabs.at(-1))?.waitFor();
    expect(await fresh(tabs[0])?.count()).toBe(0);
    await tabs[0]?.evaluate(`show("visible")`);
    await fresh(tabs[0])?.waitFor();
    await context.close();
  });

  it("goes on by itself once the server answers again", async () => {
    const page = await served.open(linkToPlace("read", note("auth/tokens.md")));
    await page.getByText("five minutes").waitFor();
    await page.context().setOffline(true);
    await page.getByRole("link", { name: "Topics" }).click();
    await page.getByText("The server cannot be reached.").first().waitFor();
    await page.context().setOffline(false);
    await page.getByRole("heading", { level: 3, name: "Cache lesson 13" }).waitFor();
  });
});

describe("keeping order (WEB-3)", () => {
  it("makes a token whose secret is shown once, and revokes it", async () => {
    const page = await served.open(linkTo("agents"));
    await button(page, "New token").click();
    await page.getByLabel(/^Name/).fill("reviewer of shop");
    await page.getByLabel(/^Agent id/).fill("reviewer-1");
    await page.locator("select[name=right]").selectOption("read");
    await button(page, "Create").click();
    const secret = await page.getByLabel("Token of reviewer of shop").inputValue();
    expect(secret).toMatch(/^rcl_/);
    expect((await served.call("GET", "/session", undefined, secret)).status).toBe(200);
    await button(page, "Done").click();
    await page.locator(".token strong").getByText("reviewer of shop").waitFor();
    expect(await page.content()).not.toContain(secret);
    await button(page, "Revoke reviewer of shop").click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByText("Revoked reviewer of shop.").waitFor();
    expect((await served.call("GET", "/session", undefined, secret)).status).toBe(401);
  });

  it("says of a new token that it grants nothing, where a page was opened before its root was gone", async () => {
    const page = await served.open(linkTo("agents"));
    await button(page, "New token").click();
    await page.getByLabel(/^Name/).fill("too late");
    await page.evaluate("document.querySelector('select[name=root]').options[1].value = 'gone'");
    await page.locator("select[name=root]").selectOption("gone");
    await button(page, "Create").click();
    await page.getByRole("alert").getByText("There is no root “gone” in this project").waitFor();
    expect(await page.getByLabel("Token of too late").inputValue()).toMatch(/^rcl_/);
    await button(page, "Done").click();
  });

  it("makes a token that reads and writes, and settles conflicts with it, for up to a hundred years", async () => {
    const page = await served.open(linkTo("agents"));
    await button(page, "New token").click();
    await page.getByLabel(/^Name/).fill("writer");
    await page.locator("select[name=right]").selectOption({ label: "read and write" });
    const days = page.getByLabel(/^Days until/);
    await days.fill("36501");
    expect(await days.evaluate((field) => Object(field).validity.rangeOverflow)).toBe(true);
    await days.fill("36500");
    await button(page, "Create").click();
    const secret = await page.getByLabel("Token of writer").inputValue();
    const place = new URLSearchParams(note("build.conflict-1a2b3c4d.md"));
    const view: ApiConflictView = Object(
      await (await served.call("GET", `/conflicts/show?${place}`, undefined, secret)).json(),
    );
    expect(view.choices.map(({ missing }) => missing)).toEqual([[], [], [], []]);
    await button(page, "Done").click();
    await page.locator(".token strong").getByText("writer").waitFor();
  });

  it("names a record of a token that is damaged, and says what to do", async () => {
    const tokens = join(dirname(served.project), "home/.local/share/recollect/tokens");
    const damaged = join(tokens, `${"f".repeat(64)}.json`);
    writeFileSync(damaged, "");
    const page = await served.open(linkTo("agents"));
    const alert = page.getByRole("alert").filter({ hasText: "1 token cannot be read" });
    await alert.getByText(`${"f".repeat(16)} is damaged.`).waitFor();
    await alert.getByText("recollect doctor").waitFor();
    rmSync(damaged);
  });

  it("settles a conflict that a merge left, by hand", async () => {
    const page = await served.open(linkTo("conflicts"));
    await page.getByRole("link", { name: "build", exact: true }).click();
    await page.locator("td.was").getByText("two minutes").waitFor();
    await page.locator("td.now").getByText("three minutes").waitFor();
    await page.getByText("Merge by hand").click();
    await page.getByRole("radio", { name: "Theirs" }).check();
    await button(page, "Keep the result").click();
    await page.getByText("There are none.").waitFor();
    expect(stored("build.md")).toContain("three minutes");
  });

  it("lets a value pass the guard with a reason, and refuses it again", async () => {
    const page = await served.open(linkTo("guard"));
    await page.getByText("aws-access-key-id", { exact: true }).waitFor();
    await button(page, "Let it pass", false).click();
    await page.getByLabel("Why is it harmless?").fill("from a manual");
    await page.getByRole("dialog").getByRole("button", { name: "Let it pass" }).click();
    await page.getByText("Nothing that should not be kept.").waitFor();
    await page.getByText("from a manual").waitFor();
    await button(page, "Refuse again", false).click();
    await page.getByText("aws-access-key-id", { exact: true }).waitFor();
  });
});
