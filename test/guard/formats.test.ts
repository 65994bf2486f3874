import { describe, expect, it } from "vitest";
import { createGuard } from "../../src/guard/guard.ts";
import { made } from "../../src/guard/rules/made.ts";
import { createRandom, lower, upper } from "./corpus/random.ts";

const guard = createGuard({ policy: "standard", allowed: new Set() });
const rulesOf = (text: string) => guard.scan(text).map(({ rule }) => rule);
const token = `${"gh"}p_${made(36)}`;
const [start, rest] = [token.slice(0, 4), token.slice(4)];

describe("GUARD-2: passwords with signs of code in them", () => {
  it.each([
    'DB_PASSWORD="xK9(mQ2vT8zL"',
    'password: "Ab3d[9xQ!zz7"',
    "password: x9Kq7(Q2mT8z",
    "password: $uperS3cretAb1x",
    'password = "$aL8cFObYf3xR"',
    "password: @aL8cFObYf3xR",
    'password: "{aL8cFObYf3xR}"',
    "password: <aL8cFObYf3xR>",
    `password: $${"{aL8cFObYf3xR}"}`,
    "password: aL8cFObYf3xR_example",
    "password: aL8cFObYf3xRxxxxxx",
    'token = "xK9mQ2.vT8zLp4"',
  ])("GUARD-2 finds %s", (text) => {
    expect(rulesOf(text)).toEqual(["sensitive-word"]);
  });

  it.each([
    "password: fetchSecret(db)",
    "password: $PGPASSWORD",
    "password: $dbPassword",
    "password: $db_password2",
    `password: "$${"{DB_PASSWORD:-none}"}"`,
    'password: "{{ vault_api_key }}"',
    "password: @password.txt",
    "password: <your password>",
    "token = <YOUR_K8S_TOKEN>",
    "token: my-token-here",
    "api_key: sk-1234xxxxxxxx",
    "api_key = base64.b64encode(raw)",
    'label.password = "auth.password.hint"',
    "password: dbpassword",
  ])("GUARD-2 passes %s", (text) => {
    expect(rulesOf(text)).toEqual([]);
  });
});

describe("GUARD-2: where a value stands", () => {
  it.each([
    ["below the head of a table", `| user | password | since |\n|:--|---|--:|\n| app | ${made(14)} | 2024 |`],
    ["in a later row", `| password | user |\n|---|---|\n| see vault | a |\n| ${made(14)} | b |`],
    ["in a table without outer bars", `user | password\n--- | ---\napp | ${made(14)}`],
    ["on the next line", `API key:\n\n\`\`\`\n${made(32)}\n\`\`\``],
    ["in other languages", `Das Kennwort ist ${made(12)}`],
    ["behind the name of the header's scheme", `Authorization: token ${made(40, "hex")}`],
    ["in an address, with a slash", `postgres://app:ab/${made(8)}@db.acme.dev/app`],
    ["in an address, as the user", `https://${made(40)}@github.com/acme/x.git`],
  ])("GUARD-2 %s", (_, text) => {
    expect(guard.scan(text)).toHaveLength(1);
  });

  it.each([
    "| user | password |\n|---|---|\n| text | varchar(255) |",
    "Token:\n\nA short-lived string, signed with RS256.",
    "mkdir -p'foo1234'",
    "Authorization: Token is read from the header-configuration-file",
  ])("GUARD-2 and not in %s", (text) => {
    expect(rulesOf(text)).toEqual([]);
  });
});

describe("GUARD-2: a token in pieces", () => {
  it.each([
    ["bold in the middle", `${start}**${rest}**`],
    ["two strings", `key = "${start}" + "${rest}"`],
    ["two strings on two lines", `key = "${start}" +\n    "${rest}"`],
    ["a line that goes on", `${token.slice(0, 20)}\\\n  ${token.slice(20)}`],
    ["a named entity", token.replace("_", "&lowbar;")],
    ["braced escapes", [...token].map((letter) => `\\u{${letter.charCodeAt(0).toString(16)}}`).join("")],
    ["octal escapes", [...token].map((letter) => `\\${letter.charCodeAt(0).toString(8).padStart(3, "0")}`).join("")],
    ["base64 in short lines", Buffer.from(token).toString("base64").replaceAll(/.{20}/g, "$&\n")],
    [
      "base64 in short lines of a quotation",
      `> ${Buffer.from(token).toString("base64").replaceAll(/.{16}/g, "$&\n> ")}`,
    ],
    ["base64 of UTF-16", Buffer.from(token, "utf16le").toString("base64")],
    ["base64 of UTF-16 in the other order", Buffer.from(token, "utf16le").swap16().toString("base64")],
  ])("GUARD-2 %s", (_, text) => {
    expect(rulesOf(text)).toContain("github-token");
  });
});

describe("GUARD-2: letters alone", () => {
  it.each([
    ["of both cases", lower + upper, 12],
    ["of both cases, longer", lower + upper, 20],
    ["small ones", lower, 14],
    ["capitals", upper, 14],
  ])("GUARD-2 that were drawn are found, %s", (_, alphabet, length) => {
    const random = createRandom(11);
    const drawn = Array.from({ length: 500 }, () => random.text(alphabet, length));
    const missed = drawn.filter((value) => rulesOf(`password=${value}`).length === 0);
    expect(missed.length, missed.slice(0, 20).join(" ")).toBeLessThanOrEqual(25);
  });

  it("GUARD-2 that are names pass", () => {
    for (const name of ["findById", "isUpToDate", "PostgreSQL", "acknowledged", "transformCss", "getSecretFromEnv"]) {
      expect(rulesOf(`token = ${name}`)).toEqual([]);
    }
  });
});
