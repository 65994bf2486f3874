import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildDashboard } from "../../../scripts/build-dashboard.js";
import { emptyFolder, withChanges, withPage } from "../../../src/http/dashboard/folder-pages.ts";
import { chosenText, diffLines } from "../../../src/http/dashboard/line-diff.ts";
import { withEndsOf, withPlainEnds } from "../../../src/http/dashboard/line-ends.ts";
import { linkTo, parseRoute, screens } from "../../../src/http/dashboard/route.ts";
import { scratchFolder } from "../../stores/files/scratch.ts";

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
        expect(withEndsOf(stored, withPlainEnds(stored))).toBe(stored);
      }),
    );
  });

  it("change no text: what was typed is what is stored, but for them", () => {
    fc.assert(
      fc.property(lines, text, (all, typed) => {
        const stored = all.map(([line, ending]) => line + ending).join("");
        expect(withPlainEnds(withEndsOf(stored, typed))).toBe(typed);
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
