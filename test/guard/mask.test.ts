import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createGuard } from "../../src/guard/guard.ts";
import { maskFindings } from "../../src/guard/mask.ts";
import { refusalOf } from "../../src/guard/refusal.ts";

const guard = createGuard({ policy: "standard", allowed: new Set() });
const token = ["ghp", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].join("_");
const mask = (text: string) => maskFindings(text, guard.scan(text), guard.scan);

describe("a text with something that the guard finds", () => {
  it("GUARD-3 is shown without it, with the same length and lines", () => {
    const text = `# Deploy\n\nThe token is ${token} for now.\nIt expires.\n\nAsk Ada.\n`;
    const masked = mask(text);
    expect(masked).not.toContain(token.slice(4, 12));
    expect(masked).toHaveLength(text.length);
    expect(masked.split("\n")).toHaveLength(text.split("\n").length);
    expect(masked).toContain("# Deploy");
    expect(masked).toContain("Ask Ada.");
  });

  it("GUARD-3 hides a private key to its end, blank lines and all", () => {
    const body = "MIIEpAIBAAKCAQEA7bq9vNnXUqzZ0C3M";
    const key = `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n${body}\n-----END RSA PRIVATE KEY-----`;
    const masked = mask(`Key:\n\n${key}\n\nKeep it safe.\n`);
    expect(masked).not.toContain(body);
    expect(masked).toContain("Keep it safe.");
  });

  it("GUARD-3 hides everything after the last finding where there are too many to list", () => {
    const text = `${`${token}\n\n`.repeat(1005)}The end.\n`;
    const findings = guard.scan(text);
    expect(findings.filter(({ andAllAfter }) => andAllAfter)).toEqual([findings.at(-1)]);
    expect(refusalOf(findings.slice(-1)).message).toContain(", and all after it");
    expect(mask(text)).not.toContain("The end.");
  });

  it("GUARD-3 leaves nothing that the guard would find, wherever the value stands", () => {
    const line = fc.constantFrom("plain words", "", `x ${token}`, "password: 8f3kD92mQpLz", "```", "- item");
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const text = lines.join("\n");
        const masked = mask(text);
        expect(guard.scan(masked)).toEqual([]);
        expect(masked).toHaveLength(text.length);
        if (guard.scan(text).length === 0) expect(masked).toBe(text);
      }),
    );
  });
});
