import { describe, expect, it } from "vitest";
import { disconnected, doubled, missing } from "../../rigs/history-judge.ts";
import type { ExistingPath } from "../../src/kernel/document-path.ts";
import type { Rev } from "../../src/kernel/revision.ts";
import type { DocumentChange } from "../../src/kernel/root-history.ts";

function change(kind: DocumentChange["kind"], name: string, was: string | undefined, rev: string | undefined) {
  return { kind, path: name as ExistingPath, was: was as Rev | undefined, rev: rev as Rev | undefined };
}

describe("what rig:history holds against a history", () => {
  const sound = [
    change("move", "a.md", undefined, "2"),
    change("move", "b.md", "2", undefined),
    change("move", "b.md", undefined, "2"),
    change("move", "a.md", "2", undefined),
    change("put", "a.md", "1", "2"),
    change("put", "a.md", undefined, "1"),
  ];

  it("nothing, where a text was only moved away and back", () => {
    expect([...doubled(sound), ...disconnected(sound), ...missing(["1", "2", "2", "2"], ["2", "2", "2", "1"])]).toEqual(
      [],
    );
  });

  it("a revision that it has less often than it was acknowledged", () => {
    expect(missing(["1", "2", "2"], ["2"])).toEqual([
      "the acknowledged revision 1 is missing",
      "the acknowledged revision 2 is missing",
    ]);
  });

  it("a text that was recorded twice", () => {
    expect(doubled([change("put", "a.md", "2", "1"), ...sound])).toEqual(["the revision 1 of a.md was recorded twice"]);
  });

  it("a removal that was recorded twice", () => {
    const removal = change("remove", "a.md", "2", undefined);
    expect(disconnected([removal, ...sound])).toEqual([]);
    expect(disconnected([removal, removal, ...sound])).toEqual(["a change of a.md found 2, not nothing"]);
  });

  it("a revision that is left out in between", () => {
    expect(disconnected(sound.toSpliced(4, 1))).toEqual(["a change of a.md found 2, not 1"]);
  });
});
