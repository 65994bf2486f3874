import { beforeAll, describe, expect, it } from "vitest";
import { type PreparedWorld, prepareWorld, runCorruptions } from "../../rigs/verify-run.ts";
import { someRuns } from "../helpers/some-cases.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
let prepared: PreparedWorld;

beforeAll(async () => {
  prepared = await prepareWorld(folders.make());
});

describe("verify and a disk that forgets", () => {
  it("finds every one of some random corruptions of history, journal, archive and indexes; rig:verify tries 1,000", async () => {
    // Each part once, or twice.
    const count = someRuns(6, 12);
    const report = await runCorruptions({ prepared, count, seed: 20_261_115 });
    expect(report.undetected).toEqual([]);
    expect(report.detected).toBe(count);
  }, 240_000);

  it("the rig finds out a verify that is blind", async () => {
    const levelsFound = async () => [];
    const report = await runCorruptions({ prepared, count: 3, seed: 1, levelsFound });
    expect(report.undetected).toHaveLength(3);
  });
});
