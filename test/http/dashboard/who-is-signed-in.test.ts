import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linkTo, linkToPlace } from "../../../src/http/dashboard/route.ts";
import { button, editor, heading, note } from "./page-parts.ts";
import { goTo, type ServedDashboard, serveDashboard } from "./served-dashboard.ts";

let served: ServedDashboard;
let visitor: string;

beforeAll(async () => {
  served = await serveDashboard();
  visitor = (await served.tokens.create({ name: "visitor", scopes: ["*:all"] })).secret;
  await served.write(served.server.secret ?? "", "plan.md", "stored\n");
});
afterAll(() => served.close());

/** A tab without a token that somebody set for it. */
async function openTab(secret: string): Promise<Page> {
  const page = await (await served.browser.newContext()).newPage();
  await page.goto(`${served.server.origin}/#token=${secret}`);
  await heading(page, "Overview").waitFor();
  return page;
}

async function type(page: Page, text: string): Promise<void> {
  await goTo(page, linkToPlace("edit", note("plan.md")));
  await editor(page).fill(text);
}

async function signIn(page: Page, secret: string): Promise<void> {
  await page.getByLabel("Token").fill(secret);
  await button(page, "Sign in").click();
  await page.getByRole("navigation", { name: "Screens" }).waitFor();
}

const storage = (page: Page) => page.evaluate("JSON.stringify(sessionStorage)");
const asked = (page: Page) => page.getByRole("dialog", { name: "Sign in with another token?" });

describe("text that is not saved (WEB-3)", () => {
  it("goes with whoever signs out, who is asked first", async () => {
    const page = await openTab(served.server.secret ?? "");
    await type(page, "typed by ada\n");
    const dialog = page.getByRole("dialog", { name: "Sign out and drop unsaved text?" });
    await button(page, "Sign out").click();
    await dialog.getByRole("button", { name: "Stay" }).click();
    expect(await editor(page).inputValue()).toBe("typed by ada\n");
    await button(page, "Sign out").click();
    await dialog.getByRole("button", { name: "Drop and sign out" }).click();
    await page.getByLabel("Token").waitFor();
    expect(await storage(page)).not.toContain("typed by ada");
    await signIn(page, visitor);
    await editor(page).waitFor();
    expect(await editor(page).inputValue()).toBe("stored\n");
    await page.context().close();
  });

  it("is not shown to the next token, and waits for whoever typed it", async () => {
    const { token, secret } = await served.tokens.create({ name: "guest", scopes: ["*:all"] });
    const page = await openTab(secret);
    await type(page, "typed by the guest\n");
    await served.tokens.revoke(token.id);
    await button(page, "Save").click();
    await page.getByText("did not accept this token").waitFor();
    await signIn(page, visitor);
    await editor(page).waitFor();
    expect(await editor(page).inputValue()).toBe("stored\n");
    await goTo(page, linkTo("read", [note("").root, "plan.md"]));
    await page.getByRole("link", { name: "Edit", exact: true }).waitFor();
    await button(page, "Sign out").click();
    await signIn(page, (await served.tokens.create({ name: "guest", scopes: ["*:all"] })).secret);
    await page.getByRole("link", { name: "Edit (unsaved text)" }).click();
    expect(await editor(page).inputValue()).toBe("typed by the guest\n");
    await page.context().close();
  });
});

describe("a link with a token (WEB-3)", () => {
  it("does not replace the one of the tab unless somebody says so", async () => {
    const page = await openTab(visitor);
    await goTo(page, linkTo("topics"));
    await heading(page, "Topics").waitFor();
    await goTo(page, `#token=${served.server.secret}`);
    await asked(page).getByRole("button", { name: "Cancel" }).click();
    await heading(page, "Topics").waitFor();
    expect(page.url()).not.toContain("rcl_");
    expect(await storage(page)).toContain(visitor);
    await goTo(page, `#token=${served.server.secret}`);
    await asked(page).getByRole("button", { name: "Change to it" }).click();
    await heading(page, "Overview").waitFor();
    await page.getByRole("link", { name: "Guard" }).waitFor();
    expect(await storage(page)).not.toContain(visitor);
    await page.context().close();
  });

  it("asks as well where the page is loaded with it, and not where it brings the same one", async () => {
    const page = await openTab(visitor);
    await page.goto("about:blank");
    await page.goto(`${served.server.origin}/#token=${visitor}`);
    await heading(page, "Overview").waitFor();
    expect(await asked(page).count()).toBe(0);
    await page.goto("about:blank");
    await page.goto(`${served.server.origin}/#token=${served.server.secret}`);
    await asked(page).waitFor();
    expect(await storage(page)).toContain(visitor);
    await page.context().close();
  });

  it("is taken where the token of the tab holds no longer", async () => {
    const { token, secret } = await served.tokens.create({ name: "short", scopes: ["*:read"] });
    const page = await openTab(secret);
    await served.tokens.revoke(token.id);
    await page.goto("about:blank");
    await page.goto(`${served.server.origin}/#token=${visitor}`);
    await heading(page, "Overview").waitFor();
    await expect.poll(() => storage(page)).toContain(visitor);
    await page.context().close();
  });
});
