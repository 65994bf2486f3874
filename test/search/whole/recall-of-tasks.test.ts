import { describe, expect, it } from "vitest";
import { temporaryFolders } from "../../helpers/temporary-folders.ts";
import { searchWorld } from "./search-world.ts";

const folders = temporaryFolders();

describe("recall", () => {
  it.each([
    "chown root:root fails in docker",
    "docker run -p 8080 health check",
    'why does "docker run" with "exit code 137" fail',
    "path:/var/log docker",
    "--rm docker -v /tmp:/tmp",
  ])("SRCH-4 takes a task as words, whatever signs are in it: %s", async (query) => {
    const world = searchWorld(folders.make());
    world.note("docker.md", "# Docker\n\nThe docker health check listens on 8080, started with docker run -p.\n");
    world.note("other.md", "# Fonts\n\nHeadings are set in small capitals.\n");
    const search = await (await world.open()).search;
    expect((await search.recall({ query })).items[0]).toMatchObject({ path: "docker.md" });
    expect((await search.search({ query: "root:root docker" })).hits[0]).toMatchObject({ path: "docker.md" });
  });

  it("SRCH-4 finds a fitting piece behind any number of flagged ones", async () => {
    const world = searchWorld(folders.make());
    const token = ["ghp", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].join("_");
    const sections = Array.from({ length: 150 }, (_, at) => `## Staging ${at}\n\nStaging deploys staging ${at}.\n`);
    world.note("flagged.md", `# Staging\n\nThe token is ${token}.\n\n${sections.join("\n")}`);
    world.note("clean.md", "# Machines\n\nStaging runs on two small machines.\n");
    const search = await (await world.open()).search;
    expect((await search.recall({ query: "staging" })).items).toMatchObject([{ path: "clean.md" }]);
  });

  it("SRCH-4 finds a second piece behind many copies of the first", async () => {
    const world = searchWorld(folders.make());
    for (let copy = 0; copy < 60; copy += 1)
      world.note(`copy${copy}.md`, "# Cache\n\nThe cache cache is cleared hourly.\n");
    world.note(
      "other.md",
      "# Disk\n\nA full disk also stops what fills the cache, until somebody makes room on it again.\n",
    );
    const search = await (await world.open()).search;
    const { items } = await search.recall({ query: "cache" });
    expect(items.map(({ path }) => path)).toContain("other.md");
    expect(items).toHaveLength(2);
  });
});

describe("a search for what must be, or must not be, in the text", () => {
  it("SRCH-1 finds one among a thousand that match otherwise", async () => {
    const world = searchWorld(folders.make(), "search: { meaning: false }\n");
    for (let number = 0; number < 1300; number += 1) world.note(`both${number}.md`, "Quartz and pumice.\n");
    world.note("one.md", "Quartz, and a long text about other stones, so that it is the last of all that match.\n");
    const search = await (await world.open()).search;
    const page = await search.search({ query: "quartz -pumice" });
    expect(page).toMatchObject({ total: 1, hits: [{ path: "one.md" }], warnings: [] });
    const phrase = await search.search({ query: '"quartz and pumice"' });
    expect(phrase.total).toBeLessThanOrEqual(1300);
    // Either everything was looked at, or it says so.
    expect(phrase.total === 1300 || phrase.warnings.some((warning) => warning.includes("more may match"))).toBe(true);
  });
});
