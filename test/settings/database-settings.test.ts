import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { resolveSettings } from "../../src/settings/resolve-settings.ts";
import type { SettingFlags } from "../../src/settings/setting-texts.ts";
import { shownValue } from "../../src/settings/settings.ts";
import { errorOf } from "../helpers/error-of.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();

async function settingsOf(folder: string, project: string | undefined, flags: SettingFlags = {}) {
  const trust = { isTrusted: () => false };
  return (await resolveSettings({ project, cwd: folder, home: folder, env: {}, flags, trust })).values;
}

/** The space of a project by default. */
async function spaceOf(folder: string, project: string | undefined, flags?: SettingFlags): Promise<string> {
  return (await settingsOf(folder, project, flags))["database.space"];
}

describe("which part of a database a project has", () => {
  it("PG-1 CFG-2 two folders of one name have two, and one folder has one, by whichever way it is reached", async () => {
    const folder = folders.make();
    const [mine, clone, link] = ["mine/shop", "downloads/shop", "link"].map((path) => join(folder, path));
    for (const project of [mine, clone]) mkdirSync(String(project), { recursive: true });
    symlinkSync(String(mine), String(link));
    const spaces = await Promise.all([mine, clone, link, mine].map((project) => spaceOf(folder, project)));
    expect(spaces[0]).toMatch(/^shop-[0-9a-f]{16}$/);
    expect(spaces[1]).toMatch(/^shop-[0-9a-f]{16}$/);
    expect(spaces[1]).not.toBe(spaces[0]);
    expect(spaces.slice(2)).toEqual([spaces[0], spaces[0]]);
    const values = await settingsOf(folder, mine, { "--database-url": "postgres://db/memory" });
    expect(values["memories.folder"].space).toBe(`${spaces[0]}/memories`);
  });

  it("PG-1 has the name that somebody gives, and without a project one for all", async () => {
    const folder = folders.make();
    const flags = { "--database-space": "shop" };
    expect([await spaceOf(folder, folder, flags), await spaceOf(folder, undefined, flags)]).toEqual(["shop", "shop"]);
    expect(await spaceOf(folder, undefined)).toBe("default");
    const named = await spaceOf(folder, folder, { "--project-name": "web" });
    expect(named).toBe(await spaceOf(folder, folder));
  });

  it.each([
    ["very long", "x".repeat(200), /^x{40}-[0-9a-f]{16}$/],
    ["of characters outside of the basic plane", "🌳".repeat(50), /^(?:🌳){40}-[0-9a-f]{16}$/u],
    ["with a character that no space has", "a\tb", /^project-[0-9a-f]{16}$/],
    ["that is one of a space's parts", "agents", /^agents-[0-9a-f]{16}$/],
  ])("PG-1 has one of its own where the folder's name is %s", async (_, name, expected) => {
    const folder = folders.make();
    const project = join(folder, name);
    mkdirSync(project);
    expect(await spaceOf(folder, project)).toMatch(expected);
  });

  it.each([
    "agents",
    "shop/agents",
    "shop/agents/builder",
    "bank",
    "shop/bank/web",
    "a/memories",
    "topics",
    "x/global",
  ])("PG-1 %s is refused, where another project may have files of its own", async (space) => {
    const folder = folders.make();
    const error = await errorOf(() => spaceOf(folder, folder, { "--database-space": space }));
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringContaining("no part of it can") });
  });

  it("PG-1 a single root can still be given any space", async () => {
    const folder = folders.make();
    const values = await settingsOf(folder, folder, { "--memories-folder": "postgres:shop/memories" });
    expect(values["memories.folder"].space).toBe("shop/memories");
  });
});

describe("the address of a database", () => {
  it.each([
    "postgres://u:12/34SECRET@127.0.0.1/db",
    "postgres://u:12?34SECRET@127.0.0.1/db",
    "postgres://u:12#34SECRET@127.0.0.1/db",
    "postgres://u:12@SECRET,34@127.0.0.1/db",
    "postgresql://u:SECRET/34@127.0.0.1/db",
  ])("CFG-1 %s is refused, since a part of the password would be taken for something else", async (url) => {
    const folder = folders.make();
    const error = await errorOf(() => settingsOf(folder, folder, { "--database-url": url }));
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringContaining("%2F") });
    expect(String(error)).not.toMatch(/SECRET|34/);
  });

  it.each([
    ["postgres://u:12%2F34%40SECRET@127.0.0.1/db", "postgres://127.0.0.1/db"],
    ["postgresql://u:SECRET@one:5432,two/db?sslpassword=SECRET", "postgres://one:5432,two/db"],
    ["postgres:///db?host=one&user=ada&password=SECRET", "postgres:///db"],
  ])("CFG-1 %s is taken, and only host and name of it are shown", async (url, shown) => {
    const folder = folders.make();
    const values = await settingsOf(folder, folder, { "--database-url": url });
    expect(values["database.url"]).toBe(url);
    expect(shownValue("database.url", url)).toBe(shown);
  });
});
