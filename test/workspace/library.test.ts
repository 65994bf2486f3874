import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openWorkspace } from "../../src/index.ts";
import { errorOf } from "../helpers/error-of.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();

async function open() {
  const home = folders.make();
  const project = join(home, "shop");
  mkdirSync(join(project, ".git"), { recursive: true });
  const workspace = await openWorkspace({ project, home, env: { PATH: process.env["PATH"] }, author: "person:ada" });
  onTestFinished(() => workspace.close());
  return workspace;
}

const lesson = {
  topic: "ci",
  subtopic: "cache",
  context: "main",
  problem: "The cache was stale.",
  solution: "Clear it.",
};

it("HIST-2 a program asks history for notes by their names", async () => {
  const { memories, history } = await open();
  await memories.write("build", "Run the tests.\n");
  await memories.write("build", "Run the tests first.\n");
  expect((await history.show("build")).text).toBe("Run the tests first.\n");
  expect((await history.show("build", "~1")).text).toBe("Run the tests.\n");
  expect((await history.diff("build")).text).toContain("-Run the tests.\n+Run the tests first.\n");
  expect(await history.blame("build")).toMatchObject([{ operation: { author: "person:ada" } }]);
  expect(await history.restore("build", "~1")).toMatchObject({ kind: "restored" });
  expect((await memories.read("build")).content).toBe("Run the tests.\n");
  expect((await history.timeline({ name: "build", limit: 10 })).operations).toHaveLength(3);
  expect(await errorOf(() => history.show("none"))).toMatchObject({ code: "NOT_FOUND" });
  expect(await errorOf(() => history.restore("build"))).toMatchObject({ code: "INVALID_ARGUMENT" });
});

it("HIST-2 a program asks history for one lesson by its printed name", async () => {
  const { topics, history } = await open();
  await topics.store({ ...lesson, title: "Stale cache" });
  await topics.store({ ...lesson, title: "Another" });
  const name = "ci/cache › Stale cache";
  const found = await history.locate(name);
  expect(found.entry).toBe("Stale cache");
  expect((await history.show(name)).text).toContain("Clear it.");
  expect((await history.show(name)).text).not.toContain("Another");
  expect(await history.blame(name)).not.toEqual([]);
  expect(await history.lessonLog({ at: found.at, entry: "Stale cache" }, 10)).toHaveLength(1);
});

it("SRCH-1 a program searches and recalls through one object", async () => {
  const { memories, search } = await open();
  await memories.write("build", "# Build\n\nThe kingfisher runs first.\n");
  expect((await search.search({ query: "kingfisher" })).hits).toMatchObject([{ path: "build.md" }]);
  expect((await search.recall({ query: "kingfisher" })).text).toContain("kingfisher");
});

it("AGT-1 a program reads what each agent keeps for itself, by the agent's id", async () => {
  const { agents } = await open();
  expect(await agents.list()).toEqual([]);
  await agents.write("ada", "plan.md", "One.\n");
  await agents.append("ada", "plan.md", "Two.\n");
  expect((await agents.read("ada", "plan.md")).content).toBe("One.\nTwo.\n");
  expect((await agents.files("ada")).files.map(({ path }) => path)).toEqual(["plan.md"]);
  expect(await agents.list()).toEqual(["ada"]);
});

it("TOP-1 without a project each method of topics says why there are none", async () => {
  const home = folders.make();
  const workspace = await openWorkspace({ cwd: home, home, env: {} });
  onTestFinished(() => workspace.close());
  expect(await errorOf(() => workspace.topics.list())).toMatchObject({ code: "NOT_FOUND" });
  expect(await errorOf(() => workspace.topics.store({ ...lesson, title: "One" }))).toMatchObject({ code: "NOT_FOUND" });
});
