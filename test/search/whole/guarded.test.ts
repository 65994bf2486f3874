import { describe, expect, it } from "vitest";
import { recordsInFolder } from "../../../src/backends/files/records.ts";
import { openAllowList } from "../../../src/credentials/allow-list.ts";
import { createGuard } from "../../../src/guard/guard.ts";
import { made } from "../../../src/guard/rules/made.ts";
import { userDataFolder } from "../../../src/settings/user-folders.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { cacheText, complete, pathsOf, type SearchWorld, searchWorld } from "./search-world.ts";

const folders = temporaryFolders();
const token = ["gh", "p_", made(60).slice(0, 36)].join("");
const key = [
  "-----BEGIN PRIVATE",
  " KEY-----\n",
  made(64),
  "\n",
  made(64).slice(7),
  "\n-----END PRIVATE",
  " KEY-----",
].join("");

const other = "The zebrafish pipeline is started by hand.";
const places: Readonly<Record<string, { readonly path: string; readonly text: string; readonly secret: string }>> = {
  "its text": { path: "n.md", text: `# Note\n\n${other}\n\nUse ${token} there.\n`, secret: token },
  "a heading": { path: "n.md", text: `# Note\n\n${other}\n\n## With ${token}\n\nMore.\n`, secret: token },
  "its title": { path: "n.md", text: `# With ${token}\n\n${other}\n`, secret: token },
  "its front matter": {
    path: "n.md",
    text: `---\ntitle: With ${token}\ntags: [${token}]\n---\n\n# Note\n\n${other}\n`,
    secret: token,
  },
  "a fence": { path: "n.md", text: `# Note\n\n${other}\n\n\`\`\`sh\nexport X=${token}\n\`\`\`\n`, secret: token },
  "many lines": { path: "n.md", text: `# Note\n\n${other}\n\n${key}\n\nEnd.\n`, secret: key.split("\n")[1] ?? "" },
  "an assignment": {
    path: "n.md",
    text: `# Note\n\n${other}\n\npassword: Tr0ub4dor-${made(9)}\n`,
    secret: `Tr0ub4dor-${made(9)}`,
  },
};

/** Pieces by which a secret would be known, as it may stand in an index. */
function piecesOf(secret: string): string[] {
  const folded = secret.toLowerCase();
  return Array.from({ length: folded.length - 9 }, (_, at) => folded.slice(at, at + 10)).filter(
    (piece) => !/[^a-z0-9]/.test(piece),
  );
}

function expectNowhere(text: string, secret: string): void {
  const folded = text.toLowerCase();
  expect(piecesOf(secret).filter((piece) => folded.includes(piece))).toEqual([]);
}

const recallOf = async (world: SearchWorld, query: string) => {
  const workspace = await world.open();
  return workspace.search.recall({ query });
};

describe("a secret that came by hand", () => {
  it.each(Object.keys(places))("GUARD-1 GUARD-3 in %s: is shown by no answer, and in no index", async (name) => {
    const { path, text, secret } = places[name] ?? { path: "", text: "", secret: "" };
    const world = searchWorld(folders.make());
    world.note(path, text);
    world.note("plain.md", "# Plain\n\nA pipeline for other fish.\n");
    const logged: unknown[] = [];
    const workspace = await world.open({ stays: true, log: (...line) => void logged.push(line) });
    const search = workspace.search;
    const pages = [];
    for (const query of [
      "zebrafish pipeline",
      secret.split("\n")[0] ?? "",
      `"${secret.slice(0, 30)}"`,
      "path:n.md",
      "with note",
    ]) {
      pages.push(await complete(search, { query, explain: true, limit: 100 }));
    }
    const [found] = pages;
    // By its other words it is found, as flagged; where they stand in the same paragraph they are hidden with it.
    const hit = found?.hits.find((one) => one.path === path);
    expect(hit).toMatchObject({ flagged: true });
    const recalled = await search.recall({ query: "zebrafish pipeline" });
    expect(recalled.items.map((item) => item.path)).toEqual(["plain.md"]);
    // What was asked for stands in the answer as the asker's own word.
    const shown = pages.flatMap(({ hits }) => hits.map(({ explanation: _, ...rest }) => rest));
    expectNowhere(JSON.stringify([shown, recalled, logged]), secret);
    await workspace.close();
    expect(cacheText(world)).toContain("zebrafish");
    expectNowhere(cacheText(world), secret);
    // Once it is gone, everything is as with any other note.
    world.note(path, `# Note\n\n${other}\n`);
    expect((await world.ask("zebrafish pipeline")).hits[0]).toMatchObject({ path, flagged: false });
    expect((await recallOf(world, "zebrafish pipeline")).items[0]).toMatchObject({ path });
  });

  it.each([`${token}.md`, `${token}/n.md`, `a/${token}-notes.md`])(
    "GUARD-3 in a name, it is in no answer and in no index (%#)",
    async (path) => {
      const world = searchWorld(folders.make());
      world.note(path, `# Note\n\n${other}\n`);
      world.note("plain.md", "# Plain\n\nA pipeline for other fish.\n");
      const pages = [await world.ask("zebrafish pipeline"), await world.ask(token), await world.ask("note")];
      expectNowhere(JSON.stringify([pages, await recallOf(world, "zebrafish pipeline")]), token);
      expectNowhere(cacheText(world), token);
      expect(pages.flatMap(pathsOf)).not.toContain(path);
    },
  );

  it("GUARD-1 in an entry of a topic: the other entries are found, and the file is flagged", async () => {
    const world = searchWorld(folders.make());
    const entry = (title: string, text: string) => `## 2026-01-02: ${title}\n**Problem:** ${text}\n\n---\n\n`;
    world.write("memory/build/cache.md", `# Topic\n\n${entry("Zebrafish", "The pipeline.")}${entry("Other", token)}`);
    const page = await world.ask("zebrafish pipeline");
    expect(page.hits[0]).toMatchObject({ title: "Zebrafish", flagged: true, kind: "topic" });
    expectNowhere(JSON.stringify(page), token);
    expectNowhere(cacheText(world), token);
  });

  it("GUARD-4 what is allowed is found and recalled, and no more once that is taken back", async () => {
    const world = searchWorld(folders.make());
    const { path, text } = places["its text"] ?? { path: "", text: "" };
    world.note(path, text);
    expect((await recallOf(world, "zebrafish pipeline")).items).toEqual([]);
    const [finding] = createGuard({ policy: "standard", allowed: new Set() }).scan(text);
    const list = openAllowList({ records: recordsInFolder(userDataFolder({ env: {}, home: world.home })) });
    const fingerprint = finding?.fingerprint ?? "";
    list.allow(fingerprint, "an example");
    expect((await world.ask("zebrafish pipeline")).hits[0]).toMatchObject({ path, flagged: false });
    expect((await recallOf(world, "zebrafish pipeline")).items).toHaveLength(1);
    list.revoke(fingerprint);
    expect((await world.ask("zebrafish pipeline")).hits[0]).toMatchObject({ path, flagged: true });
    expect((await recallOf(world, "zebrafish pipeline")).items).toEqual([]);
  });

  it("GUARD-1 with policy warn: what writes let pass is still not shown", async () => {
    const world = searchWorld(folders.make());
    world.note("n.md", `# Note\n\n${other}\n\n${token}\n`);
    const page = await world.ask("zebrafish", { flags: { "--guard-policy": "warn" } });
    expect(page.hits[0]).toMatchObject({ flagged: true });
    expectNowhere(JSON.stringify(page) + cacheText(world), token);
  });
});
