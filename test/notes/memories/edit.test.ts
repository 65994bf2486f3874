import { describe, expect, it } from "vitest";
import { editText, type TextEdit } from "../../../src/notes/memories/edit-text.ts";
import { documentStores } from "../../helpers/document-stores.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { memoriesIn, openMemories, primary } from "./open-memories.ts";

const regex = (needle: string, replacement: string, multiple = false): TextEdit => ({
  needle,
  replacement,
  mode: "regex",
  multiple,
});
const literal = (needle: string, replacement: string, multiple = false): TextEdit => ({
  ...regex(needle, replacement, multiple),
  mode: "literal",
});

const verbatim = [
  "$&",
  "$1",
  "$$",
  "$`",
  "$'",
  "$<n>",
  "$!1",
  "$!0",
  "\\1",
  "\\n",
  "\\\\",
  "\\g<1>",
  "",
  "a\u0000b",
  "😀",
];

describe("a literal edit", () => {
  it.each(verbatim)("MEM-9 puts %j in verbatim", (replacement) => {
    expect(editText("one two three", literal("two", replacement))).toEqual({
      text: `one ${replacement} three`,
      count: 1,
    });
    expect(editText("two two", literal("two", replacement, true)).text).toBe(`${replacement} ${replacement}`);
  });

  it.each([".*", "(", "[a", "a|b", "^", "$", "\\d", "x{2}", "\n", "😀"])(
    "MEM-9 takes the needle %j verbatim",
    (needle) => {
      expect(editText(`before ${needle} after`, literal(needle, "-"))).toEqual({ text: "before - after", count: 1 });
    },
  );
});

describe("an edit by regular expression", () => {
  it.each<[string, TextEdit, string]>([
    ["one two three", regex("t(w)o", "$!1$!1"), "one ww three"],
    ["one two three", regex("(o)(n)(e)", "$!3$!2$!1$!0"), "enoone two three"],
    ["one two three", regex("two", "$1 \\1 $& $$"), "one $1 \\1 $& $$ three"],
    ["a\nb\nc", regex("^b$", "x"), "a\nx\nc"],
    ["# A\ntext\n# B\n", regex("# A.*?# B", "# C"), "# C\n"],
    ["begin\nmiddle\nend", regex("begin.*end", "x"), "x"],
    ["a1 b22", regex("\\d+", "<$!0>", true), "a<1> b<22>"],
    ["abab", regex("(?P<x>a)b(?P=x)", "$!1"), "ab"],
    ["abab", regex("(?<x>a)b\\k<x>", "$!1"), "ab"],
    ["one TWO", regex("(?i)two", "2"), "one 2"],
    ["one\nTWO", regex("(?ims)ONE.two", "12"), "12"],
    ["xAx", regex("\\Ax", "-"), "-Ax"],
    ["xZx", regex("x\\Z", "-"), "xZ-"],
    ["a\\Ab", regex("\\\\A", "-"), "a-b"],
    ["a-b_c", regex("a\\-b\\_c", "x"), "x"],
    ["😀", regex("^.$", "x"), "x"],
    ["naïve", regex("\\p{L}+", "x"), "x"],
    ["a\r\nb\r\n", regex("a\\r\\n", ""), "b\r\n"],
    ["ab", regex("a(x)?b", "[$!1]"), "[]"],
    ["a\nb", regex("^", "- ", true), "- a\n- b"],
  ])("MEM-9 %j", (text, edit, expected) => {
    expect(editText(text, edit).text).toBe(expected);
  });

  it("MEM-9 refuses a group that is not there", () => {
    expect(() => editText("ab", regex("(a)", "$!2"))).toThrow("$!2");
  });
});

describe("what an edit refuses", () => {
  it.each<[string, string, TextEdit, RegExp]>([
    ["no match", "text", literal("none", "x"), /matches nothing/],
    ["no match of a regex", "text", regex("no+ne", "x"), /matches nothing/],
    ["several matches", "a a a", literal("a", "x"), /matches 3 times.*allow_multiple_occurrences/],
    ["several matches of a regex", "a a", regex("\\w", "x"), /matches 2 times/],
    ["an empty needle", "text", literal("", "x"), /needle is empty/],
    ["an empty regex", "text", regex("", "x", true), /needle is empty/],
    ["a regex that is none", "text", regex("(", "x"), /not a regular expression.*literal/],
    ["a group that never ends", "text", regex("[a", "x"), /not a regular expression/],
    ["an ambiguous match", "# A\nx\n# A\ny\n# B", regex("# A.*?# B", "x"), /ambiguous/],
    ["an ambiguous match among several", "# A\nx\n# A\n# B", regex("# A.*?# B", "x", true), /ambiguous/],
  ])("MEM-9 %s, with advice", (_, text, edit, says) => {
    expect(() => editText(text, edit)).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringMatching(says) }),
    );
  });
});

describe.each(documentStores)("PG-1 memories on $name", (stores) => {
  const open = memoriesIn(stores);

  describe("an edit in a folder", () => {
    it("MEM-9 keeps everything else of the text: byte order mark, CRLF, no final newline", async () => {
      const { memories, put, text } = await open({ additional: ["shared"] });
      for (const edit of [literal("b", "x"), regex("(b)", "x")]) {
        await put("shared/x.md", "\uFEFFa\r\nb\r\nc");
        expect(await memories.edit("x", edit)).toMatchObject({ folder: "shared", count: 1, created: false });
        expect(await text("shared/x.md")).toBe("\uFEFFa\r\nx\r\nc");
      }
    });

    it("KER-12 does not let a memory grow over the limit", async () => {
      const { memories, text } = await open({ documentBytes: 100 });
      await memories.write("x", "a".repeat(50));
      for (const edit of [literal("a", "aaa", true), regex("a", "aaa", true)]) {
        expect(await errorOf(() => memories.edit("x", edit))).toMatchObject({ code: "TOO_LARGE" });
      }
      expect(await text(`${primary}/x.md`)).toHaveLength(50);
    });

    it("MEM-9 leaves the memory as it was, and says the same through the facade", async () => {
      const { memories, text } = await open();
      await memories.write("x", "a a");
      for (const edit of [literal("a", "b"), regex("a", "b"), regex("(", "b"), literal("", "b"), regex("zz", "b")]) {
        expect(await errorOf(() => memories.edit("x", edit))).toMatchObject({ code: "INVALID_ARGUMENT" });
      }
      expect(await text(`${primary}/x.md`)).toBe("a a");
      expect(await errorOf(() => memories.edit("missing", regex("a", "b")))).toMatchObject({ code: "NOT_FOUND" });
    });
  });
});

describe("a regular expression that backtracks for ever", () => {
  const evil = regex("(x+x+)+y", "");

  it("MEM-9 is stopped within a second, while everything else goes on, and the next edit works at once", async () => {
    const { memories, text } = openMemories();
    await memories.write("evil", "x".repeat(60));
    await memories.write("good", "good");
    await memories.edit("good", regex("good", "good"));
    const attempt = async () => {
      const begin = performance.now();
      const stopped = errorOf(() => memories.edit("evil", evil)).then((error) => ({
        error,
        took: performance.now() - begin,
      }));
      let answers = 0;
      let slowest = 0;
      while (performance.now() - begin < 400) {
        const asked = performance.now();
        await memories.read("good");
        await memories.append("log", "line\n");
        await memories.edit("good", literal("good", "good"));
        slowest = Math.max(slowest, performance.now() - asked);
        answers += 1;
        await new Promise((resolve) => setImmediate(resolve));
      }
      const { error, took } = await stopped;
      expect(error).toMatchObject({
        code: "INVALID_ARGUMENT",
        message: expect.stringContaining("nothing was changed"),
      });
      const next = performance.now();
      await memories.edit("good", regex("g(oo)d", "g$!1d"));
      return { took, answers, slowest, next: performance.now() - next };
    };
    // Others may keep the machine busy for a while; what is wrong here is wrong each time.
    await expect.poll(attempt).toSatisfy(({ took, answers, slowest, next }: Awaited<ReturnType<typeof attempt>>) => {
      return took < 1000 && answers > 3 && slowest < 450 && next < 1000;
    });
    expect(text(`${primary}/evil.md`)).toBe("x".repeat(60));
    await memories.edit("good", regex("g(oo)d", "b$!1"));
    expect(text(`${primary}/good.md`)).toBe("boo");
  });

  it("MEM-9 several of them at once hold up a good one only until they are stopped", async () => {
    const { memories } = openMemories();
    await memories.write("evil", "x".repeat(60));
    const results = await Promise.allSettled([
      memories.edit("evil", evil),
      memories.edit("evil", evil),
      memories.edit("evil", regex("^x", "y")),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
  });
});
