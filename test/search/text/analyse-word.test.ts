import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { termsOf } from "../../../src/search/query.ts";
import { analyseWord } from "../../../src/search/text/analyse-word.ts";
import { markTerms } from "../../../src/search/text/mark-terms.ts";

describe("SRCH-2 a word is found by its parts and as a whole", () => {
  it.each([
    ["getUserName", ["get", "user", "name"], "getusernam"],
    ["get_user_name", ["get", "user", "name"], "getusernam"],
    ["get-user-name", ["get", "user", "name"], "getusernam"],
    ["HTMLElement", ["html", "element"], "htmlelement"],
    ["GitHub", ["git", "hub"], "github"],
    ["wi-fi", ["wi", "fi"], "wifi"],
    ["python3", ["python", "3"], "python3"],
    ["64bit", ["64", "bit"], "64bit"],
    ["E_CONFLICT", ["e", "conflict"], "econflict"],
    ["v1.2.3", ["v1", "2", "3"], "1.2.3"],
    ["2026-11-15", ["2026", "11", "15"], "2026-11-15"],
    ["src/core/store.ts", ["src", "core", "store", "ts"], "src/core/storets"],
    ["U.S.A", ["u", "s", "a"], "usa"],
  ])("%s", (word, parts, whole) => {
    const analysed = analyseWord(word);
    expect(analysed.parts).toEqual(parts);
    expect(analysed.others).toContain(whole);
  });

  it.each([
    ["URLs", "url"],
    ["ECONNREFUSED", "econnrefus"],
    ["0x80070005", "0x80070005"],
    ["18th", "18th"],
    ["2D", "2d"],
    ["34f5d42", "34f5d42"],
    ["Caroline's", "carolin"],
    ["café", "cafe"],
    ["naïve", "naiv"],
    ["Straße", "strass"],
    ["Ωραία", "ωραια"],
    ["ＡＢＣ", "abc"],
    ["c++", "c++"],
  ])("%s is one", (word, term) => {
    expect(analyseWord(word)).toEqual({ parts: [term], others: [], isStop: false });
  });

  it("is found in a file's name without the folders", () => {
    expect(analyseWord("docs/guide/split-word.ts").others).toEqual(
      expect.arrayContaining(["splitword", "splitwordt", "docs/guide/splitwordts"]),
    );
  });

  it("is found with and without the umlaut, and by its two letters", () => {
    const { parts, others } = analyseWord("Schlüssel");
    expect([...parts, ...others]).toEqual(["schlussel", "schluessel"]);
    expect(analyseWord("SCHLUESSEL").parts).toEqual(["schluessel"]);
    expect(analyseWord("Schlu\u0308ssel")).toEqual(analyseWord("Schlüssel"));
  });

  it("says too little in English and German alike", () => {
    for (const word of ["the", "didn't", "What's", "und", "für"]) expect(analyseWord(word).isStop, word).toBe(true);
    for (const word of ["same", "all", "die", "not-found"]) expect(analyseWord(word).isStop, word).toBe(false);
  });

  it("has terms of bounded length and number, whatever it is", () => {
    const hostile = fc.oneof(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc.string({ unit: fc.constantFrom("a", "B", "1", ".", "/", "_", "'", "é"), minLength: 200, maxLength: 2000 }),
    );
    fc.assert(
      fc.property(hostile, (word) => {
        const { parts, others } = analyseWord(word);
        expect(others.length).toBeLessThanOrEqual(16);
        for (const term of [...parts, ...others]) expect(term.length).toBeLessThanOrEqual(64);
      }),
    );
  });
});

describe("SRCH-2 the terms of a text", () => {
  it("come in order, with identifiers in their parts", () => {
    expect(termsOf("The getUserName() of user_names, again: don't.")).toEqual([
      ..."the get user name of user name again don".split(" "),
    ]);
  });

  it("are pairs of neighbours in a script without blanks, and one character where it stands alone", () => {
    expect(termsOf("東京都の天気、猫")).toEqual(["東京", "京都", "都の", "の天", "天気", "猫"]);
    expect(termsOf("Rust言語は速い")).toEqual(["rust", "言語", "語は", "は速", "速い"]);
    expect(termsOf("데이터 베이스")).toEqual(["데이", "이터", "베이", "이스"]);
    expect(termsOf("𠮷野家")).toEqual(["𠮷野", "野家"]);
  });
});

describe("SRCH-5 the marks of a match", () => {
  const marked = (text: string, ...terms: string[]) =>
    markTerms(text, terms).map(({ from, to }) => text.slice(from, to));

  it("are on every form of a word", () => {
    expect(marked("Indexes are indexed by an index.", "index")).toEqual(["Indexes", "indexed", "index"]);
  });

  it("are on the part of an identifier that matches, or on all of it", () => {
    expect(marked("call getUserName now", "user")).toEqual(["User"]);
    expect(marked("call getUserName now", "getusernam", "user")).toEqual(["getUserName"]);
  });

  it("are on the characters as they stand, whatever they are folded to", () => {
    expect(marked("naïve Straße 東京都 Ｔｅｓｔ", "naiv", "strass", "京都", "test")).toEqual([
      "naïve",
      "Straße",
      "京都",
      "Ｔｅｓｔ",
    ]);
    expect(marked("東京都", "東京", "京都")).toEqual(["東京都"]);
    expect(marked("家の猫", "猫")).toEqual(["猫"]);
  });

  it("lie apart, in order and within any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (text, other) => {
        let last = -1;
        for (const { from, to } of markTerms(text + other, termsOf(text))) {
          expect(from).toBeGreaterThan(last);
          expect(to).toBeGreaterThan(from);
          expect(to).toBeLessThanOrEqual(text.length + other.length);
          last = to;
        }
      }),
    );
  });
});
