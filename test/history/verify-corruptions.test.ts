import { describe, expect, it } from "vitest";
import { runCorruptions } from "../../rigs/verify-run.ts";
import { scratchFolder } from "./scratch.ts";

describe("verify and a disk that forgets", () => {
  it("finds every one of some random corruptions of history, journal, archive and indexes; rig:verify tries 1,000", async () => {
    const report = await runCorruptions({ base: scratchFolder(), count: 12, seed: 20_261_115 });
    expect(report.undetected).toEqual([]);
    expect(report.detected).toBe(12);
  }, 240_000);

  it("the rig finds out a verify that is blind", async () => {
    const levelsFound = async () => [];
    const report = await runCorruptions({ base: scratchFolder(), count: 5, seed: 1, levelsFound });
    expect(report.undetected).toHaveLength(5);
  });
});
