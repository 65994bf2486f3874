import { describe, expect, it } from "vitest";
import type { Io } from "../../src/cli/output.ts";
import { searchCommand } from "../../src/cli/search.ts";
import { cli } from "../helpers/cli.ts";
import { fakeSearch, sampleHit as hit } from "../helpers/fake-search.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";
import { searchWorld } from "../search/whole/search-world.ts";

const folders = temporaryFolders();

type Answers = Parameters<typeof fakeSearch>[0];

/** The command on a search that answers what the test says. */
async function run(args: readonly string[], answers: Answers = {}, about: Partial<Io> = {}) {
  const [out, err]: [string[], string[]] = [[], []];
  const { asked, search } = fakeSearch(answers);
  let code = 0;
  const io: Io = {
    out: (text) => out.push(text),
    err: (text) => err.push(text),
    terminal: false,
    place: { cwd: "/", env: {}, home: "/" },
    readInput: async () => undefined,
    ...about,
  };
  const setExitCode = (given: number) => {
    code = given;
  };
  const command = searchCommand(io, setExitCode, (_, __, use) => use(search, {} as never));
  await command.exitOverride().parseAsync([...args], { from: "user" });
  return { code, out: out.join(""), err: err.join(""), asked };
}

const page = { hits: [hit], total: 1 };

describe("CLI-1 recollect search", () => {
  it("SRCH-5 shows number, title, date, place and the match", async () => {
    expect(await run(["stale", "cache"], page)).toEqual({
      code: 0,
      out: " 1  build/cache › Stale cache  (lesson, 2026-05-01, lines 3-9)\n    …the cache is stale\n",
      err: "",
      asked: [{ query: "stale cache", limit: 10, offset: 0, explain: false }],
    });
  });

  it("SRCH-1 hands on every filter", async () => {
    const filters = [
      "--topic",
      "build",
      "--since",
      "2026-01-01",
      "--until",
      "2026-02-01",
      "--path",
      "a/**",
      "--root",
      "memory",
    ];
    const { asked } = await run(["x", ...filters, "--limit", "5", "--offset", "3", "--explain"], page);
    expect(asked).toEqual([
      {
        query: "x",
        topic: "build",
        since: "2026-01-01",
        until: "2026-02-01",
        path: "a/**",
        root: "memory",
        limit: 5,
        offset: 3,
        explain: true,
      },
    ]);
  });

  it("SRCH-5 turns pages, and says what was left out", async () => {
    const many = { hits: [hit, hit], total: 57 };
    const first = await run(["x", "--limit", "2"], many);
    expect(first.out).toMatch(/\n2 of 57 shown\. More: --page 2\n$/);
    const third = await run(["x", "--limit", "2", "--page", "3"], many);
    expect(third.asked).toMatchObject([{ offset: 4, limit: 2 }]);
    expect(third.out).toMatch(/^ 5 {2}build\/cache.*\n 6 {2}build\/cache.*\n5 to 6 of 57 shown\. More: --page 4\n$/s);
    expect((await run(["x", "--limit", "2", "--offset", "3"], many)).out).toMatch(
      /4 to 5 of 57 shown\. More: --offset 5/,
    );
    expect((await run(["x", "--limit", "2", "--page", "29"], many)).out).toMatch(/57 to 58 of 57 shown\.\n$/);
    await expect(run(["x", "--page", "0"], many)).rejects.toThrow("It takes a whole number from 1.");
  });

  it("CLI-1 speaks of pages to who turns them", async () => {
    const world = searchWorld(folders.make());
    world.note("a.md", "# Harbour\n");
    const search = (args: readonly string[]) =>
      cli(["search", "harbour", ...args], "", { cwd: world.project, env: {}, home: world.home });
    const { code, err } = await search(["--page", "102"]);
    expect([code, err]).toEqual([2, expect.stringContaining("There is no page 102")]);
    expect(err).not.toContain("offset");
    expect((await search(["--offset", "1010"])).err).toContain("“offset” is a whole number");
  });

  it("CLI-1 ends with 3 where nothing is found, and says so on stderr", async () => {
    const { code, out, err } = await run(["cash", "flow"]);
    expect([code, out, err]).toEqual([3, "", "recollect: Nothing found for “cash flow”. Try other words, or fewer.\n"]);
    const beyond = await run(["x", "--page", "9"], { hits: [], total: 4 });
    expect([beyond.code, beyond.err]).toEqual([3, "recollect: Nothing more: 4 in all.\n"]);
  });

  it("CLI-1 --json prints one object, warnings and what is left out in it", async () => {
    const { code, out, err } = await run(
      ["x", "--json"],
      { ...page, total: 3, warnings: ["careful"] },
      { terminal: true },
    );
    expect([code, err, out.split("\n").length]).toEqual([0, "", 2]);
    expect(JSON.parse(out)).toEqual({ hits: [hit], total: 3, warnings: ["careful"], offset: 0, leftOut: 2 });
    expect(JSON.parse((await run(["x", "--json"])).out)).toMatchObject({ hits: [], total: 0 });
  });

  it("SRCH-3 warnings go to stderr", async () => {
    const { err } = await run(["x"], { ...page, warnings: ["The index is being built."] });
    expect(err).toBe("recollect: The index is being built.\n");
  });

  it("CLI-1 makes matches stand out on a terminal, and there alone", async () => {
    const { out } = await run(["x"], page, { terminal: true });
    expect(out).toContain("…the \u001b[1;31mcache\u001b[0m is stale");
    const env = { NO_COLOR: "1" };
    const plain = await run(["x"], page, { terminal: true, place: { cwd: "/", env, home: "/" } });
    expect(plain.out).not.toContain("\u001b");
  });

  it("CLI-1 lets no control character of a note through, on a terminal or not", async () => {
    const evil = "a\u001b[2Jb\u0007\u202e";
    const hostile = {
      ...hit,
      title: evil,
      breadcrumb: [evil],
      path: evil,
      root: evil,
      snippet: { text: evil, marks: [{ from: 0, to: 3 }] },
    };
    for (const terminal of [true, false]) {
      const { out, err } = await run(["x"], { hits: [hostile], total: 2, warnings: [evil] }, { terminal });
      const start = String.fromCharCode(27);
      const signs = [..."102"].map((code) => `${start}[${code}m`);
      const ours = [...signs, `${start}[1;31m`, `\r${start}[K`, "\n"];
      const theirs = ours.reduce((text, sign) => text.replaceAll(sign, ""), out + err);
      expect(theirs).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u);
    }
  });

  it("SRCH-1 --explain shows each part of the score", async () => {
    const terms = [{ term: "cach", for: "cache", score: 0.5 }];
    const explanation = { text: 0.5, meaning: 0.125, recency: 0.1, context: 0.025, terms };
    const { out } = await run(["cache", "--explain"], { hits: [{ ...hit, explanation }], total: 1 });
    expect(out).toContain(
      "    score 0.750 = text 0.500 + meaning 0.125 + recency 0.100 + context 0.025; cache as cach 0.500\n",
    );
  });

  it("GUARD-1 says which results hold something that must not be shown", async () => {
    const { out } = await run(["x"], { hits: [{ ...hit, flagged: true }], total: 1 });
    expect(out).toContain("recollect guard scan");
  });

  it("CLI-1 shows on a terminal how far the index is, and takes it away again", async () => {
    const { err } = await run(["x"], page, { terminal: true });
    expect(err).toBe("\r\u001b[KIndexing memory: 5 of 10\r\u001b[K");
    expect((await run(["x"], page)).err).toBe("");
  });

  it("CLI-1 help has examples, and a missing query is wrong usage", async () => {
    expect((await cli(["search", "--help"])).out).toContain("$ recollect search stale cache");
    expect((await cli(["search"])).code).toBe(2);
    expect((await cli(["search", "x", "--limit", "many"])).code).toBe(2);
  });
});
