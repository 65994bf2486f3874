import { describe, expect, it } from "vitest";
import { contextOf, isOfTopic, recencyOf } from "../../src/search/rank.ts";

const now = Date.parse("2026-11-15T12:00:00Z");

describe("recency", () => {
  it.each([
    ["2026-11-15", 1],
    ["2026-11-05", 0.5],
    ["2026-10-26", 0.25],
    ["2027-01-01", 1],
    ["not a date", 0],
  ])("SRCH-1 of %s is about %d, with a half-life of ten days", (date, expected) => {
    expect(recencyOf(date, now, 10)).toBeCloseTo(expected, 1);
  });

  it("SRCH-1 is never less for a later day", () => {
    const days = ["1970-01-01", "2001-02-03", "2025-12-31", "2026-11-14", "2026-11-15", "2999-01-01"];
    const all = days.map((day) => recencyOf(day, now, 60));
    expect(all).toEqual(all.toSorted((a, b) => a - b));
    for (const one of all) expect(one).toBeLessThanOrEqual(1);
  });
});

describe("the fit to what is being worked on", () => {
  const unit = (path: string, text = "") => ({ path, text: () => text });

  it.each([
    ["the topic's own file", unit("auth/general.md"), { topic: "auth" }, 1],
    ["its archive", unit("archive/auth/2024.md"), { topic: "auth" }, 1],
    ["another topic that begins the same", unit("authors/general.md"), { topic: "auth" }, 0],
    ["the task's reference", unit("n.md", "See PRB-142."), { task: "Mend PRB-142 today" }, 1],
    ["a longer number", unit("n.md", "See PRB-1423."), { task: "PRB-142" }, 0],
    ["a longer project", unit("n.md", "See XPRB-142."), { task: "PRB-142" }, 0],
    ["a task without a reference", unit("n.md", "Mend it."), { task: "Mend it" }, 0],
    ["a file by its path", unit("n.md", "In src/a/Index.ts we"), { files: ["src/a/index.ts"] }, 1],
    ["a file by its name", unit("n.md", "In `index.ts` we"), { files: ["/home/me/src/index.ts"] }, 1],
    ["a file by a Windows path", unit("n.md", "In `index.ts` we"), { files: ["C:\\src\\index.ts"] }, 1],
    ["a longer name", unit("n.md", "In `reindex.ts` we"), { files: ["src/index.ts"] }, 0],
    ["a note of that name", unit("auth/login.md"), { files: ["docs/login.md"] }, 1],
    ["one of two", unit("auth/a.md", "nothing"), { topic: "auth", task: "PRB-1" }, 0.5],
    ["one of three", unit("auth/a.md", "nothing"), { topic: "auth", task: "PRB-1", files: ["b.ts"] }, 1 / 3],
    ["nothing asked for", unit("auth/a.md"), {}, 0],
    ["empty names", unit("auth/a.md", "x"), { files: ["", "/"] }, 0],
  ])("SRCH-1 %s", (_, ranked, context, expected) => {
    expect(contextOf(ranked, context)).toBeCloseTo(expected);
  });

  it("SRCH-1 does not read the text where nothing asks for it", () => {
    const unread = { ...unit("auth/a.md"), text: () => expect.unreachable("the text was read") };
    expect(contextOf(unread, { topic: "auth" })).toBe(1);
    expect(contextOf(unread, { task: "no reference" })).toBe(0);
  });

  it("SRCH-1 a topic is its folder and its part of the archive", () => {
    expect(["auth/a.md", "archive/auth/2020-2.md"].every((path) => isOfTopic(path, "auth"))).toBe(true);
    expect(
      ["b/auth/a.md", "auth", "auth.md", "archive/b/2020.md", "archive/2020.md"].some((path) =>
        isOfTopic(path, "auth"),
      ),
    ).toBe(false);
  });
});
