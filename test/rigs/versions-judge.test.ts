import { describe, expect, it } from "vitest";
import { ageAt, deletionsOf } from "../../rigs/versions-judge.ts";
import { type Acknowledged, createStepsReport, type Deletion, type Period } from "../../rigs/versions-report.ts";
import type { Surface } from "../../rigs/versions-surfaces.ts";

const deletion: Deletion = { path: "/p/memory", begun: 10_000, ended: 10_100 };

function versionOf(answered: number, surface: Surface = "mcp", file = "/p/memory/rig/a.md"): Acknowledged {
  return { operation: "write", surface, place: "topics", file, rev: "1", text: "text", sent: answered - 50, answered };
}

const ageOf = (answered: number, kills: readonly Period[], surface?: Surface) =>
  ageAt(deletion, versionOf(answered, surface), { kills: [...kills] });

describe("the age of a version when its folder was deleted", () => {
  it("counts from its answer", () => {
    expect(ageOf(9000, [])).toBe(1000);
    expect(ageOf(4000, [])).toBe(6000);
  });

  it("counts from the start of the next server where the one before was killed within two seconds", () => {
    expect(ageOf(4000, [{ begun: 5000, ended: 9500 }])).toBe(500);
  });

  it("is not made younger by a kill that came after the version had its two seconds", () => {
    expect(ageOf(4000, [{ begun: 9000, ended: 9500 }])).toBe(6000);
  });

  it("is not made younger by a kill before the version or after the deletion", () => {
    expect(ageOf(4000, [{ begun: 2000, ended: 3000 }])).toBe(6000);
    expect(ageOf(9000, [{ begun: 10_200, ended: 11_000 }])).toBe(1000);
  });

  it("goes on over kills that follow each other quickly", () => {
    const kills = [
      { begun: 5000, ended: 6000 },
      { begun: 7000, ended: 9000 },
    ];
    expect(ageOf(4000, kills)).toBe(1000);
  });

  it("counts from the end of a command, whatever servers do", () => {
    expect(ageOf(9900, [{ begun: 9950, ended: 9990 }], "cli")).toBe(100);
  });
});

describe("the deletions that could take a version", () => {
  const reportOf = (path: string) => ({ ...createStepsReport(), deletions: [{ ...deletion, path }] });

  it.each(["/p", "/p/memory", "/p/memory/rig/.recollect"])("are those around its journal: %s", (path) => {
    expect(deletionsOf(versionOf(9000), reportOf(path))).toHaveLength(1);
  });

  it.each(["/p/memory/.recollect", "/p/mem", "/p/memory/rig/.recollect/history"])("are not others: %s", (path) => {
    expect(deletionsOf(versionOf(9000), reportOf(path))).toHaveLength(0);
  });

  it("are not those that were over before the request was sent", () => {
    expect(deletionsOf(versionOf(10_200), reportOf("/p"))).toHaveLength(0);
  });
});
