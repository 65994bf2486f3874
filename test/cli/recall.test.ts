import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { Io } from "../../src/cli/output.ts";
import { recallCommand } from "../../src/cli/recall.ts";
import { reindexCommand } from "../../src/cli/reindex.ts";
import type { WithSearch } from "../../src/cli/with-search.ts";
import { RecollectError } from "../../src/index.ts";
import { cli } from "../helpers/cli.ts";
import { fakeSearch, sampleHit } from "../helpers/fake-search.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";
import { searchWorld } from "../search/whole/search-world.ts";

const folders = temporaryFolders();
const place = { cwd: "/", env: {}, home: "/" };

function recorder(about: Partial<Io> = {}) {
  const [out, err]: [string[], string[]] = [[], []];
  const io: Io = {
    out: (text) => out.push(text),
    err: (text) => err.push(text),
    terminal: false,
    place,
    readInput: async () => undefined,
    ...about,
  };
  return { io, said: () => ({ out: out.join(""), err: err.join("") }) };
}

async function run(args: readonly string[], open: WithSearch, about: Partial<Io> = {}) {
  const { io, said } = recorder(about);
  let code = 0;
  const setExitCode = (given: number) => {
    code = given;
  };
  await recallCommand(io, setExitCode, open)
    .exitOverride()
    .parseAsync([...args], { from: "user" });
  return { code, ...said() };
}

function opening(answers: Parameters<typeof fakeSearch>[0], project?: string) {
  const { asked, search } = fakeSearch(answers);
  const open: WithSearch = (_, __, use) => use(search, { project: project && { folder: project } } as never);
  return { asked, open };
}

describe("CLI-1 recollect recall", () => {
  it("SRCH-4 prints the block, and hands on limits, task and files", async () => {
    const { asked, open } = opening({ recalled: "Notes:\n> one" });
    const args = [
      "flaky",
      "build",
      "--max-tokens",
      "500",
      "--max-items",
      "2",
      "--task",
      "PRB-1",
      "--file",
      "a.ts",
      "--file",
      "b.ts",
    ];
    expect(await run(args, open)).toEqual({ code: 0, out: "Notes:\n> one\n", err: "" });
    expect(asked).toEqual([
      { query: "flaky build", maxTokens: 500, maxItems: 2, task: "PRB-1", files: ["a.ts", "b.ts"] },
    ]);
  });

  it("CLI-1 --json prints one object", async () => {
    const { open } = opening({ recalled: "Notes:\n> one", warnings: ["careful"] });
    const { out, err } = await run(["x", "--json"], open);
    expect(err).toBe("");
    expect(JSON.parse(out)).toMatchObject({
      text: "Notes:\n> one",
      items: [{ title: "Stale cache" }],
      warnings: ["careful"],
    });
  });

  it("CLI-1 ends with 3 where nothing fits, and with 2 where nothing is asked", async () => {
    const { open } = opening({});
    expect(await run(["x"], open)).toEqual({ code: 3, out: "", err: "recollect: Nothing in memory fits.\n" });
    await expect(run([], open)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });
});

const terms = [
  { term: "cach", for: "cache", score: 0.5 },
  { term: "stale", for: "stale", score: 0.5 },
];
const explanation = { text: 1, meaning: 0, recency: 0, context: 0, terms };
const known = { hits: [{ ...sampleHit, explanation }], total: 1, recalled: "Notes:\n> one" };

describe("SRCH-4 recollect recall --hook claude-code", () => {
  const hook = (event: unknown, open: WithSearch, about: Partial<Io> = {}) =>
    run(["--hook", "claude-code"], open, {
      readInput: async () => Buffer.from(typeof event === "string" ? event : JSON.stringify(event)),
      ...about,
    });
  const prompt = { hook_event_name: "UserPromptSubmit", session_id: "s", cwd: "/", prompt: "why is the cache stale?" };
  const silent = { code: 0, out: "", err: "" };

  it("SRCH-4 gives a submitted prompt its context, as the client expects it", async () => {
    const { asked, open } = opening(known);
    const { code, out, err } = await hook(prompt, open);
    expect([code, err]).toEqual([0, ""]);
    expect(JSON.parse(out)).toEqual({
      hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "Notes:\n> one" },
    });
    expect(asked.at(-1)).toEqual({ query: "why is the cache stale?", maxItems: 1 });
  });

  it("SRCH-4 takes the words of a prompt for words, not for filters", async () => {
    const { asked, open } = opening(known);
    await hook({ ...prompt, prompt: 'run "npm ci" -v --force path:src since:always stale cache' }, open);
    expect(asked.at(-1)).toEqual({ query: "run  npm ci  v force path src since always stale cache", maxItems: 1 });
  });

  it("SRCH-4 begins a session with what memory knows about its branch", async () => {
    const project = folders.make();
    mkdirSync(join(project, ".git/logs"), { recursive: true });
    writeFileSync(join(project, ".git/HEAD"), "ref: refs/heads/feature/PRB-142-stale_cache\n");
    const log = "0 1 A <a@b> 1 +0000\tcheckout: moving\n0 1 A <a@b> 1 +0000\tcommit (amend): Mend the cache\n";
    writeFileSync(join(project, ".git/logs/HEAD"), log);
    const { asked, open } = opening(known, project);
    const { out } = await hook({ hook_event_name: "SessionStart", source: "startup", cwd: project }, open);
    expect(JSON.parse(out)).toMatchObject({ hookSpecificOutput: { hookEventName: "SessionStart" } });
    expect(asked.at(-1)).toEqual({ query: "feature PRB 142 stale cache Mend the cache", maxItems: 1 });
  });

  it.each([
    ["no JSON", "{"],
    ["nothing", ""],
    ["another event", { hook_event_name: "Stop" }],
    ["a prompt that is no text", { ...prompt, prompt: 7 }],
    ["a command of the client", { ...prompt, prompt: "/clear the stale cache" }],
    ["no words", { ...prompt, prompt: "?!" }],
    ["words that only drive the session", { ...prompt, prompt: "OK, go on and fix this please" }],
    ["words that are everywhere", { ...prompt, prompt: "what is it" }],
    ["a session outside of any repository", { hook_event_name: "SessionStart", cwd: "/" }],
  ])("SRCH-4 is silent for %s", async (_, event) => {
    const { open } = opening(known);
    expect(await hook(event, open)).toEqual(silent);
  });

  it("SRCH-4 is silent where nothing is known, or nothing but what is always nearest", async () => {
    expect(await hook(prompt, opening({}).open)).toEqual(silent);
    const near = { ...explanation, terms: terms.slice(0, 1) };
    const vague = { ...known, hits: [{ ...sampleHit, explanation: near }] };
    expect(await hook(prompt, opening(vague).open)).toEqual(silent);
    expect((await hook({ ...prompt, prompt: "cache" }, opening(vague).open)).out).not.toBe("");
  });

  describe("of real notes", () => {
    const world = searchWorld(folders.make());
    world.note(
      "session.md",
      "# Sessions\n\nERR_SESSION_4012 means that the clock is wrong. See src/auth/session.ts.\n",
    );
    world.note("names.md", "# Names\n\nCall getUserName with the id of an account. OAuth gives the scope.\n");
    world.note("users.md", "# Users\n\nA user can have many accounts, and work in teams. /auth/login is slow.\n");
    const ask = async (text: string) => {
      const event = JSON.stringify({ ...prompt, cwd: world.project, prompt: text });
      const place = { cwd: world.project, env: {}, home: world.home };
      return (await cli(["recall", "--hook", "claude-code"], event, place)).out;
    };

    it.each([
      ["ERR_SESSION_4012", "session.md"],
      ["fix getUserName", "names.md"],
      ["look at src/auth/session.ts", "session.md"],
      ["can you look at session.ts and refactor it", "session.md"],
      ["explain the OAuth", "names.md"],
      ["/auth/login is broken today", "users.md"],
      ["what about the accounts?", "users.md"],
    ])("SRCH-4 answers “%s”", async (text, path) => {
      expect(await ask(text)).toContain(path);
    });

    it.each([
      "go on",
      "/login to the account of a user",
      "fix getTeamColour",
      "continue the work",
      "refactor user code",
    ])("SRCH-4 is silent for “%s”", async (text) => {
      expect(await ask(text)).toBe("");
    });
  });

  const told = (...found: readonly (readonly [word: string, term: string])[]) => ({
    ...sampleHit,
    explanation: { ...explanation, terms: found.map(([word, term]) => ({ term, for: word, score: 4 })) },
  });

  it.each([
    ["one word of several, however rare", prompt.prompt, [["cache", "cach"]]],
    [
      "what a word may be a typing error of",
      "why is the cahce stael?",
      [
        ["cahce", "cach"],
        ["stael", "stale"],
      ],
    ],
    [
      "words that are in all prompts",
      "show me the last change",
      [
        ["last", "last"],
        ["change", "chang"],
      ],
    ],
    ["a small number", "upgrade node to 24", [["24", "24"]]],
  ] as const)("SRCH-4 is silent where what is found has only %s", async (_, text, found) => {
    const { open } = opening({ ...known, hits: [told(...found)] });
    expect(await hook({ ...prompt, prompt: text }, open)).toEqual(silent);
  });

  it("SRCH-4 gives no more than what fits, and what is before it", async () => {
    const fitting = { ...sampleHit, explanation };
    const { asked, open } = opening({ ...known, hits: [told(["cache", "cach"]), fitting, told(["cache", "cach"])] });
    await hook(prompt, open);
    expect(asked.at(-1)).toEqual({ query: prompt.prompt, maxItems: 2 });
  });

  it("SRCH-4 does not guess from one word of a commit", async () => {
    const project = folders.make();
    mkdirSync(join(project, ".git/logs"), { recursive: true });
    writeFileSync(join(project, ".git/HEAD"), "ref: refs/heads/main\n");
    writeFileSync(join(project, ".git/logs/HEAD"), "0 1 A <a@b> 1 +0000\tcommit (initial): cache\n");
    const { open } = opening({ ...known, hits: [told(["cache", "cach"])] }, project);
    expect(await hook({ hook_event_name: "SessionStart", cwd: project }, open)).toEqual(silent);
  });

  it("SRCH-4 is silent where memory is broken", async () => {
    const broken = async (): Promise<never> => {
      throw new RecollectError("STORAGE_FAILED", "The disk fails.");
    };
    expect(await hook(prompt, broken)).toEqual(silent);
    const wrong = async (): Promise<never> => {
      throw new TypeError("a bug");
    };
    expect(await hook(prompt, wrong)).toEqual(silent);
  });

  it("SRCH-4 waits for nothing long: it leaves, and says nothing", async () => {
    vi.useFakeTimers();
    try {
      const leave = vi.fn();
      const ended = hook(prompt, () => new Promise(() => {}), { leave });
      await vi.advanceTimersByTimeAsync(10_000);
      expect(await ended).toEqual(silent);
      expect(leave).toHaveBeenCalledOnce();
    } finally {
      vi.useRealTimers();
    }
  });

  it("SRCH-4 never ends with the code that refuses a prompt, however it is called", async () => {
    for (const args of [["--hook", "claude-code", "--bogus"], ["--hook=other"], ["--hook"]]) {
      expect((await cli(["recall", ...args], "{}", place)).code).toBe(0);
    }
    expect((await cli(["recall", "--bogus"], "{}", place)).code).toBe(2);
  });
});

describe("CLI-1 recollect reindex", () => {
  const reindex = async (args: readonly string[], topics: unknown) => {
    const { io, said } = recorder();
    const open: WithSearch = (_, __, use) => use(fakeSearch({}).search, { topics } as never);
    await reindexCommand(io, open)
      .exitOverride()
      .parseAsync([...args], { from: "user" });
    return said().out;
  };
  const some = () => ({ list: async () => [1], reindex: async () => ({ topics: 2, changed: true, leftOut: 0 }) });
  const none = () => ({ list: async () => [] });

  it("SRCH-3 TOP-5 rebuilds the search index and the index of topics", async () => {
    expect(await reindex([], some)).toBe("2 documents, 7 parts indexed.\n2 subtopics; index.md rebuilt.\n");
    expect(JSON.parse(await reindex(["--json"], some))).toEqual({
      documents: 2,
      units: 7,
      topics: { topics: 2, changed: true, leftOut: 0 },
    });
  });

  it("SRCH-3 needs no topics for that", async () => {
    expect(await reindex([], none)).toBe("2 documents, 7 parts indexed.\n");
    const nowhere = () => {
      throw new RecollectError("NOT_FOUND", "There is no folder for topics here.");
    };
    expect(await reindex([], nowhere)).toBe("2 documents, 7 parts indexed.\n");
  });
});
