import { describe, expect, it } from "vitest";
import { brokenFiles, sabotages } from "../../rigs/sabotage.ts";

describe("builds that are broken on purpose", () => {
  it.each(sabotages)("$name can still be made: its rig is trusted only for having caught it", (sabotage) => {
    expect([...brokenFiles(sabotage).keys()]).not.toEqual([]);
  });
});
