import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildDashboard } from "../../../scripts/build-dashboard.js";
import { emptyFolder, withChanges, withPage } from "../../../src/http/dashboard/folder-pages.ts";
import { chosenText, diffLines } from "../../../src/http/dashboard/line-diff.ts";
import { withEndsOf } from "../../../src/http/dashboard/line-ends.ts";
import { markLine } from "../../../src/http/dashboard/line-marks.ts";
import { firstPage, joinPages, refreshPages } from "../../../src/http/dashboard/paged-list.ts";
import { linkTo, parseRoute, screens } from "../../../src/http/dashboard/route.ts";
import { authorNamed } from "../../../src/http/dashboard/wording.ts";
import { withLineFeeds } from "../../../src/text/split-lines.ts";
import { scratchFolder } from "../../backends/files/scratch.ts";

const sources = fileURLToPath(new URL("../../../src/http/dashboard", import.meta.url));
const text = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 12 }).map((lines) => lines.join("\n"));

describe("a merge by hand", () => {
  it("gives each side back whole, whatever they are", () => {
    fc.assert(
      fc.property(text, text, (left, right) => {
        const hunks = diffLines(left, right);
        expect(chosenText(hunks, new Map(), "left")).toBe(left);
        expect(chosenText(hunks, new Map(), "right")).toBe(right);
      }),
    );
  });

  it("takes one side here, the other there, or both", () => {
    const hunks = diffLines("a\nb\nc\nd", "a\nB\nc\nD");
    expect(chosenText(hunks, new Map([[1, "right"]]), "left")).toBe("a\nB\nc\nd");
    expect(chosenText(hunks, new Map([[1, "both"]]), "right")).toBe("a\nb\nB\nc\nD");
  });
});

describe("line ends (KER-11)", () => {
  const end = fc.constantFrom("\n", "\r\n", "\r");
  const lines = fc.array(fc.tuple(fc.constantFrom("a", "b", "c", ""), end), { maxLength: 10 });

  it("are those of the note again where nothing was changed, whatever they were", () => {
    fc.assert(
      fc.property(lines, (all) => {
        const stored = all.map(([line, ending]) => line + ending).join("");
        expect(withEndsOf(stored, withLineFeeds(stored))).toBe(stored);
      }),
    );
  });

  it("change no text: what was typed is what is stored, but for them", () => {
    fc.assert(
      fc.property(lines, text, (all, typed) => {
        const stored = all.map(([line, ending]) => line + ending).join("");
        expect(withLineFeeds(withEndsOf(stored, typed))).toBe(typed);
      }),
    );
  });

  it("stay with their lines, and new lines take the usual one", () => {
    expect(withEndsOf("a\r\nb\r\n", "a\nnew\nb\n")).toBe("a\r\nnew\r\nb\r\n");
    expect(withEndsOf("a\nb\r\nc\r\n", "a\nnew\nb\nc\n")).toBe("a\nnew\r\nb\r\nc\r\n");
    expect(withEndsOf("a\nb\n", "a\nB\n")).toBe("a\nB\n");
  });
});

describe("the address of a screen", () => {
  it("leads back to what it was made of", () => {
    const part = fc.string({ minLength: 1, unit: "binary" }).filter((value) => value.isWellFormed());
    fc.assert(
      fc.property(fc.constantFrom(...screens), fc.array(part, { maxLength: 4 }), part, (screen, parts, value) => {
        expect(parseRoute(linkTo(screen, parts, { q: value }))).toEqual({ screen, parts, query: { q: value } });
      }),
      { numRuns: 50 },
    );
  });

  it.each(["", "#", "#/", "#/nowhere", "#/%", "#token=x", "#/../.."])(
    "is the overview where it says nothing: %j",
    (hash) => {
      expect(parseRoute(hash).screen).toBe("overview");
    },
  );
});

describe("a folder that is shown", () => {
  const listed = (path: string) => ({ path, size: 1, modified: "then", rev: "1", readOnly: false, remark: undefined });
  const place = { root: "notes", folder: "auth" };
  const shown = withPage(emptyFolder, {
    ...place,
    folders: ["auth/old"],
    documents: [listed("auth/b.md"), listed("auth/d.md")],
    next: undefined,
  });

  it("takes up what is written, deleted and made elsewhere, in its order", () => {
    const changes = [
      { root: "notes", path: "auth/c.md", rev: "2", author: "agent:x" },
      { root: "notes", path: "auth/d.md", rev: undefined, author: "agent:x" },
      { root: "notes", path: "auth/new/x.md", rev: "3", author: "agent:x" },
      { root: "other", path: "auth/a.md", rev: "4", author: "agent:x" },
      { root: "notes", path: "authors.md", rev: "5", author: "agent:x" },
    ];
    const after = withChanges(shown, place, changes, "now");
    expect(after.documents.map(({ path }) => path)).toEqual(["auth/b.md", "auth/c.md"]);
    expect(after.folders).toEqual(["new", "old"]);
  });

  it("stays the same where the change was in another place", () => {
    expect(withChanges(shown, place, [{ root: "notes", path: "x.md", rev: "1", author: undefined }], "now")).toBe(
      shown,
    );
  });
});

describe("what changed within a line (WEB-3)", () => {
  const marked = (left: string, right: string) => {
    const marks = markLine(left, right);
    return marks && [left.slice(marks.from, marks.leftTo), right.slice(marks.from, marks.rightTo)];
  };

  it("is marked in whole words", () => {
    expect(marked("The build takes two minutes.", "The build takes twelve minutes.")).toEqual(["two", "twelve"]);
    expect(marked("The cache is on.", "The cache is not on.")).toEqual(["", "not "]);
    expect(marked("用 缓存 two", "用 索引 two")).toEqual(["缓存", "索引"]);
  });

  it("is not marked where hardly anything is the same", () => {
    expect(marked("one line", "quite another")).toBeUndefined();
    expect(marked("", "new")).toBeUndefined();
  });

  it("is what is left of both lines without what they share", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), fc.string(), (before, left, after) => {
        const [one, other] = [before + left + after, `${before}x${after}`];
        const marks = markLine(one, other);
        if (marks === undefined) return;
        expect(one.slice(0, marks.from)).toBe(other.slice(0, marks.from));
        expect(one.slice(marks.leftTo)).toBe(other.slice(marks.rightTo));
      }),
    );
  });
});

describe("an author by name (WEB-3)", () => {
  it("is the one who wrote lately, whatever kind they are, and else an agent", () => {
    const known = ["person:ada", "agent:reviewer", "outside"];
    expect(["ada", "Reviewer", "outside", "new"].map((name) => authorNamed(name, known))).toEqual([
      "person:ada",
      "agent:reviewer",
      "outside",
      "agent:new",
    ]);
  });
});

describe("a list that is loaded page by page (WEB-3)", () => {
  const page = (items: readonly number[], next?: string) => ({ items, next });
  const shown = joinPages(firstPage(page([9, 8, 7], "7")), page([6, 5, 4], "4"), String);

  it("takes what is new from its first page alone, and keeps what was loaded below it", () => {
    const after = refreshPages(shown, page([11, 10, 9], "9"), String);
    expect([after.items, after.next]).toEqual([[11, 10, 9, 8, 7, 6, 5, 4], "4"]);
    expect(refreshPages(shown, page([9, 8, 7], "7"), String).items).toEqual(shown.items);
    expect(joinPages(after, page([4, 3, 2]), String)).toMatchObject({
      items: [11, 10, 9, 8, 7, 6, 5, 4, 3, 2],
      pages: 3,
    });
  });

  it("begins again where more is new than a page holds: nothing is left out in between", () => {
    const after = refreshPages(shown, page([15, 14, 13], "13"), String);
    expect(after).toMatchObject({ items: [15, 14, 13], next: "13", pages: 1 });
  });

  it("shows what moved once, and nothing twice", () => {
    expect(refreshPages(shown, page([5, 9, 8], "8"), String).items).toEqual([5, 9, 8, 7, 6, 4]);
  });
});

describe("what a browser loads", () => {
  it("is less than 100 KB of compressed script, all of it (WEB-3)", async () => {
    const folder = scratchFolder();
    await buildDashboard(folder);
    const scripts = readdirSync(folder).filter((name) => name.endsWith(".js"));
    const sizes = scripts.map((name) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(100_000);
  });

  it("has no place where text could become markup or script", () => {
    const files = readdirSync(sources, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
    expect(files.length).toBeGreaterThan(40);
    const forbidden = /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc|DOMParser/i;
    for (const name of files) expect(readFileSync(join(sources, name), "utf8"), name).not.toMatch(forbidden);
  });
});
