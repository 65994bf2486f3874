import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linkTo, linkToPlace } from "../../../src/http/dashboard/route.ts";
import { button, heading, note } from "./page-parts.ts";
import { goTo, type ServedDashboard, serveDashboard } from "./served-dashboard.ts";

let served: ServedDashboard;
let builder: string;
const long = `# Long\n\n${"A line of text.\n\n".repeat(120)}See mem:n/1 for more.\n\n${"And more.\n\n".repeat(60)}`;

beforeAll(async () => {
  served = await serveDashboard();
  builder = await served.tokenFor("builder-7");
  const own = served.server.secret ?? "";
  await served.write(own, "n/first.md", "The very first.\n");
  for (let at = 1; at <= 106; at += 1) await served.write(builder, `n/${at}.md`, `Note ${at}.\n`);
  await served.write(own, "long.md", long);
});
afterAll(() => served.close());

/** The requests for pages of history since the last call. */
function countHistory(page: Page): () => number {
  let count = 0;
  page.on("request", (request) => {
    if (request.url().includes("/api/history?")) count += 1;
  });
  return () => {
    const now = count;
    count = 0;
    return now;
  };
}

describe("long lists (WEB-3)", () => {
  it("go back to the first change of all roots, with one request a page and one for what is new", async () => {
    const page = await served.open(linkTo("history"));
    const requests = countHistory(page);
    const rows = page.locator(".revisions > li");
    await expect.poll(() => rows.count()).toBe(50);
    await button(page, "Show older").click();
    await expect.poll(() => rows.count()).toBe(100);
    requests();
    await button(page, "Show older").click();
    await page.getByText("first.md").waitFor();
    expect(requests()).toBe(1);
    expect(await button(page, "Show older").count()).toBe(0);
    const all = await rows.count();
    await served.write(builder, "n/newest.md", "Newest.\n");
    await page.locator(".revisions").getByText("newest.md").waitFor();
    expect([requests(), await rows.count()]).toEqual([1, all + 1]);
    await goTo(page, linkToPlace("history", note("n/first.md")));
    await heading(page, "History of n/first").waitFor();
    await page.locator(".diff").waitFor();
    requests();
    // What is written elsewhere is not asked for in the history of one note; what is written there is.
    await served.write(builder, "n/other.md", "Other.\n");
    await served.write(builder, "n/first.md", "The first, changed.\n");
    await expect.poll(() => page.locator(".revision-list > li").count()).toBe(2);
    expect(requests()).toBe(1);
  });

  it("are where they were left when Back leads to them, and so is a note", async () => {
    const page = await served.open(linkTo("history"));
    const scrolled = () => page.evaluate<number>("scrollY");
    const rows = page.locator(".revisions > li");
    await expect.poll(() => rows.count()).toBe(50);
    await button(page, "Show older").click();
    await expect.poll(() => rows.count()).toBe(100);
    await page.evaluate("scrollTo(0, 4000)");
    await expect.poll(scrolled).toBe(4000);
    await page.getByRole("link", { name: "n/40.md" }).evaluate((link) => Object(link).click());
    await heading(page, "n/40").waitFor();
    expect(await scrolled()).toBe(0);
    await page.goBack();
    await expect.poll(scrolled).toBe(4000);
    expect(await rows.count()).toBe(100);

    await goTo(page, linkToPlace("read", note("long.md")));
    const link = page.getByRole("link", { name: "mem:n/1" });
    await link.waitFor();
    expect(await scrolled()).toBe(0);
    await page.evaluate("scrollTo(0, 1500)");
    await link.evaluate((found) => Object(found).click());
    await heading(page, "n/1").waitFor();
    expect(await scrolled()).toBe(0);
    await page.goBack();
    await expect.poll(scrolled).toBe(1500);
    await page.reload();
    await expect.poll(scrolled).toBe(1500);
    await page.goForward();
    await heading(page, "n/1").waitFor();
    await expect.poll(scrolled).toBe(0);
  });
});
