import { describe, expect, it } from "vitest";
import { fingerprintOf } from "../../src/guard/finding.ts";
import { createGuard } from "../../src/guard/guard.ts";
import { refusalOf } from "../../src/guard/refusal.ts";
import { made } from "../../src/guard/rules/made.ts";
import { seedList } from "../../src/guard/rules/seed-list.ts";
import { RecollectError } from "../../src/kernel/errors.ts";
import { openJudge } from "./judge.ts";

const none: ReadonlySet<string> = new Set();
const guard = createGuard({ policy: "standard", allowed: none });
const judge = await openJudge({ policy: "standard", allowed: none });
const strict = createGuard({ policy: "strict", allowed: none });
const token = `${"gh"}p_${made(36)}`;
const other = `${"gl"}pat-${made(20)}`;
const rulesOf = (text: string) => guard.scan(text).map(({ rule }) => rule);

describe("GUARD-1: a write is judged by what it adds", () => {
  it("refuses a token in the content, in a title, in front matter, in a cell", () => {
    for (const after of [token, `# ${token}\n`, `---\nauth: ${token}\n---\n`, `| a | ${token} |`]) {
      expect(judge({ name: "a.md", after })).toMatchObject([{ rule: "github-token", where: "content" }]);
    }
  });

  it("refuses a token in a name, and not again when a document of that name is edited", () => {
    const change = { name: `auth/${token}.md`, after: "See the name." };
    expect(judge(change)).toMatchObject([{ rule: "github-token", line: 1, column: 6, where: "name" }]);
    expect(judge({ ...change, before: "", nameBefore: change.name })).toEqual([]);
    expect(judge({ ...change, before: change.after, nameBefore: "auth/old.md" })).toHaveLength(1);
  });

  it("lets an edit pass that adds nothing to what stood there", () => {
    const before = `a ${token}\n`;
    expect(judge({ name: "a.md", before, after: `${before}more\n` })).toEqual([]);
    expect(judge({ name: "a.md", before, after: `new first line\n${before}` })).toEqual([]);
    expect(judge({ name: "a.md", before, after: "" })).toEqual([]);
  });

  it("refuses a further copy, and another one in the place of the old", () => {
    const before = `a ${token}\n`;
    expect(judge({ name: "a.md", before, after: before + before })).toMatchObject([{ line: 2 }]);
    expect(judge({ name: "a.md", before, after: `a ${other}\n` })).toMatchObject([{ rule: "gitlab-token" }]);
  });
});

describe("GUARD-2: policies", () => {
  it.each(seedList)("blocks “%s” in strict, wherever and however it is written", (literal) => {
    for (const text of [`x${literal}y`, literal.toUpperCase(), `a\n${literal.toLowerCase()}`]) {
      expect(strict.scan(text).map(({ rule }) => rule)).toContain("strict-list");
    }
  });

  it("blocks a natural example of each literal in standard", () => {
    for (const text of [
      "password: hunter2",
      `token = ${made(20)}`,
      `private key: ${made(32)}`,
      `client_secret=${made(24)}`,
      `credentials: ${made(24)}`,
      token,
      `${"s"}k-${made(32)}`,
      `${"a"}k_${made(24)}`,
      `-----${"BEGIN"} RSA PRIVATE KEY-----\n${made(64)}`,
      `api_key = ${made(16)}`,
      "someone@gmail.com / Tr0ub4dor&3",
      `https://s3.amazonaws.com/key/${made(24)}`,
      `Authorization: Bearer ${made(24)}`,
    ]) {
      expect({ text: text.slice(0, 16), found: guard.scan(text).length > 0 }).toEqual({
        text: text.slice(0, 16),
        found: true,
      });
    }
  });

  it("finds in warn what it finds in standard", () => {
    const warn = createGuard({ policy: "warn", allowed: none });
    expect(warn.scan(`a ${token} password: hunter2`)).toEqual(guard.scan(`a ${token} password: hunter2`));
  });

  it("reads base64, hexadecimal and escapes", () => {
    const base64 = Buffer.from(`user:${token}`).toString("base64");
    const hidden = [
      base64,
      Buffer.from(token).toString("base64url"),
      `path/to/${Buffer.from(token).toString("base64")}`,
      Buffer.from(base64).toString("base64"),
      Buffer.from(`${"some text before it, ".repeat(4)}${token}`)
        .toString("base64")
        .replaceAll(/.{64}/g, "$&\n"),
      Buffer.from(token).toString("hex"),
      `a${Buffer.from(token).toString("hex").toUpperCase()}`,
      [...token].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join(""),
      [...token].map((letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join(""),
      token.replace("_", "\\_"),
      token.replace("_", "&#95;"),
      [...token].map((letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)).join(""),
    ];
    for (const text of hidden) {
      expect({ text: text.slice(0, 12), rules: rulesOf(`see ${text} there`) }).toEqual({
        text: text.slice(0, 12),
        rules: ["github-token"],
      });
    }
  });

  it("names one value once, by the surest rule", () => {
    expect(rulesOf(`api_token: "${token}"`)).toEqual(["github-token"]);
  });
});

describe("GUARD-3: a refusal", () => {
  const findings = guard.scan(`first\nmy ${token}\npassword: Tr0ub4dor&3\n`);
  const refusal = refusalOf(findings);

  it("says what, where and what to do instead", () => {
    expect(refusal).toBeInstanceOf(RecollectError);
    expect(refusal.code).toBe("SENSITIVE_CONTENT");
    expect(refusal.message).toMatch(/^Security violation: Cannot store sensitive data/);
    expect(refusal.message).toContain("github-token: a GitHub token, line 2, column 4");
    expect(refusal.message).toContain("sensitive-word");
    expect(refusal.message).toContain("line 3, column 11");
    expect(refusal.message).toMatch(/Store where the value is kept instead/);
    expect(refusal.data["findings"]).toBe(findings);
  });

  it("holds the value nowhere", () => {
    const said = JSON.stringify([refusal.message, refusal.data, refusal.stack]);
    for (const value of [token, token.slice(4, 14), "Tr0ub4dor"]) expect(said).not.toContain(value);
  });

  it("stays short however much there is", () => {
    expect(refusalOf(guard.scan(`${token}\n`.repeat(50))).message).toMatch(/and 45 more/);
  });
});

describe("GUARD-4: what is allowed", () => {
  it("is a fingerprint of the rule and the value, wherever it stands and however it is encoded", async () => {
    const allowed = new Set([fingerprintOf("github-token", token)]);
    const lenient = createGuard({ policy: "standard", allowed });
    expect(lenient.scan(`a ${token} b\nauth_token = ${token}\n${Buffer.from(token).toString("base64")}`)).toEqual([]);
    expect(lenient.scan(`a ${token}0 b`)).toHaveLength(1);
    const judgeLeniently = await openJudge({ policy: "standard", allowed });
    expect(judgeLeniently({ name: `${token}.md`, after: other })).toHaveLength(1);
  });

  it("GUARD-4 excuses no value beside it, in whatever letters and order the two stand", () => {
    const example = '"access_token":"2YotnFZFEjr1zCsicMWpAA"';
    const known = "password: legacyPw99!zzQ";
    const [finding] = guard.scan(known);
    const lenient = createGuard({ policy: "standard", allowed: new Set([finding?.fingerprint ?? ""]) });
    expect(lenient.scan(known)).toEqual([]);
    const words = ["密码：", "пароль: ", "contraseña=", "비밀번호: ", "パスワード：", "şifre: ", "password: "];
    const texts = words.flatMap((word) =>
      [example, known].flatMap((harmless) => {
        const secret = `${word}Ylvi*xwM55dk`;
        return [`${secret}\n\n${harmless}`, `${harmless}\n${secret}`, `${secret} ${harmless}`, `${harmless} ${secret}`];
      }),
    );
    expect(texts.filter((text) => lenient.scan(text).length === 0)).toEqual([]);
  });

  it("is nothing that the text says about itself", () => {
    for (const comment of [
      "gitleaks:allow",
      "secretlint-disable",
      "<!-- recollect-guard: off -->",
      "nosec",
      "pragma: allowlist secret",
      "example",
      "<this is a placeholder>",
    ]) {
      expect(rulesOf(`${comment}\n${token} # ${comment}\n${comment}`)).toEqual(["github-token"]);
    }
  });
});
