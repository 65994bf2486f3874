import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linkTo, linkToPlace } from "../../../src/http/dashboard/route.ts";
import { button, editor, heading, note } from "./page-parts.ts";
import { goTo, memoriesRoot, type ServedDashboard, serveDashboard } from "./served-dashboard.ts";

let served: ServedDashboard;

const beside = (path: string) => path.replace(".md", ".conflict-1a2b3c4d.md");
const inProject = (root: string, path: string) => join(served.project, root, path);
const stored = (path: string, root = memoriesRoot) => readFileSync(inProject(root, path), "utf8");

function put(path: string, content: string, root = memoriesRoot): void {
  mkdirSync(dirname(inProject(root, path)), { recursive: true });
  writeFileSync(inProject(root, path), content);
}

/** As a merge leaves it. */
function leaveConflict(path: string, ours: string | undefined, theirs: string, root = memoriesRoot): void {
  if (ours !== undefined) put(path, ours, root);
  put(beside(path), theirs, root);
}

const opened = (path: string) => served.open(linkToPlace("conflicts", note(beside(path))));
const result = (page: Page) => page.getByLabel("The result");
const choice = (page: Page, name: string) => page.getByRole("button", { name: new RegExp(`^${name}:`) });
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name });
const answer = (page: Page, name: string, yes: string) =>
  dialog(page, name).getByRole("button", { name: yes, exact: true }).click();

beforeAll(async () => {
  served = await serveDashboard();
});
afterAll(() => served.close());

describe("settling what a merge left (WEB-3, HIST-4)", () => {
  it("opens and settles conflicts of one path in two roots, each by itself", async () => {
    for (const root of [memoriesRoot, "memory"]) leaveConflict("net/dns.md", `ours in ${root}\n`, "theirs\n", root);
    const page = await served.open(linkTo("conflicts"));
    await page
      .getByRole("listitem")
      .filter({ hasText: `memory / ${beside("net/dns.md")}` })
      .getByRole("link")
      .click();
    await page.locator("td.was").getByText("ours in memory").waitFor();
    await choice(page, "Keep theirs").click();
    // One of the two goes: that is asked, and Enter alone does nothing.
    await dialog(page, "Keep theirs?").waitFor();
    await page.keyboard.press("Enter");
    await dialog(page, "Keep theirs?").waitFor({ state: "detached" });
    expect(stored("net/dns.md", "memory")).toBe("ours in memory\n");
    await choice(page, "Keep theirs").click();
    await answer(page, "Keep theirs?", "Keep theirs");
    await page.getByText("Settled.").waitFor();
    expect([stored("net/dns.md", "memory"), stored("net/dns.md")]).toEqual(["theirs\n", `ours in ${memoriesRoot}\n`]);
    await page.getByRole("link", { name: "net/dns", exact: true }).click();
    await page.locator("td.was").getByText(`ours in ${memoriesRoot}`).waitFor();
    await choice(page, "Keep ours").click();
    await answer(page, "Keep ours?", "Keep ours");
    await page.getByText("There are none.").waitFor();
    expect(stored("net/dns.md")).toBe(`ours in ${memoriesRoot}\n`);
  });

  it("asks before the only copy is deleted, shows it, and leads to nothing that is not there", async () => {
    leaveConflict("lone.md", undefined, "the only copy\n");
    const page = await opened("lone.md");
    await choice(page, "Keep it").waitFor();
    expect(await page.getByRole("button", { name: /^Keep (ours|both)/ }).count()).toBe(0);
    await choice(page, "Delete it").click();
    await dialog(page, `Delete ${beside("lone.md")}?`)
      .getByText("the only copy", { exact: true })
      .waitFor();
    await button(page, "Cancel").click();
    expect(stored(beside("lone.md"))).toBe("the only copy\n");
    await choice(page, "Delete it").click();
    await answer(page, `Delete ${beside("lone.md")}?`, "Delete");
    await page.getByText("Deleted.").waitFor();
    expect(await page.getByRole("link", { name: "Open it" }).count()).toBe(0);
    await page.getByRole("link", { name: "Bring it back from history" }).click();
    await heading(page, "History of lone.conflict-1a2b3c4d").waitFor();
    expect(existsSync(inProject(memoriesRoot, beside("lone.md")))).toBe(false);
  });

  it("says when somebody changed it meanwhile, and looks again", async () => {
    leaveConflict("stale.md", "ours\n", "theirs\n");
    const page = await opened("stale.md");
    await page.locator("td.was").getByText("ours").waitFor();
    put("stale.md", "ours, changed\n");
    await choice(page, "Keep theirs").click();
    await answer(page, "Keep theirs?", "Keep theirs");
    await page.getByRole("alert").getByText("was changed meanwhile").waitFor();
    expect(stored("stale.md")).toBe("ours, changed\n");
    await button(page, "Look again").click();
    await page.locator("td.was").getByText("ours, changed").waitFor();
    expect(await page.getByText("was changed meanwhile").count()).toBe(0);
    await choice(page, "Keep theirs").click();
    await answer(page, "Keep theirs?", "Keep theirs");
    await page.getByText("Settled.").waitFor();
    expect(stored("stale.md")).toBe("theirs\n");
  });

  it("offers nothing that the token may not do, and says what it lacks", async () => {
    leaveConflict("looking.md", "ours\n", "theirs\n");
    const { secret } = await served.tokens.create({ name: "visitor", scopes: ["*:read"] });
    const page = await (await served.browser.newContext()).newPage();
    await page.goto(`${served.server.origin}/#token=${secret}`);
    await heading(page, "Overview").waitFor();
    await goTo(page, linkToPlace("conflicts", note(beside("looking.md"))));
    await page.getByText("Keep ours (delete)").waitFor();
    expect(await page.getByRole("button", { name: /^Keep/ }).count()).toBe(0);
    expect(await page.getByText("Merge by hand", { exact: true }).count()).toBe(0);
    await page.context().close();
  });
});

describe("what is typed into a merge (WEB-3)", () => {
  async function typedIn(path: string): Promise<Page> {
    leaveConflict(path, "one\nours\n", "one\ntheirs\n");
    const page = await opened(path);
    await page.getByText("Merge by hand", { exact: true }).click();
    await result(page).fill("one\ntyped\n");
    return page;
  }

  it("is not replaced by a choice without a question", async () => {
    const page = await typedIn("typed/choice.md");
    const theirs = page.getByRole("radio", { name: "Theirs" });
    await theirs.click();
    await answer(page, "Drop what you typed?", "Keep my text");
    expect([await result(page).inputValue(), await theirs.isChecked()]).toEqual(["one\ntyped\n", false]);
    await choice(page, "Keep theirs").click();
    await answer(page, "Drop what you typed?", "Keep my text");
    expect(stored("typed/choice.md")).toBe("one\nours\n");
    await theirs.click();
    await answer(page, "Drop what you typed?", "Drop my text");
    await expect.poll(() => result(page).inputValue()).toBe("one\ntheirs\n");
    expect(await theirs.isChecked()).toBe(true);
  });

  it("is asked about before it is left, kept in the tab, and used", async () => {
    const page = await typedIn("typed/left.md");
    const overview = page.getByRole("link", { name: "Overview" });
    await overview.click();
    await answer(page, "Leave with unsaved text?", "Stay");
    expect(await result(page).inputValue()).toBe("one\ntyped\n");
    await overview.click();
    await answer(page, "Leave with unsaved text?", "Leave");
    await heading(page, "Overview").waitFor();
    await goTo(page, linkToPlace("conflicts", note(beside("typed/left.md"))));
    await page.getByText("Your unsaved text was restored").waitFor();
    expect(await result(page).inputValue()).toBe("one\ntyped\n");
    await button(page, "Keep the result").click();
    await page.getByText("Settled.").waitFor();
    expect(stored("typed/left.md")).toBe("one\ntyped\n");
    expect(await page.evaluate("JSON.stringify(sessionStorage)")).not.toContain("typed");
  });

  it("is kept where the guard refused it, once an admin allows the value", async () => {
    leaveConflict("hand/refused.md", "ours\n", "theirs\n");
    const page = await opened("hand/refused.md");
    await page.getByText("Merge by hand").click();
    const text = `AKIA${"IOSFODNN7BYHANDX"}\n`;
    await result(page).fill(text);
    await button(page, "Keep the result").click();
    await button(page, "Allow this value (aws-access-key-id, line 1)").click();
    await page.getByLabel("Why is it harmless?").fill("made up for a manual");
    await answer(page, "Let this value pass?", "Let it pass");
    await heading(page, "Conflicts").waitFor();
    expect(stored("hand/refused.md")).toBe(text);
  });

  it("can still be copied where somebody else settled the conflict", async () => {
    const page = await typedIn("typed/gone.md");
    await page.getByRole("link", { name: "Overview" }).click();
    await answer(page, "Leave with unsaved text?", "Leave");
    await heading(page, "Overview").waitFor();
    rmSync(inProject(memoriesRoot, beside("typed/gone.md")));
    await goTo(page, linkToPlace("conflicts", note(beside("typed/gone.md"))));
    await page.getByText("No conflict waits").waitFor();
    expect(await page.getByLabel("Your unsaved text is still here").inputValue()).toBe("one\ntyped\n");
  });

  it("stays where both sides are looked at again", async () => {
    const page = await typedIn("typed/stale.md");
    put("typed/stale.md", "one\nours, changed\n");
    await button(page, "Keep the result").click();
    await button(page, "Look again").click();
    await page.locator("td.was").getByText("ours, changed").waitFor();
    expect(await result(page).inputValue()).toBe("one\ntyped\n");
    await button(page, "Keep the result").click();
    await page.getByText("Settled.").waitFor();
    expect(stored("typed/stale.md")).toBe("one\ntyped\n");
  });

  it("stays where somebody goes back to their own text in between", async () => {
    const builder = await served.tokenFor("builder-7");
    await served.write(builder, "typed/edit.md", "one\n");
    const page = await served.open(linkToPlace("edit", note("typed/edit.md")));
    await editor(page).fill("mine\n");
    await served.write(builder, "typed/edit.md", "theirs\n");
    await button(page, "Save").click();
    await result(page).fill("both of us\n");
    await button(page, "Save mine over theirs").click();
    await answer(page, "Drop what you typed?", "Keep my text");
    await button(page, "Back to my text").click();
    expect(await editor(page).inputValue()).toBe("mine\n");
    await button(page, "Save").click();
    await page.getByText("Your unsaved text was restored").waitFor();
    expect(await result(page).inputValue()).toBe("both of us\n");
    await button(page, "Save the result").click();
    await heading(page, "typed/edit").waitFor();
    expect(stored("typed/edit.md")).toBe("both of us\n");
    expect(await page.evaluate("JSON.stringify(sessionStorage)")).not.toContain("both of us");
  });
});

describe("line ends (KER-11)", () => {
  it("of a note stay what they are where a line is changed", async () => {
    put("ends/note.md", "# Note\r\n\r\none\r\ntwo\r\n");
    const page = await served.open(linkToPlace("edit", note("ends/note.md")));
    await page.getByText("unsaved changes").waitFor({ state: "detached" });
    await editor(page).fill("# Note\n\none\nthree\n");
    await button(page, "Save").click();
    await heading(page, "ends/note").waitFor();
    expect(stored("ends/note.md")).toBe("# Note\r\n\r\none\r\nthree\r\n");
  });

  it("stay in a merge by hand as well", async () => {
    leaveConflict("ends/merge.md", "one\r\nours\r\n", "one\r\ntheirs\r\n");
    const page = await opened("ends/merge.md");
    await page.getByText("Merge by hand", { exact: true }).click();
    await result(page).fill("one\nboth\n");
    await button(page, "Keep the result").click();
    await page.getByText("Settled.").waitFor();
    expect(stored("ends/merge.md")).toBe("one\r\nboth\r\n");
  });

  it("stay in a conflict while editing, where only what differs is shown", async () => {
    put("ends/edit.md", "same\r\none\r\n");
    const page = await served.open(linkToPlace("edit", note("ends/edit.md")));
    await editor(page).fill("same\nmine\n");
    put("ends/edit.md", "same\r\ntheirs\r\n");
    await button(page, "Save").click();
    await page.locator(".side.left pre").getByText("theirs", { exact: true }).waitFor();
    await page.getByRole("radio", { name: "Mine" }).check();
    expect(await result(page).inputValue()).toBe("same\nmine\n");
    await button(page, "Save the result").click();
    await heading(page, "ends/edit").waitFor();
    expect(stored("ends/edit.md")).toBe("same\r\nmine\r\n");
  });
});
