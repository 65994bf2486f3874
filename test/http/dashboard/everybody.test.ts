import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linkTo, linkToPlace } from "../../../src/http/dashboard/route.ts";
import { allScreens } from "./all-screens.ts";
import { exampleFiles, exampleWrites } from "./example-memory.ts";
import { button, note } from "./page-parts.ts";
import { goTo, type ServedDashboard, serveDashboard } from "./served-dashboard.ts";

let served: ServedDashboard;

beforeAll(async () => {
  served = await serveDashboard(exampleFiles);
  await exampleWrites(served);
  for (let at = 1; at <= 15; at += 1) {
    await served.write(served.server.secret ?? "", "wide.md", `${wide}\nThis is revision ${at} of it.\n`);
  }
});

const wide = `# Wide

| module | table name | measured p95 | searched documents | what it is for, in a sentence that takes some room |
|---|---|---|---|---|
${"| payments | transactions | 38 ms | 1,234 | reconciliation of settlements |\n".repeat(3)}`;

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
    await expect.poll(() => page.title()).toBe("Topics · Recollect");
  });

  it("fits a phone: nothing is wider than the screen", async () => {
    const page = await served.open("#/", { viewport: { width: 320, height: 740 } });
    for (const [name, hash, sign] of allScreens) {
      await goTo(page, hash);
      await page.locator(sign).first().waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth"), name).toBeLessThanOrEqual(320);
    }
    // A long name of a root is cut off in the field, and does not widen the page.
    await goTo(page, linkTo("new"));
    await page.evaluate("document.querySelector('select').options[0].text = '../another/checkout/of/the/shop/docs'");
    expect(await page.evaluate("document.documentElement.scrollWidth"), "long root").toBeLessThanOrEqual(320);
    // What changed is in sight: one version below the other.
    await goTo(page, linkToPlace("history", note("auth/login.md")));
    const now = await page.locator("td.now").getByText("one-time codes").boundingBox();
    expect((now?.x ?? 0) + (now?.width ?? 999)).toBeLessThanOrEqual(320);
    await goTo(page, linkTo("agents"));
    await page.getByRole("button", { name: "New token" }).click();
    const { scrollWidth, clientWidth } = Object(
      await page.getByRole("dialog").evaluate(({ scrollWidth: wide, clientWidth: room }) => {
        return { scrollWidth: wide, clientWidth: room };
      }),
    );
    expect(scrollWidth, "new token").toBeLessThanOrEqual(clientWidth);
  });

  it("keeps the words of a table whole, numbers on the line of their text, and a chosen revision in sight", async () => {
    const page = await served.open(linkToPlace("read", note("wide.md")), { viewport: { width: 700, height: 500 } });
    await page.locator(".prose td").first().waitFor();
    const broken = await page.evaluate(`[...document.querySelectorAll(".prose th, .prose td")].flatMap((cell) => {
      const text = cell.firstChild;
      return [...text.data.matchAll(/\\S+/g)].filter(({ 0: word, index }) => {
        const range = new Range();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        return range.getClientRects().length > 1;
      }).map(([word]) => word);
    })`);
    expect(broken).toEqual([]);
    await button(page, "Source").click();
    const styles: readonly string[] = await page.evaluate(
      `[null, "::before"].map((part) => {
        const { fontSize, lineHeight } = getComputedStyle(document.querySelector(".source > li" + (part ? "" : " code")), part);
        return fontSize + " " + lineHeight;
      })`,
    );
    expect(styles[0]).toBe(styles[1]);

    await page.setViewportSize({ width: 1280, height: 500 });
    await goTo(page, linkToPlace("history", note("wide.md")));
    const rows = page.locator(".revision-list a");
    await expect.poll(() => rows.count()).toBe(15);
    expect(await page.locator("td.now mark").first().textContent()).toBe("15");
    await rows.last().click();
    await page
      .locator(".diff")
      .getByText(/revision 1(?!\d)/)
      .waitFor();
    expect(await rows.last().getAttribute("aria-current")).toBe("true");
    for (const part of [button(page, "Restore this one"), rows.last()]) {
      const box = await part.boundingBox();
      expect(box?.y).toBeGreaterThan(0);
      expect((box?.y ?? 0) + (box?.height ?? 999)).toBeLessThan(500);
    }
    // Without the colours of the page a line shows what is chosen.
    await page.emulateMedia({ forcedColors: "active" });
    for (const chosen of [".revision-list [aria-current]", ".places [aria-current]"]) {
      expect(await page.evaluate(`getComputedStyle(document.querySelector("${chosen}")).outlineStyle`)).toBe("solid");
    }
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
