import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Hit, SearchRequest } from "../../../src/search/search.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { complete, pathsOf, type SearchWorld, searchWorld } from "./search-world.ts";

const folders = temporaryFolders();
const textOnly = "search: { meaning: false }\n";
const entry = (date: string, title: string, text: string) => `## ${date}: ${title}\n**Problem:** ${text}\n\n---\n\n`;

describe("filters", () => {
  // A topic of memories is a folder of them (MEM-3).
  const inAuth = ["Badge", "Gate", "archive/auth/2024.md", "auth/deep/token.md", "auth/login.md"];
  let world: SearchWorld;
  let ask: (request: SearchRequest) => Promise<string[]>;

  beforeAll(async () => {
    world = searchWorld(folders.make());
    world.note("auth/login.md", "# Login\n\nThe harbour gate opens with a badge.\n");
    world.note("auth/deep/token.md", "# Token\n\nA harbour token expires.\n");
    world.note("deploy.md", "# Deploy\n\nShips leave the harbour. Then the release pipeline runs.\n");
    world.write(
      "memory/auth/general.md",
      `${entry("2026-03-01", "Gate", "harbour gate stuck")}${entry("2025-05-05", "Badge", "harbour badge lost")}`,
    );
    world.write("memory/build/cache.md", entry("2026-02-01", "Crane", "harbour crane broke"));
    world.write("memory/archive/auth/2024.md", entry("2024-07-07", "Old gate", "harbour gate rusted"));
    for (const path of ["auth/login.md", "auth/deep/token.md", "deploy.md"])
      utimesSync(world.at(`.serena/memories/${path}`), 1_735_000_000, 1_735_000_000);
    ask = async (request) => {
      const { hits, total } = await world.ask({ limit: 100, ...request });
      expect(total).toBe(hits.length);
      return hits.map(({ path, title }) => (path.startsWith("auth/gen") ? title : path)).sort();
    };
  });

  it.each<[SearchRequest, string[]]>([
    [{ query: "harbour", topic: "auth" }, inAuth],
    [{ query: "harbour topic:auth" }, inAuth],
    [{ query: "topic:build" }, ["build/cache.md"]],
    [{ query: "harbour topic:build", topic: "auth" }, inAuth],
    [{ query: "harbour", topic: "nothing" }, []],
    [{ query: "harbour", since: "2026" }, ["Gate", "build/cache.md"]],
    [{ query: "harbour since:2026-02 until:2026-02" }, ["build/cache.md"]],
    [{ query: "harbour", since: "2026-02-01", until: "2026-02-01" }, ["build/cache.md"]],
    [{ query: "harbour", until: "2024-12-23" }, ["archive/auth/2024.md"]],
    // Notes have no date but that of their last change.
    [
      { query: "harbour", since: "2024-12-23", until: "2024-12-25" },
      ["auth/deep/token.md", "auth/login.md", "deploy.md"],
    ],
    [{ query: "harbour path:auth/**", root: ".serena/memories" }, ["auth/deep/token.md", "auth/login.md"]],
    [{ query: "harbour", path: "auth/*", root: ".serena/memories" }, ["auth/login.md"]],
    [{ query: "harbour", path: "auth", root: ".serena/memories" }, ["auth/deep/token.md", "auth/login.md"]],
    [{ query: "harbour", path: "deploy" }, ["deploy.md"]],
    [
      { query: "harbour", path: "**/*.md", root: "memory" },
      ["Badge", "Gate", "archive/auth/2024.md", "build/cache.md"],
    ],
    [{ query: '"harbour gate"' }, ["Gate", "archive/auth/2024.md", "auth/login.md"]],
    [{ query: '"gate harbour"' }, []],
    [{ query: "harbour -gate" }, ["Badge", "auth/deep/token.md", "build/cache.md", "deploy.md"]],
    [{ query: 'harbour -gate -token "release pipeline"' }, ["deploy.md"]],
    [{ query: "until:2024-12-24 -gate path:d*" }, ["deploy.md"]],
  ])("SRCH-1 %j", async (request, expected) => {
    expect(await ask(request)).toEqual(expected);
  });

  it("SRCH-1 refuses what it does not understand, and says what it would", async () => {
    const refused = { code: "INVALID_ARGUMENT" };
    for (const request of [
      { query: "" },
      { query: " \n" },
      { query: "-gate" },
      { query: "x", since: "yesterday" },
      { query: "x", until: "2026-13" },
      { query: "x", limit: 0 },
      { query: "x", limit: 101 },
      { query: "x", limit: 1.5 },
      { query: "x", offset: -1 },
      { query: "x", offset: Number.NaN },
      { query: "broken \ud800 text" },
    ]) {
      expect(await errorOf(() => world.ask(request)), JSON.stringify(request)).toMatchObject(refused);
    }
    expect(await errorOf(() => world.ask({ query: "x", root: "nowhere" }))).toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("-word", () => {
  it("SRCH-1 leaves out what has the word itself, and not what stands beside it", async () => {
    const world = searchWorld(folders.make(), textOnly);
    world.note(
      "n.md",
      "# Ships\n\n## One\n\nThe harbour is deep.\n\n## Two\n\nThe harbour has a lighthouse.\n\n## Three\n\nThe harbour is old.\n",
    );
    const page = await world.ask("harbour -lighthouse");
    expect(page.hits.map(({ title }) => title).sort()).toEqual(["One", "Three"]);
    expect(page.total).toBe(2);
  });
});

describe("-identifier", () => {
  it.each([
    ["getUserName", "getUserName"],
    ["getUserName", "getusername"],
    ["getUserName", "user"],
    ["snake_case_name", "snake_case_name"],
    ["session-store.ts", "session-store.ts"],
    ["session-store.ts", "session-store"],
    ["src/auth/login.ts", "login.ts"],
    ["SHOP-4711", "SHOP-4711"],
    ["v1.2.3", "1.2.3"],
    ["C++", "c++"],
    ["Größe", "groesse"],
    ["缓存策略", "缓存"],
    ["ships", "ship"],
  ])("SRCH-1 leaves out a note with %s for -%s", async (word, excluded) => {
    const world = searchWorld(folders.make(), textOnly);
    world.note("plain.md", "# Plain\n\nA harbour with a name, a store and 1 case.\n");
    world.note("other.md", `# Other\n\nA harbour with ${word} in it.\n`);
    expect(pathsOf(await world.ask(`harbour -${excluded}`))).toEqual(["plain.md"]);
  });
});

describe("pages", () => {
  it.each(["", textOnly])(
    "SRCH-1 follow each other without repeats and gaps, and add up to the total (%j)",
    async (settings) => {
      const world = searchWorld(folders.make(), settings);
      const count = 330;
      for (let number = 0; number < count; number += 1) {
        const more = "harbour ".repeat(number % 5) + "words of no weight ".repeat(number % 13);
        const date = `20${10 + (number % 16)}-0${1 + (number % 9)}-11`;
        world.note(
          `f${number % 4}/n${number}.md`,
          `---\ndate: ${date}\n---\n\n# Note ${number}\n\nA harbour. ${more}\n`,
        );
      }
      const search = await (await world.open()).search;
      const page = (offset: number, limit: number) => complete(search, { query: "harbour of weight", offset, limit });
      for (const limit of [10, 37, 100]) {
        const seen: string[] = [];
        const totals = new Set<number>();
        for (let offset = 0; offset < 400; offset += limit) {
          const { hits, total } = await page(offset, limit);
          seen.push(...hits.map(({ path }) => path));
          totals.add(total);
        }
        expect(new Set(seen).size).toBe(seen.length);
        expect(seen.length).toBe(count);
        expect([...totals]).toEqual([count]);
      }
    },
  );

  it("SRCH-1 follow each other also where many have the word and few have to do with it", async () => {
    const world = searchWorld(folders.make());
    const subjects =
      "kernel packet banana recipe violin orchestra galaxy telescope tax football carpet paint piston".split(" ");
    const subject = (number: number) => subjects[number % subjects.length];
    for (let number = 0; number < 260; number += 1) {
      const body = Array.from({ length: 20 + (number % 30) }, (_, at) => subject(number * 7 + at * (3 + (number % 5))));
      const text = `${body.join(" ")} harbour ${number % 3 === 0 ? "" : "harbour"}`;
      world.note(`n${number}.md`, `# ${subject(number)} ${number}\n\n${text}\n`);
    }
    const search = await (await world.open()).search;
    const seen: string[] = [];
    for (let offset = 0; offset < 300; offset += 20) {
      seen.push(...pathsOf(await complete(search, { query: "harbour", limit: 20, offset })));
    }
    expect(new Set(seen).size).toBe(260);
    expect(seen).toHaveLength(260);
  });
});

describe("the score", () => {
  const context = { topic: "auth", task: "Mend PRB-142 in the gate", files: ["src/gate/open-gate.ts"] };

  it("SRCH-1 is the sum of its parts, each of them shown, from the best to the worst", async () => {
    const world = searchWorld(folders.make());
    for (let number = 0; number < 25; number += 1) {
      world.note(
        `n${number}.md`,
        `# Gate ${number}\n\nThe gate ${"opens ".repeat(number % 4)} ${number % 3 ? "open-gate.ts" : "PRB-142"}.\n`,
      );
      utimesSync(
        world.at(`.serena/memories/n${number}.md`),
        1_790_000_000 - number * 1e6,
        1_790_000_000 - number * 1e6,
      );
    }
    world.write("memory/auth/general.md", entry("2026-03-01", "Gate", "gate stuck"));
    const { hits } = await world.ask({ query: "how does the gate open", context, explain: true, limit: 100 });
    expect(hits.length).toBeGreaterThan(20);
    for (const { score, explanation } of hits) {
      const { text = 0, meaning = 0, recency = 0, context: fit = 0, terms = [] } = explanation ?? {};
      expect(text + meaning + recency + fit).toBeCloseTo(score, 12);
      for (const part of [text, meaning, recency, fit]) expect(part).toBeGreaterThanOrEqual(0);
      expect(text + meaning).toBeLessThanOrEqual(1 + 1e-9);
      for (const term of terms) expect(["gate", "open"]).toContain(term.for);
    }
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a));
    expect(hits.some(({ explanation }) => (explanation?.context ?? 0) > 0)).toBe(true);
  });

  it("SRCH-1 equal ones come in the order of their places, each time", async () => {
    const world = searchWorld(folders.make(), "search: { recency_weight: 0 }\n");
    const names = ["b", "a/z", "a", "c/d/e", "Z", "ä", "a-b"];
    for (const name of names) world.note(`${name}.md`, "# Same\n\nThe very same harbour.\n");
    const expected = names.map((name) => `${name}.md`);
    const first = pathsOf(await world.ask("very same"));
    expect(first.toSorted()).toEqual(expected.toSorted());
    for (const name of names.toReversed()) world.note(`${name}.md`, "# Same\n\nThe very same harbour.\n");
    expect(pathsOf(await world.ask("very same"))).toEqual(first);
    expect(pathsOf(await world.ask("very same", { home: folders.make() }))).toEqual(first);
  });

  async function firstOf(settings: string, request: SearchRequest): Promise<Hit | undefined> {
    const world = searchWorld(folders.make(), settings);
    world.note("old.md", "# Gate\n\nThe gate opens by hand, the gate opens twice. See PRB-142 and `open-gate.ts`.\n");
    world.note(
      "new.md",
      "# Doors\n\nOf a gate, and of many other things that have to do with walls and fences and roofs.\n",
    );
    world.note("far.md", "# Cooking\n\nNothing about any of that.\n");
    utimesSync(world.at(".serena/memories/old.md"), 1_500_000_000, 1_500_000_000);
    return (await world.ask({ explain: true, ...request })).hits[0];
  }

  it("SRCH-1 goes by the weights of the settings", async () => {
    const request = { query: "gate" };
    expect(await firstOf("search: { recency_weight: 0, meaning: false }\n", request)).toMatchObject({
      path: "old.md",
      explanation: { recency: 0, meaning: 0 },
    });
    expect(await firstOf("search: { recency_weight: 10 }\n", request)).toMatchObject({ path: "new.md" });
    expect(
      await firstOf("search: { recency_weight: 5, recency_half_life_days: 36500, meaning: false }\n", request),
    ).toMatchObject({ path: "old.md" });
    const working = { query: "walls gate", context: { files: ["src/open-gate.ts"] } };
    expect(await firstOf("search: { recency_weight: 0, context_weight: 0 }\n", working)).toMatchObject({
      path: "new.md",
      explanation: { context: 0 },
    });
    expect(await firstOf("search: { recency_weight: 0, context_weight: 10 }\n", working)).toMatchObject({
      path: "old.md",
      explanation: { context: 10 },
    });
  });

  it("SRCH-1 ranks several roots as one: where a note lies changes nothing", async () => {
    const texts = Object.fromEntries(
      Array.from({ length: 24 }, (_, number) => [
        `n${String(number).padStart(2, "0")}.md`,
        `# Note ${number}\n\n${"harbour ".repeat(1 + (number % 7))}${number % 4 === 0 ? "lighthouse" : "crane"} ${"x y z ".repeat(number)}\n`,
      ]),
    );
    const settings = "search: { recency_weight: 0 }\nmemories: { additional_folders: [more, yet/more] }\n";
    const scores = async (folderOf: (number: number) => string) => {
      const world = searchWorld(folders.make(), settings);
      for (const [number, [name, text]] of Object.entries(texts).entries())
        world.write(`${folderOf(number)}/${name}`, text);
      const { hits, total, warnings } = await world.ask({
        query: "lighthouse of the harbour",
        limit: 100,
        explain: true,
      });
      expect(warnings).toEqual([]);
      const found = hits.map(({ path, score, explanation }) => ({ path, score, explanation }));
      return { total, found: found.toSorted((a, b) => (a.path < b.path ? -1 : 1)) };
    };
    const together = await scores(() => ".serena/memories");
    expect(together.total).toBe(24);
    expect(await scores((number) => [".serena/memories", "more", "yet/more"][number % 3] ?? "")).toEqual(together);
  });
});

describe("what is found", () => {
  it("SRCH-1 in memories, topics, their archive, the bank and the agent's files, each with its kind", async () => {
    const world = searchWorld(folders.make());
    const put = (file: string, text: string) => {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    };
    world.note("n.md", "# A\n\nharbour\n");
    put(join(world.home, ".serena/memories/global/g.md"), "# G\n\nharbour\n");
    world.write("memory/auth/general.md", entry("2026-03-01", "T", "harbour"));
    world.write("memory/archive/auth/2024.md", entry("2024-03-01", "Old", "harbour"));
    put(join(world.home, "bank/app/b.md"), "# B\n\nharbour\n");
    put(join(world.home, "bank/templates/t.md"), "# Template\n\nharbour\n");
    put(join(world.home, ".local/share/recollect/agent_memory/ada/own.md"), "# Own\n\nharbour\n");
    const flags = { "--memory-path": join(world.home, "bank"), "--agent-id": "ada" };
    const page = await world.ask({ query: "harbour", limit: 50 }, { flags });
    expect(page.hits.map(({ kind, path }) => `${kind} ${path}`).sort()).toEqual([
      "agent own.md",
      "bank b.md",
      "bank t.md",
      expect.stringMatching(/^memory (global\/)?g\.md$/),
      "memory n.md",
      "topic archive/auth/2024.md",
      "topic auth/general.md",
    ]);
    expect(page.total).toBe(7);
  });

  it("SRCH-5 is shown with title, headings above it, date, lines and the passage that matches, marked", async () => {
    const world = searchWorld(folders.make());
    world.note(
      "guide.md",
      "# Guide\n\nIntro.\n\n## Ships\n\n### Mooring\n\nFirst line.\nThe harbour master decides where.\n\n## Other\n\nNothing.\n",
    );
    const [hit] = (await world.ask("harbour master")).hits;
    expect(hit).toMatchObject({
      title: "Mooring",
      breadcrumb: ["Guide", "Ships"],
      path: "guide.md",
      lines: { from: 7, to: 10 },
      flagged: false,
    });
    expect(hit?.date).toMatch(/^20\d\d-\d\d-\d\d$/);
    const { text, marks } = hit?.snippet ?? { text: "", marks: [] };
    expect(marks.map(({ from, to }) => text.slice(from, to))).toEqual(["harbour", "master"]);
  });
});
