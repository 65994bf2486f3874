import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linkTo, linkToPlace } from "../../../src/http/dashboard/route.ts";
import { allScreens } from "./all-screens.ts";
import { exampleFiles, exampleWrites } from "./example-memory.ts";
import { note } from "./page-parts.ts";
import { goTo, type ServedDashboard, serveDashboard } from "./served-dashboard.ts";

let served: ServedDashboard;

beforeAll(async () => {
  served = await serveDashboard(exampleFiles);
  await exampleWrites(served);
});
afterAll(() => served.close());

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}

async function seriousFindings(page: Page): Promise<string[]> {
  const { violations }: AxeResult = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })");
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
}

describe("the dashboard is for everybody (WEB-3)", () => {
  it("has no serious finding of axe on any screen, light or dark, and one heading of level 1", async () => {
    const page = await served.open();
    await page.evaluate(axe.source);
    for (const [name, hash, sign] of allScreens) {
      await goTo(page, hash);
      await page.locator(sign).first().waitFor();
      expect(await page.locator("h1").count(), name).toBe(1);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await seriousFindings(page), `${name}, ${colorScheme}`).toEqual([]);
      }
    }
  });

  it("would be told of one: the check is trusted since it was seen to fail", async () => {
    const page = await served.open();
    await page.evaluate(axe.source);
    await page.evaluate("document.querySelector('main').append(document.createElement('input'))");
    expect((await seriousFindings(page)).join()).toContain("label");
  });

  it("has none either while signing in, in dialogs, and in a conflict", async () => {
    const page = await served.open(linkTo("agents"));
    await page.evaluate(axe.source);
    await page.getByRole("button", { name: "New token" }).click();
    expect(await seriousFindings(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await goTo(page, linkToPlace("conflicts", note("build.conflict-1a2b3c4d.md")));
    await page.getByText("Merge by hand").click();
    await page.locator(".merge textarea").waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    const stranger = await (await served.browser.newContext()).newPage();
    await stranger.goto(served.server.origin);
    await stranger.getByLabel("Token").waitFor();
    await stranger.evaluate(axe.source);
    expect(await seriousFindings(stranger)).toEqual([]);
    await stranger.context().close();
  });

  it("is done by keys alone: search, move, open, edit, save, leave", async () => {
    const page = await served.open();
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent.trim()")).toBe("Skip to the content");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.tagName")).toBe("H1");
    await page.keyboard.press("/");
    await page.keyboard.type("rollback previous tag");
    await page.locator("mark").first().waitFor();
    await page.keyboard.press("Enter");
    const first = await page.evaluate("document.activeElement.getAttribute('href')");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    expect(await page.evaluate("document.activeElement.getAttribute('href')")).toBe(first);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "ops/rollback" }).waitFor();
    await page.getByRole("link", { name: "Edit" }).waitFor();
    await page.keyboard.press("e");
    await page.getByRole("textbox", { name: "Text of ops/rollback" }).waitFor();
    await page.keyboard.type("Typed by keys. ");
    await page.keyboard.press("Control+s");
    await page.getByText("Typed by keys.").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".list-row").getByText("rollback.md").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    expect(await page.evaluate("document.activeElement.matches('.list-row')")).toBe(true);
    await page.keyboard.press("g");
    await page.keyboard.press("t");
    await page.getByRole("heading", { level: 1, name: "Topics" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("codes");
    await page.locator("mark").first().waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { level: 1, name: "Topics" }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  it("moves the focus to the heading of a screen that is opened, and says which it is in the title", async () => {
    const page = await served.open();
    await page.getByRole("link", { name: "Topics", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Topics" }).waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Topics");
    await expect.poll(() => page.title()).toContain("topics");
  });

  it("fits a phone: nothing is wider than the screen", async () => {
    const page = await served.open("#/", { viewport: { width: 360, height: 740 } });
    for (const [name, hash, sign] of allScreens) {
      await goTo(page, hash);
      await page.locator(sign).first().waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth"), name).toBeLessThanOrEqual(360);
    }
    await goTo(page, linkTo("agents"));
    await page.getByRole("button", { name: "New token" }).click();
    const { scrollWidth, clientWidth } = Object(
      await page.getByRole("dialog").evaluate(({ scrollWidth: wide, clientWidth: room }) => {
        return { scrollWidth: wide, clientWidth: room };
      }),
    );
    expect(scrollWidth, "new token").toBeLessThanOrEqual(clientWidth);
  });

  it("is light or dark as the system is, or as one says, and remembers it", async () => {
    const page = await served.open("#/", { colorScheme: "dark" });
    const background = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    const dark = await background();
    await page.getByRole("button", { name: "Change to light" }).click();
    expect(await background()).not.toBe(dark);
    await page.reload();
    await page.getByRole("button", { name: "Change to dark" }).click();
    expect(await background()).toBe(dark);
  });
});
