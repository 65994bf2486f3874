import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { bundleProgram } from "../../rigs/bundle-program.ts";
import { createRandom } from "../../rigs/random.ts";
import { goodSource } from "../../rigs/sabotage.ts";
import { checkClones, letClonesSync } from "../../rigs/sync-clones.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";
import { git, scratch } from "./clones.ts";

const folders = temporaryFolders();
let program: string;

beforeAll(async () => {
  program = await bundleProgram("sync-worker", goodSource, folders.make());
});

describe("HIST-4 clones that do anything, and are killed while they sync", () => {
  it.each([
    [2, 11],
    [3, 12],
  ])("HIST-4 %i of them come to the same bytes, lose no line, and have no marker", async (clones, seed) => {
    const folder = scratch();
    const random = createRandom(seed);
    const report = await letClonesSync({ folder, clones, merges: 100, steps: 36, kills: 50, random, program });
    expect(checkClones(folder, clones, report)).toEqual([]);
    expect(report.merges).toBeGreaterThan(2);
    expect(report.kills).toBeGreaterThan(2);
    // The check is trusted since it was seen to fail.
    const lost = { ...report, added: new Set([...report.added, "w999w"]) };
    expect(checkClones(folder, clones, lost)).toEqual(["w999w is lost"]);
    git(join(folder, "clone-0"), "checkout", "-q", "--", ".");
    expect(readFileSync(join(folder, "clone-0/.git/HEAD"), "utf8")).toBe("ref: refs/heads/main\n");
  });
});
