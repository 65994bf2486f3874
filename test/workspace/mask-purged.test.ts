import { describe, expect, it } from "vitest";
import { maskCharacter } from "../../src/guard/mask.ts";
import { toPurgedForms } from "../../src/kernel/purged-form.ts";
import { maskPurged } from "../../src/search/service/describe-document.ts";

const formsOf = (...values: string[]) => values.flatMap((value) => [...toPurgedForms([Buffer.from(value)], 0)]);
const shown = (text: string, ...values: string[]) =>
  maskPurged(text, text, formsOf(...values)).replaceAll(new RegExp(`${maskCharacter}+`, "g"), "…");

describe("HIST-5 lines with a purged value", () => {
  it("HIST-5 are hidden wherever it stands, and no others", () => {
    expect(shown("größe\nein Wert-4711 hier\n\nWert-4711\nWert-471\n", "Wert-4711")).toBe("größe\n…\n\n…\nWert-471\n");
    expect(shown("Wert-4711", "Wert-4711")).toBe("…");
    expect(shown("nothing\nof it\n", "Wert-4711")).toBe("nothing\nof it\n");
    expect(shown("no values at all\n")).toBe("no values at all\n");
  });

  it("HIST-5 are all lines of one that has several, also where two overlap", () => {
    const text = "first\nthe key: one\n\ntwo and more\nlast\n";
    expect(shown(text, "one\n\ntwo")).toBe("first\n…\n\n…\nlast\n");
    expect(shown(text, "key: one\n", "one\n\ntwo", "more\nla")).toBe("first\n…\n\n…\n…\n");
    expect(shown("aaaaaa\nb\n", "aaaa", "aaa\nb")).toBe("…\n…\n");
  });

  it("HIST-5 stay hidden where the guard has hidden others, and keep their length", () => {
    const text = "secret\nWert-4711\nplain\n";
    const masked = text.replace("secret", maskCharacter.repeat(6));
    const hidden = maskPurged(text, masked, formsOf("Wert-4711"));
    expect(hidden).toBe(`${maskCharacter.repeat(6)}\n${maskCharacter.repeat(9)}\nplain\n`);
  });
});
