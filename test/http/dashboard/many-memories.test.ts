import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linkTo } from "../../../src/http/dashboard/route.ts";
import { memoriesRoot, type ServedDashboard, serveDashboard } from "./served-dashboard.ts";

const count = 10_000;
let served: ServedDashboard;

beforeAll(async () => {
  served = await serveDashboard((project) => {
    const folder = join(project, memoriesRoot, "many");
    mkdirSync(folder, { recursive: true });
    for (let index = 0; index < count; index += 1) {
      writeFileSync(
        join(folder, `note-${String(index).padStart(5, "0")}.md`),
        `# Note ${index}\n\nAbout ${index % 97}.\n`,
      );
    }
  });
});
// It waits for the git that records them, which makes way for all else that runs on the machine.
afterAll(() => served.close(), 300_000);

describe("ten thousand memories (WEB-3)", () => {
  it("have a page that is painted before any of them is asked for", async () => {
    const page = await (await served.browser.newContext()).newPage();
    const held: (() => void)[] = [];
    await page.route("**/api/**", (route) => void held.push(() => void route.continue()));
    await page.goto(`${served.server.origin}/#token=${served.server.secret}`);
    await page.getByLabel("Loading").waitFor();
    await expect.poll(() => page.evaluate("performance.getEntriesByName('first-contentful-paint').length")).toBe(1);
    expect(held.length).toBeGreaterThan(0);
    await page.context().close();
  });

  it("are a list of which few rows are in the page, from its beginning to its end", async () => {
    const page = await served.open(linkTo("browse", [memoriesRoot, "many"]));
    await page.getByRole("link", { name: /^note-00000\.md/ }).waitFor();
    await page.getByText("10,000 documents", { exact: true }).waitFor();
    const rows = page.locator(".list-row");
    expect(await rows.count()).toBeLessThan(120);
    await page.evaluate("scrollTo(0, document.body.scrollHeight)");
    await page.getByRole("link", { name: /^note-09999\.md/ }).waitFor();
    expect(await rows.count()).toBeLessThan(120);
    expect(await page.locator("[aria-posinset='10000']").getAttribute("aria-setsize")).toBe("10000");
    await page.evaluate(`scrollTo(0, document.body.scrollHeight / 2)`);
    await page
      .getByRole("link", { name: /^note-0(49|50)/ })
      .first()
      .waitFor();
  });

  it("are walked through by keys, narrowed by a part of a name, and kept in place by what others write", async () => {
    const page = await served.open(linkTo("browse", [memoriesRoot, "many"]));
    await page.getByText("10,000 documents", { exact: true }).waitFor();
    for (let step = 0; step < 60; step += 1) await page.keyboard.press("j");
    const focused = () => page.evaluate("document.activeElement.textContent");
    await expect.poll(focused, { timeout: 10_000 }).toContain("note-00059.md");
    await served.write(await served.tokenFor("builder"), "many/note-00058b.md", "# New\n");
    await page.getByRole("link", { name: /^note-00058b\.md/ }).waitFor();
    expect(await page.evaluate("document.activeElement.textContent")).toContain("note-00059.md");
    await page.getByLabel("Filter names").fill("777");
    await page.getByRole("link", { name: /^note-00777\.md/ }).waitFor();
    expect(await page.locator(".list-row").count()).toBe(19);
  });
});
