import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linkTo, linkToPlace } from "../../../src/http/dashboard/route.ts";
import { button, editor, heading, note } from "./page-parts.ts";
import { goTo, memoriesRoot, type ServedDashboard, serveDashboard } from "./served-dashboard.ts";

/** Each would keep the lexer busy for minutes. */
const slow = { stars: `${"**".repeat(120_000)}a`, underscores: "a_b".repeat(90_000) };
const long = Array.from({ length: 12_000 }, (_, index) => `## Part ${index}\n\n- some *text* of part ${index}\n`);

let served: ServedDashboard;

beforeAll(async () => {
  served = await serveDashboard((project) => {
    const folder = join(project, memoriesRoot);
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(slow)) writeFileSync(join(folder, `${name}.md`), text);
    writeFileSync(join(folder, "long.md"), long.join("\n"));
    writeFileSync(join(folder, "plain.md"), "# Plain\n\nA **short** note.\n");
  });
});
afterAll(() => served.close());

describe("a note that takes too long to render (WEB-3)", () => {
  it.each(Object.keys(slow))("of %s leaves the page usable: its source is there, with a word why", async (name) => {
    const page = await served.open(linkToPlace("read", note(`${name}.md`)));
    await page.locator(".source.long").waitFor();
    await page.getByText("takes too long: it is shown as it was written").waitFor();
    await goTo(page, linkToPlace("read", note("plain.md")));
    await page.locator(".prose strong").getByText("short").waitFor();
  });

  it("does not stop whoever leaves it at once", async () => {
    const page = await served.open(linkToPlace("read", note("stars.md")));
    await page.locator(".source.long").waitFor();
    await page.getByRole("link", { name: "Overview" }).click();
    await heading(page, "Overview").waitFor();
    await goTo(page, linkToPlace("read", note("plain.md")));
    await page.locator(".prose strong").getByText("short").waitFor();
  });

  it("can be typed into the editor with a preview beside it", async () => {
    const page = await served.open(linkTo("new", [memoriesRoot]));
    await button(page, "Preview").click();
    await editor(page).fill(slow.stars);
    // Of the text itself only what can be seen is in the page.
    await page.locator(".preview .source.long").waitFor();
    await page.getByText("takes too long").waitFor();
    await editor(page).fill("now **short**");
    await page.locator(".preview strong").getByText("short").waitFor();
  });
});

describe("a note of almost a megabyte (WEB-3)", () => {
  it("is shown as source first, then rendered as far as a page can hold it, with an outline", async () => {
    const page = await served.open(linkToPlace("read", note("long.md")));
    await page.locator(".source.long").waitFor();
    await button(page, "Rendered").click();
    await page.getByRole("heading", { level: 2, name: "Part 0", exact: true }).waitFor();
    await page.getByText("it is too long to be rendered as a whole").waitFor();
    expect(await page.locator(".outline li").count()).toBe(201);
    await button(page, "Source").click();
    await page.locator(".source.long").waitFor();
  });
});
