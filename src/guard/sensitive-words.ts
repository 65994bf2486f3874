import { type CarriedValue, carriedValue } from "./carried-value.ts";
import { type Plausibility, plausibilityOf, type ValueKind } from "./plausible-value.ts";
import type { Effort, Rule, Span } from "./rule.ts";
import { made } from "./rules/made.ts";
import { cellBelow } from "./table-cell.ts";

const chosen = [
  "password",
  "passwd",
  "passphrase",
  "pass_phrase",
  "pass-phrase",
  "pass phrase",
  "passwort",
  "kennwort",
  "wachtwoord",
  "mot de passe",
  "senha",
  "pwd",
  "pass",
  "pw",
];
const keys = [
  "api",
  "access",
  "private",
  "secret",
  "signing",
  "encryption",
  "master",
  "auth",
  "account",
  "app",
  "shared",
  "preshared",
];
const generated = [
  "secret",
  "token",
  "credential",
  "apikey",
  "accesskey",
  "privatekey",
  "signingkey",
  "encryptionkey",
  "masterkey",
  "authkey",
  "accountkey",
  "presharedkey",
  ...keys.flatMap((key) => ["_", "-", " "].map((between) => `${key}${between}key`)),
];

/** `certain`: also beyond any doubt by the looks of it. */
type Needed = Exclude<Plausibility, "none"> | "certain" | "never";

/** How a value may follow the word, and how sure its look must make us. The first that fits counts. */
interface Carrier {
  /** What it may begin with, quotes and brackets that close the name aside. */
  readonly after: string;
  readonly pattern: RegExp;
  readonly needs: (context: { word: Word; quoted: boolean; last: boolean }) => Needed;
}

interface Word {
  readonly kind: ValueKind;
  /** The whole name that the word is a part of. */
  readonly name: string;
  readonly before: string;
  readonly suffix: string;
}

const sure = () => "weak" as const;
const unsure = () => "strong" as const;
const byEnd: Carrier["needs"] = ({ quoted, last, word }) =>
  quoted || (last && word.suffix === "") || /^[A-Z0-9_.]{4,}$/.test(word.name) ? "weak" : "strong";

const carriers: readonly Carrier[] = [
  // password = x · "password": "x" · ['password'] => 'x' · password: str = "x" · **Password:** x
  {
    after: " :",
    pattern:
      /["'`*\])}]{0,4}[ \t]{0,8}:[ \t]{0,4}(?:&?'?(?:static )?(?:str|string|String|SecretStr|Optional\[str\]|const char ?\*|any))[ \t]{0,4}=[ \t]{0,4}/y,
    needs: sure,
  },
  // password=x: nothing but a value follows an equals sign without blanks.
  { after: "=", pattern: /\\?["'`\])]{0,3}=(?![=>\s])/y, needs: sure },
  { after: " =:", pattern: /\\?["'`*\])}]{0,4}[ \t]{0,12}(?::=|=>|={1,3})[ \t]{0,4}/y, needs: byEnd },
  // A block scalar, or a value on its own line below, or in a block of its own.
  {
    after: " :",
    pattern:
      /["'`*]{0,4}[ \t]{0,4}:[*_]{0,3}[ \t]{0,4}(?:[|>][-+]?)?[ \t]{0,4}\r?\n(?:[ \t]{0,8}\r?\n)?(?:[ \t]{0,8}```[a-z]{0,12}\r?\n)?[ \t]{0,16}(?![-*\w.]{1,60}:)/y,
    needs: ({ last }) => (last ? "strong" : "certain"),
  },
  { after: " :", pattern: /["'`*\])}]{0,4}\\?["']?[ \t]{0,8}:[*_]{0,3}[ \t]{0,8}/y, needs: byEnd },
  // | password | x |
  { after: " |", pattern: /["'`*]{0,4}[ \t]{0,20}\|[ \t]{0,20}/y, needs: byEnd },
  // <password>x</password>
  { after: ">", pattern: /(?<=<[\w.:-]{1,60})>[ \t]{0,4}/y, needs: sure },
  // - name: DB_PASSWORD ⏎ value: x · variable "db_password" { type = string ⏎ default = "x" }
  {
    after: " ",
    pattern:
      /["']?[\s,{]{1,40}(?:(?:type|description|sensitive|nullable)[ \t]{0,12}=[^\n]{0,100}\n[ \t]{0,8}){0,3}["']?(?:value|default)["']?[ \t]{0,4}[:=][ \t]{0,4}/iy,
    needs: sure,
  },
  // ENV API_TOKEN x · setx API_TOKEN x · set -x API_TOKEN x
  {
    after: " ",
    pattern: /(?<=(?:^|[^A-Za-z0-9])(?:ENV|ARG|setx|set -g?x)[ \t]{1,4}[A-Z0-9_]{1,60})[ \t]{1,4}(?=\S)/y,
    needs: byEnd,
  },
  // --password x · -password x
  { after: " ", pattern: /(?<=(?:^|[\s"'`(])--?[\w-]{1,60})[ \t]{1,4}(?!-)/y, needs: byEnd },
  // the password for staging is x · the password was changed to x
  {
    after: " ",
    pattern:
      /["'`*]{0,3}(?:[ \t](?:for|of|on|to|in|at|from)[ \t][\w.@/'"`-]{1,30}(?:[ \t][\w.@/'"`-]{1,20})?|[ \t](?:we|they|i)[ \t](?:use|used|have|need|set))?[ \t]{1,2}(?:is|was|are|ist|war|lautet|est|will be|should be)(?:[ \t](?:now|still|set to|changed to|reset to|just|simply|called))?[:]?[ \t]{1,2}/iy,
    needs: ({ quoted, last }) => (quoted || last ? "weak" : "strong"),
  },
  // I set the password to x
  { after: " ", pattern: /[ \t]to[ \t]/iy, needs: ({ quoted, last }) => (quoted || last ? "weak" : "strong") },
  // .password("x") · fill("#password", "x") · PASSWORD 'x'
  { after: "(", pattern: /\([ \t]{0,2}(?=["'])/y, needs: sure },
  { after: "", pattern: /["'`]\)?,[ \t]{0,3}(?=["'`])/y, needs: unsure },
  {
    after: " ",
    pattern: /[ \t]{1,3}(?=["'`])/y,
    // “Pass `-Dname=no` to it” is a verb and its object.
    needs: ({ word }) => (/^pass$/i.test(word.name) ? "never" : word.kind === "password" ? "weak" : "strong"),
  },
];

// Each carrier begins in its own way; trying only those that can fit halves the cost of a text about passwords.
const beginnings = ["=", ":", "|", ">", "(", " "] as const;
const byBeginning = new Map(
  beginnings.map((lead) => [lead as string, carriers.filter(({ after }) => after.includes(lead))]),
);

function carriersAfter(lead: string): readonly Carrier[] {
  return byBeginning.get(lead) ?? carriers;
}

// password x: the word itself is all that leads there, so the value must be beyond doubt.
const adjacent = /[ \t]{1,3}/y;

// Names that speak about a secret instead of holding one: token_count, passwordPolicy, secretName, api_key_id.
const aboutIt = suffixOf(`
  s ize ized izer izers count counts counter length len size limit limits budget usage rate name names id ids uuid
  hash hashes hashed hasher digest salt url urls uri endpoint path paths file files filename dir folder type types kind
  kinds expiry expires expired expiration ttl lifetime age timeout policy policies rule rules field fields input label
  hint help placeholder prompt title message error errors reset forgot min max minlength maxlength ref refs arn header
  headers prefix suffix store stores manager provider providers class regex pattern format encoding algorithm alg
  required enabled disabled visible strength score column index table env var stdin bucket scope scopes status state
  version rotation created updated date time at source sources location keeper helper holder owner realm issuer audience
  subject cache validator service handler factory generator parser stream text_color color colour map list set ring
  chain board word words frame frames pair pairs hunt sauce santa`);
const notACredential = nameBefore(`
  max min num total prompt completion input output context design css color next_page nextpage page continuation cursor
  cancellation pad eos bos unk mask sep cls special fencing ring public primary foreign idempotency trace sync delimiter
  push device`);

function suffixOf(words: string): RegExp {
  return new RegExp(`^s?[-_ ]?(?:${words.trim().split(/\s+/).join("|")})(?![a-z])`, "i");
}

function nameBefore(words: string): RegExp {
  return new RegExp(`(?:^|[^a-z])(?:${words.trim().split(/\s+/).join("|")})[-_ .]?$`, "i");
}

const suffixPattern = /[\w-]{0,24}/y;

export const sensitiveWordRule: Rule = {
  id: "sensitive-word",
  title: "a value beside a word such as password, secret, token or key",
  anchors: [...chosen, ...generated],
  knownByForm: false,
  find: findValue,
  matches: [
    `password: ${made(12)}`,
    `DB_PASSWORD="${made(9)}!"`,
    `{"client_secret": "${made(32)}"}`,
    `api_key = ${made(24)}`,
    `deploy --token ${made(30)}`,
    `<password>${made(14)}</password>`,
    `The password for staging is ${made(10)}`,
    `| token | ${made(40)} |`,
    `| user | password |\n|---|---|\n| app | ${made(14)} |`,
    `Password:\n${made(14)}`,
    `ENV API_TOKEN ${made(32)}`,
    `variable "db_password" {\n  type    = string\n  default = "${made(14)}"\n}`,
    `DB_PASSWORD="xK9(${made(8)}"`,
    `password: $up${made(10)}`,
  ],
  passes: [
    "password: must be at least 12 characters",
    `password: $${"{DB_PASSWORD}"}`,
    "token = <your-token>",
    "secret = fetchSecret()",
    "max_tokens: 4096",
    "The password is required.",
    'api_key: process.env["API_KEY"]',
    "--password-stdin",
    "| user | password |\n|---|---|\n| text | varchar(255) |",
    "Password:\nAsk the platform team",
    "ENV API_TOKEN $API_TOKEN",
    "password: SCRAM-SHA-256",
    `master key: id=mrk-${made(32, "hex")}`,
    "password: $dbPassword2",
    "token = bin2hex(random_bytes(32))",
  ],
};

// What can stand between a word and its value begins with one of these; most words in prose end here.
const leads = /["'`*\])}\s:=|>\\(-]/;

function findValue(text: string, anchor: Span, effort: Effort): Span | undefined {
  const word = wordAt(text, anchor);
  effort.spent += 3;
  if (!word) return undefined;
  const nameEnd = anchor.end + word.suffix.length;
  const cell = cellBelow(text, nameEnd, effort, (value) => judge(value, word) === "strong");
  if (cell) return cell;
  effort.spent += 10;
  for (const { pattern, needs } of carriersAfter(text[nameEnd] ?? "")) {
    pattern.lastIndex = nameEnd;
    const carrier = pattern.exec(text);
    if (!carrier) continue;
    const value = carriedValue(text, nameEnd + carrier[0].length);
    if (!value) continue;
    const needed = isPlainSuffix(word) ? needs({ word, quoted: value.quoted, last: value.last }) : "strong";
    const found = judge(value, word);
    if (isEnough(found, needed, value.text)) return value;
    effort.spent += 60 + (value.text.length >> 1);
    return undefined;
  }
  effort.spent += 20;
  return adjacentValue(text, nameEnd, word);
}

function isEnough(found: Plausibility, needed: Needed, value: string): boolean {
  if (needed === "certain") return found === "strong" && isMixed(value);
  return needed !== "never" && (found === "strong" || (found === "weak" && needed === "weak"));
}

function adjacentValue(text: string, nameEnd: number, word: Word): Span | undefined {
  if (word.kind !== "password" || word.suffix !== "" || /pass$/i.test(word.name)) return undefined;
  adjacent.lastIndex = nameEnd;
  const blank = adjacent.exec(text);
  const value = blank ? carriedValue(text, nameEnd + blank[0].length) : undefined;
  if (!value) return undefined;
  const found = judge(value, word);
  return found === "strong" || (found === "weak" && value.last && /[0-9]/.test(value.text)) ? value : undefined;
}

/**
 * Labels and messages have blanks; passphrases are let through rather than every translated text refused. But a word
 * among others that nobody would write is a secret with words beside it.
 */
function judge({ text, literal }: CarriedValue, { kind }: Word): Plausibility {
  const value = text.trim().replace(/(?:\.{1,8}|…)$/, "");
  if (!/\s/.test(value)) return plausibilityOf(value, { kind, literal });
  return value.split(/\s{1,256}/).some((part) => isMixed(part) && plausibilityOf(part, { kind }) === "strong")
    ? "strong"
    : "none";
}

function isMixed(word: string): boolean {
  return (
    word.length >= 10 &&
    /^[\w!#$%&*+=?@^~<>-]{10,64}$/.test(word) &&
    /[a-z]/.test(word) &&
    /[A-Z]/.test(word) &&
    /[0-9]/.test(word)
  );
}

function wordAt(text: string, anchor: Span): Word | undefined {
  suffixPattern.lastIndex = anchor.end;
  const suffix = suffixPattern.exec(text)?.[0] ?? "";
  if (!leads.test(text[anchor.end + suffix.length] ?? "")) return undefined;
  let start = anchor.start;
  while (start > 0 && anchor.start - start < 48 && isNameCharacter(text.charCodeAt(start - 1))) start -= 1;
  const before = text.slice(start, anchor.start);
  const found = text.slice(anchor.start, anchor.end).toLowerCase();
  // “pass” is a verb and a test result, “pw” the end of many words; at the end of a name they are a password.
  if (/^(?:pass|pw)$/.test(found) && (suffix !== "" || (before !== "" && !/[_.-]$/.test(before)))) return undefined;
  if (found === "pwd" && suffix !== "") return undefined;
  if (aboutIt.test(suffix) || notACredential.test(text.slice(Math.max(0, anchor.start - 16), anchor.start)))
    return isCredentials(found, suffix) ? { kind: "generated", name: found, before, suffix } : undefined;
  const kind = chosen.includes(found) ? "password" : "generated";
  return { kind, name: before + text.slice(anchor.start, anchor.end) + suffix, before, suffix };
}

// Letters, digits and `_`, `-`, `.`: by code, as this is asked for every character before every such word.
function isNameCharacter(code: number): boolean {
  if (code >= 97 ? code <= 122 : code >= 65 && code <= 90) return true;
  return (code >= 48 && code <= 57) || code === 95 || code === 45 || code === 46;
}

function isCredentials(found: string, suffix: string): boolean {
  return found === "credential" && suffix.toLowerCase() === "s";
}

function isPlainSuffix({ suffix }: Word): boolean {
  return /^(?:[-_]?(?:[0-9]{1,3}|value|key|base|prod|production|dev|staging|stage|test|live|old|new|current|previous|confirm|confirmation|plain|raw))?$/i.test(
    suffix,
  );
}
