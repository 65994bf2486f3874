import { describe, expect, it } from "vitest";
import { RecollectError } from "../../src/app.ts";
import type { Io } from "../../src/cli/output.ts";
import { recallCommand } from "../../src/cli/recall.ts";
import { reindexCommand } from "../../src/cli/reindex.ts";
import type { WithSearch } from "../../src/cli/with-search.ts";
import { cli } from "../helpers/cli.ts";
import { fakeSearch } from "../helpers/fake-search.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const _folders = temporaryFolders();
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
    expect(asked).toMatchObject([
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

describe("SRCH-4 recollect recall --hook", () => {
  it("SRCH-4 never ends with the code that refuses a prompt, however it is called", async () => {
    for (const args of [
      ["--hook", "claude-code", "--bogus"],
      ["--hook=other"],
      ["--hook"],
      ["--hook", "claude-code"],
    ]) {
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
  const some = { list: async () => [1], reindex: async () => ({ topics: 2, changed: true, leftOut: 0 }) };
  const none = { list: async () => [] };

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
    const nowhere = {
      list: async () => {
        throw new RecollectError("NOT_FOUND", "There is no folder for topics here.");
      },
    };
    expect(await reindex([], nowhere)).toBe("2 documents, 7 parts indexed.\n");
  });
});
