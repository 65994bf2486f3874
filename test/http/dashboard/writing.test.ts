import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linkTo, linkToPlace } from "../../../src/http/dashboard/route.ts";
import { button, editor, heading, note } from "./page-parts.ts";
import { goTo, memoriesRoot, type ServedDashboard, serveDashboard } from "./served-dashboard.ts";

let served: ServedDashboard;
let builder: string;

beforeAll(async () => {
  served = await serveDashboard();
  builder = await served.tokenFor("builder-7");
  await served.write(builder, "ops/deploy.md", "# Deploy\n");
});
afterAll(() => served.close());

const stored = (path: string) => readFileSync(join(served.project, memoriesRoot, path), "utf8");

describe("writing (WEB-3)", () => {
  it("makes a note, moves it and deletes it, and history brings it back", async () => {
    const page = await served.open(linkTo("new", [memoriesRoot]));
    await page.getByLabel("Name").fill("plans/launch");
    await editor(page).fill("# Launch\n\nIn May.\n");
    await page.keyboard.press("Control+s");
    await heading(page, "plans/launch").waitFor();
    expect(stored("plans/launch.md")).toBe("# Launch\n\nIn May.\n");

    await goTo(page, linkTo("new", [memoriesRoot]));
    await page.getByLabel("Name").fill("plans/launch");
    await editor(page).fill("other\n");
    await page.keyboard.press("Control+s");
    await page.getByText("There is a note of this name already.").waitFor();
    expect(await editor(page).inputValue()).toBe("other\n");
    expect(stored("plans/launch.md")).toBe("# Launch\n\nIn May.\n");
    await editor(page).fill("");
    await goTo(page, linkToPlace("read", note("plans/launch.md")));

    await button(page, "Move").click();
    await page.getByLabel("New path").fill("plans/start.md");
    await page.getByRole("dialog").getByRole("button", { name: "Move" }).click();
    await heading(page, "plans/start").waitFor();

    await button(page, "Delete").click();
    await page.getByRole("dialog").getByText("History keeps every revision").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(stored("plans/start.md")).toBe("# Launch\n\nIn May.\n");
    await button(page, "Delete").click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("link", { name: "Bring it back from history" }).click();
    await heading(page, "History of plans/start").waitFor();
    await page.getByRole("navigation", { name: "Revisions" }).getByRole("link").nth(1).click();
    await button(page, "Restore this one").click();
    await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
    await page.getByText("Restored.").waitFor();
    expect(stored("plans/start.md")).toBe("# Launch\n\nIn May.\n");
  });

  it("restores an older revision after showing both side by side", async () => {
    await served.write(builder, "restore.md", "first line\n");
    await served.write(builder, "restore.md", "second line\n");
    const page = await served.open(linkToPlace("history", note("restore.md")));
    await page.locator("td.was").getByText("first line").waitFor();
    await page.locator("td.now").getByText("second line").waitFor();
    await page.getByRole("navigation", { name: "Revisions" }).getByRole("link").nth(1).click();
    await button(page, "Restore this one").click();
    await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
    await page.getByText("Restored.").waitFor();
    expect(stored("restore.md")).toBe("first line\n");
  });

  it("refuses a secret in words, keeps the text, and saves it once an admin allows the value with a reason", async () => {
    const page = await served.open(linkToPlace("edit", note("ops/deploy.md")));
    const text = `# Deploy\n\nAKIA${"IOSFODNN7ABCDEFG"}\n`;
    await editor(page).fill(text);
    await button(page, "Save").click();
    await page.getByRole("alert").getByText("Write where the value is kept instead").waitFor();
    expect(await editor(page).inputValue()).toBe(text);
    expect(stored("ops/deploy.md")).not.toContain("AKIA");
    await button(page, "Allow this value (aws-access-key-id, line 3)").click();
    await page.getByLabel("Why is it harmless?").fill("made up for a manual");
    await page.getByRole("dialog").getByRole("button", { name: "Let it pass" }).click();
    await heading(page, "ops/deploy").waitFor();
    expect(stored("ops/deploy.md")).toBe(text);
  });

  async function allow(page: Page, place: string): Promise<void> {
    await button(page, `Allow this value (aws-access-key-id, ${place})`).click();
    await page.getByLabel("Why is it harmless?").fill("made up for a manual");
    const asked = page.getByRole("dialog", { name: "Let this value pass?" });
    await asked.getByRole("button", { name: "Let it pass" }).click();
  }

  it("moves a note to a name that the guard refused, once an admin allows it", async () => {
    const name = `AKIA${"IOSFODNN7MOVEDTO"}`;
    await served.write(builder, "move-me.md", "# Move me\n");
    const page = await served.open(linkToPlace("read", note("move-me.md")));
    await button(page, "Move").click();
    await page.getByLabel("New path").fill(`${name}.md`);
    await page.getByRole("dialog").getByRole("button", { name: "Move" }).click();
    await page.getByRole("alert").getByText("Not moved: the guard takes this for a secret.").waitFor();
    await allow(page, "line 1");
    await heading(page, name).waitFor();
    expect(stored(`${name}.md`)).toBe("# Move me\n");
  });

  it("restores a revision that the guard refused, once an admin allows it", async () => {
    const text = `AKIA${"IOSFODNN7RESTORE"}\n`;
    writeFileSync(join(served.project, memoriesRoot, "leaked.md"), text);
    await served.write(builder, "leaked.md", "clean\n");
    const page = await served.open(linkToPlace("history", note("leaked.md")));
    await page.getByRole("navigation", { name: "Revisions" }).getByRole("link").nth(1).click();
    await button(page, "Restore this one").click();
    await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
    await page.getByRole("alert").getByText("Not restored: the guard takes this for a secret.").waitFor();
    await allow(page, "line 1");
    await page.getByText("Restored.").waitFor();
    expect(stored("leaked.md")).toBe(text);
  });

  it("begins a note in the folder that is open by a key, also after another one was open", async () => {
    const page = await served.open(linkTo("browse", [memoriesRoot]));
    await page.getByRole("link", { name: "ops/" }).click();
    await heading(page, "ops").waitFor();
    await page.keyboard.press("n");
    await heading(page, "New note").waitFor();
    expect(await page.getByLabel("Name").inputValue()).toBe("ops/");
  });

  it("says who can allow a value, to those who may not", async () => {
    const { secret } = await served.tokens.create({ name: "writer", scopes: ["*:read,write"] });
    const page = await (await served.browser.newContext()).newPage();
    await page.goto(`${served.server.origin}/#token=${secret}`);
    await heading(page, "Overview").waitFor();
    await goTo(page, linkTo("new", [memoriesRoot], { name: "keys" }));
    await editor(page).fill(`AKIA${"IOSFODNN7HIJKLMN"}\n`);
    await button(page, "Save").click();
    await page.getByRole("alert").getByText("recollect guard allow FINGERPRINT").waitFor();
    expect(await button(page, "Allow this value", false).count()).toBe(0);
    await page.context().close();
  });

  it("begins a note by a key on any screen, with the name of a reference that leads nowhere, and never among topics", async () => {
    const page = await served.open();
    await page.keyboard.press("n");
    await heading(page, "New note").waitFor();
    await goTo(page, linkTo("mem", ["auth", "tokens"]));
    await page.getByRole("link", { name: "write it" }).click();
    expect(await page.getByLabel("Name").inputValue()).toBe("auth/tokens");
    expect(await page.getByLabel("Root").inputValue()).toBe(memoriesRoot);
    await goTo(page, linkTo("browse", ["memory"]));
    await page.getByText("store_in_memory").waitFor();
    expect(await page.getByRole("link", { name: "New note" }).count()).toBe(0);
    await page.keyboard.press("n");
    await heading(page, "New note").waitFor();
    await goTo(page, linkTo("overview"));
    await goTo(page, linkTo("new", ["memory", "build"]));
    await page.getByText("Notes cannot be written in “memory”.").waitFor();
    expect(await page.getByLabel("Name").inputValue()).toBe("");
  });

  it("searches from the editor by Enter, with the whole query and one question", async () => {
    const page = await served.open(linkToPlace("edit", note("ops/deploy.md")));
    await editor(page).fill("typed\n");
    const search = page.getByRole("searchbox", { name: "Search" });
    await search.click();
    await page.keyboard.type("deploy");
    await page.getByText("Enter to search").waitFor();
    expect([await search.inputValue(), await page.getByRole("dialog").count()]).toEqual(["deploy", 0]);
    await page.keyboard.press("Escape");
    expect([await search.inputValue(), await editor(page).inputValue()]).toEqual(["", "typed\n"]);
    await page.keyboard.type("deploy");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Leave with unsaved text?" }).getByRole("button", { name: "Leave" }).click();
    await page.locator("mark").first().waitFor();
    expect(await search.inputValue()).toBe("deploy");
    expect(await page.title()).toBe("deploy · Search · Recollect");
  });
});

describe("a conflict while editing (WEB-3)", () => {
  async function conflictIn(path: string): Promise<Page> {
    await served.write(builder, path, "one\ntwo\nthree\n");
    const page = await served.open(linkToPlace("edit", note(path)));
    await editor(page).fill("one\nmine\nthree\n");
    await served.write(builder, path, "one\ntheirs\nthree\n");
    await page.getByText("saving will show both sides").waitFor();
    await button(page, "Save").click();
    await page.getByText("Somebody saved this note meanwhile").waitFor();
    expect(stored(path)).toBe("one\ntheirs\nthree\n");
    return page;
  }

  it("shows both sides and saves mine where I say so", async () => {
    const page = await conflictIn("conflict/mine.md");
    await page.locator(".side.left pre").getByText("theirs").waitFor();
    await page.locator(".side.right pre").getByText("mine").waitFor();
    await button(page, "Save mine over theirs").click();
    await heading(page, "conflict/mine").waitFor();
    expect(stored("conflict/mine.md")).toBe("one\nmine\nthree\n");
  });

  it("takes theirs where I say so", async () => {
    const page = await conflictIn("conflict/theirs.md");
    await button(page, "Take theirs, drop mine").click();
    await page.locator(".prose").getByText("theirs").waitFor();
    expect(stored("conflict/theirs.md")).toBe("one\ntheirs\nthree\n");
  });

  it("merges by hand, and asks again where somebody was faster once more", async () => {
    const page = await conflictIn("conflict/both.md");
    await served.write(builder, "conflict/both.md", "one\ntheirs\nthree\nfour\n");
    const result = page.getByLabel("The result");
    expect(await result.inputValue()).toBe("one\ntheirs\nmine\nthree\n");
    await page.getByRole("radio", { name: "Mine" }).check();
    expect(await result.inputValue()).toBe("one\nmine\nthree\n");
    await result.fill("one\nby hand\nthree\n");
    await button(page, "Save the result").click();
    await page.getByText("four").first().waitFor();
    await button(page, "Save the result").click();
    await heading(page, "conflict/both").waitFor();
    expect(stored("conflict/both.md")).toBe("one\ntheirs\nby hand\nthree\nfour\n");
  });

  it("saves a merge that the guard refused, as it is then, once an admin allows the value", async () => {
    const page = await conflictIn("conflict/refused.md");
    const key = `AKIA${"IOSFODNN7MERGEDX"}`;
    await page.getByLabel("The result").fill(`one\n${key}\nthree\n`);
    await button(page, "Save the result").click();
    const merge = page.getByRole("region", { name: "Merge by hand" });
    await merge.getByRole("alert").getByText("Not saved").waitFor();
    await page.getByLabel("The result").fill(`one\n${key}\nthree\nfour\n`);
    await button(page, "Allow this value (aws-access-key-id, line 2)").click();
    await page.getByLabel("Why is it harmless?").fill("made up for a manual");
    await page.getByRole("dialog").getByRole("button", { name: "Let it pass" }).click();
    await heading(page, "conflict/refused").waitFor();
    expect(stored("conflict/refused.md")).toBe(`one\n${key}\nthree\nfour\n`);
  });

  it("never loses what was typed: not by leaving, not by loading the page again", async () => {
    await served.write(builder, "draft.md", "stored\n");
    const page = await served.open(linkToPlace("edit", note("draft.md")));
    await editor(page).fill("typed\n");
    await page.getByRole("link", { name: "Overview" }).click();
    const dialog = page.getByRole("dialog", { name: "Leave with unsaved text?" });
    await dialog.getByRole("button", { name: "Stay" }).click();
    expect(await editor(page).inputValue()).toBe("typed\n");
    await page.getByRole("link", { name: "Overview" }).click();
    await dialog.getByRole("button", { name: "Leave" }).click();
    await heading(page, "Overview").waitFor();
    page.on("dialog", (asked) => void asked.accept());
    await page.goto(`${served.server.origin}/${linkToPlace("edit", note("draft.md"))}`);
    await page.reload();
    await page.getByText("Your unsaved text was restored").waitFor();
    expect(await editor(page).inputValue()).toBe("typed\n");
    await button(page, "Discard it").click();
    expect(await editor(page).inputValue()).toBe("stored\n");
  });
});
