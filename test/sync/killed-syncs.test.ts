import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bundleProgram } from "../../rigs/bundle-program.ts";
import { createRandom } from "../../rigs/random.ts";
import { goodSource } from "../../rigs/sabotage.ts";
import { checkClones, letClonesSync } from "../../rigs/sync-clones.ts";
import { git, scratch } from "./clones.ts";

describe("HIST-4 clones that do anything, and are killed while they sync", () => {
  it.each([
    [2, 11],
    [3, 12],
  ])("HIST-4 %i of them come to the same bytes, lose no line, and have no marker", async (clones, seed) => {
    const folder = scratch();
    const program = await bundleProgram("sync-worker", goodSource, folder);
    const random = createRandom(seed);
    const report = await letClonesSync({ folder, clones, merges: 100, steps: 36, kills: 50, random, program });
    expect(checkClones(folder, clones, report)).toEqual([]);
    expect(report.merges).toBeGreaterThan(2);
    expect(report.kills).toBeGreaterThan(2);
  });

  it("HIST-4 finds what is lost, when something is", async () => {
    const folder = scratch();
    const program = await bundleProgram("sync-worker", goodSource, folder);
    const report = await letClonesSync({
      folder,
      clones: 2,
      merges: 1,
      steps: 20,
      kills: 0,
      random: createRandom(3),
      program,
    });
    const lost = { ...report, added: new Set([...report.added, "w999w"]) };
    expect(checkClones(folder, 2, lost)).toEqual(["w999w is lost"]);
    git(join(folder, "clone-0"), "checkout", "-q", "--", ".");
    expect(readFileSync(join(folder, "clone-0/.git/HEAD"), "utf8")).toBe("ref: refs/heads/main\n");
  });
});
