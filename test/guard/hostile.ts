import { rules } from "../../src/guard/rules/all.ts";
import { seedList } from "../../src/guard/rules/seed-list.ts";

export interface HostileText {
  readonly name: string;
  readonly text: string;
}

function naturalAnchors(example: string, anchors: readonly string[]): string[] {
  const lower = example.toLowerCase();
  return anchors.flatMap((anchor) => {
    const at = lower.indexOf(anchor);
    return at < 0 ? [] : [example.slice(at, at + anchor.length)];
  });
}

/** Texts that make each rule work as hard as it can: its anchor, what almost matches it, and what matches, over and over. */
export function hostileTexts(length: number): HostileText[] {
  // Stretched when it is read: all of them together would take gigabytes.
  const fill = (piece: string) => piece;
  const stretched = (piece: string) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
  const perRule = rules.flatMap(({ id, anchors, matches }) => [
    ...anchors.map((anchor) => ({ name: `${id}: its anchor “${anchor}”`, text: fill(anchor) })),
    ...anchors.map((anchor) => ({ name: `${id}: “${anchor}” between blanks`, text: fill(`${anchor} `) })),
    ...anchors.map((anchor) => ({ name: `${id}: “${anchor}” in capitals`, text: fill(anchor.toUpperCase()) })),
    ...anchors.map((anchor) => ({ name: `${id}: “${anchor}” with filler`, text: fill(`${anchor}ab1.xxxxxx`) })),
    ...matches.flatMap((match, index) => [
      // As the example writes it: patterns tell capitals from small letters, and fail at once on the wrong ones.
      ...naturalAnchors(match, anchors).flatMap((anchor) => [
        { name: `${id}: example ${index}, its anchor as written`, text: fill(anchor) },
        { name: `${id}: example ${index}, its anchor and three more`, text: fill(`${anchor}aB3`) },
      ]),
      { name: `${id}: example ${index}`, text: fill(`${match}\n`) },
      { name: `${id}: example ${index}, end missing`, text: fill(`${match.slice(0, -2)} `) },
      { name: `${id}: example ${index}, wrong in the middle`, text: fill(`${match.slice(0, match.length / 2)}\u00e9`) },
      { name: `${id}: example ${index}, no blanks`, text: fill(match) },
    ]),
  ]);
  const general = [
    ..."aA0-_./:=% \n\t\"'`<{[(\\&@é\u200b\u00ad".split("").map((character) => ({
      name: `one character, U+${character.charCodeAt(0).toString(16)}`,
      text: fill(character),
    })),
    { name: "base64 without end", text: fill("aGVsbG8gd29ybGQ/") },
    { name: "base64 in short words", text: fill(`${"aB3/".repeat(7)} `) },
    { name: "hexadecimal", text: fill("67687031") },
    { name: "escapes", text: fill("%67%68") },
    { name: "escapes in words", text: fill("a%67 ") },
    { name: "one escape at the end of long words", text: fill(`${"a".repeat(3000)}%67 `) },
    { name: "assignments", text: fill("password=") },
    { name: "assignments with quotes", text: fill('"password": "') },
    { name: "assignments with blanks", text: fill("password    :    ") },
    { name: "words with brackets", text: fill("token=${") },
    { name: "words that are said to be", text: fill("password for a b is ") },
    { name: "camel case", text: fill(`secret="${"aB".repeat(100)}" `) },
    { name: "addresses", text: fill("://a:") },
    { name: "addresses with long passwords", text: fill(`://a:${"b".repeat(190)} `) },
    { name: "dotted names", text: fill(`${"M".repeat(26)}.abcdef.`) },
    { name: "heads of tables", text: fill("| password |\n|---|\n") },
    { name: "one wide head of a table", text: fill("| password ") },
    { name: "rows of a table", text: fill(`| token |\n|-|\n${"| a1b2.c(3 |\n".repeat(4)}`) },
    { name: "values on lines of their own", text: fill("password:\n\n```\n") },
    { name: "short lines of base64", text: fill("aGVsbG8gd29y\n") },
    { name: "UTF-16 in base64", text: fill("ZwBoAHAAXwBhAGIA") },
    { name: "bold letters in words", text: fill("a**b") },
    { name: "strings that are put together", text: fill(`a"+"`) },
    { name: "headers of keys", text: fill(`-----BEGIN PRIVATE KEY-----\nComment: ${"a".repeat(90)}\n`) },
    { name: "drawn letters in quotes", text: fill(`secret="${"qXzKvJ".repeat(40)}" `) },
    { name: "headers of tokens without end", text: fill("eyJ") },
    { name: "headers of tokens with a dot", text: fill("eyJa.") },
    { name: "tokens that lack their third part", text: fill(`${"eyJ".repeat(98)}.eyJ${"eyJ".repeat(640)} `) },
    {
      name: "tokens with a short third part",
      text: fill(`${"eyJ".repeat(98)}.eyJ${"a".repeat(1990)}.${"a".repeat(19)} `),
    },
    { name: "long placeholders", text: fill(`clé: <your-${"a-".repeat(50)}b1> `) },
    { name: "quoted sentences", text: fill('パスワード: "some words 1 with blanks and more 22 of them" ') },
    { name: "full-width letters", text: fill("ｐａｓｓｗｏｒｄ：ａ１ｂ２ ") },
    { name: "words of one letter", text: fill("키") },
    { name: "words right behind each other", text: fill("пароль") },
    { name: "values before words", text: fill("a1b2 is the new password class ") },
    { name: "names before words", text: fill("Base64UrlEncoder2 is the new token. ") },
    { name: "values before comments", text: fill('"abcdefgh12345678"; // password policy ') },
    { name: "words behind particles", text: fill("a1 を新しいパスワード ") },
    { name: "logins without a password", text: fill("log in as ada / viewer-2-of-all ") },
    { name: "commands that store nothing", text: fill("echo abcdefgh12 | secret set a --value ") },
    { name: "phrases in quotes", text: fill('passphrase "aa bb cc dd ee ff gg hh ii jj kk ll mm nn" ') },
    { name: "quotes behind a phrase", text: fill(`passphrase ${'" '.repeat(60)}`) },
    { name: "numbers before a bracket", text: fill("type with use type 4821 and type with use 4822 (the PIN) ") },
    { name: "rows of keys", text: fill("insert into api_keys (a, key) values ('a', 'b'), ('c', 'd'), ('e', 'f')\n") },
    { name: "drivers without a password", text: fill("a:b@tcp(") },
    { name: "words and numbers", text: fill("password: Some-where-else ") },
    { name: "all anchors", text: fill(rules.flatMap(({ anchors }) => anchors).join(" ")) },
    { name: "zero width between letters", text: fill("a\u200b") },
    { name: "joiners between emoji", text: fill("👩\u200d") },
    {
      name: "every printable character",
      text: fill(Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join("")),
    },
  ];
  return [...perRule, ...general].map(({ name, text: piece }) => ({
    name,
    get text() {
      return stretched(piece);
    },
  }));
}

/** What the bench and the tests compare with: each literal of the seed, in lower case. */
export function plainScan(text: string): number {
  const lower = text.toLowerCase();
  let found = 0;
  for (const literal of seedList) {
    const wanted = literal.toLowerCase();
    for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + 1)) found += 1;
  }
  return found;
}

/** A note about logins: it has the words that the guard stumbles over, and no secret. */
export function ordinaryText(length: number): string {
  const entry = [
    "## 2025-02-03: Token refresh loops after a password reset",
    "**Context:** the API gateway, `src/auth/refresh.ts`, see issue #4211 and commit 9fceb02d0ae598e95dc970b74767f19372d61af8.",
    "**Problem:** The access token: a short-lived string that expires after 15 minutes. The client kept the old one.",
    "**Solution:** Read `API_KEY=$API_KEY` at start; the secret is in the vault, path `kv/data/payments`.",
    "```ts",
    'const token = await fetchToken({ secret: process.env["CLIENT_SECRET"], scope: "read" });',
    "```",
    "Nothing else changed: tests, builds and the deployment run as before, and the dashboards are green again.",
    "---",
    "",
  ].join("\n");
  return entry.repeat(Math.ceil(length / entry.length)).slice(0, length);
}
