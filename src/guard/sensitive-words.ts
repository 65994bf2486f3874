import { type CarriedValue, carriedValue } from "./carried-value.ts";
import { columnBelow } from "./column-below.ts";
import { type ExpressionLiteral, literalsOfExpression } from "./expression-literal.ts";
import { isInResourceName } from "./kept-elsewhere.ts";
import { isMixed, isSignedPassword, type Plausibility, plausibilityOf, type ValueKind } from "./plausible-value.ts";
import type { Effort, Rule, Span } from "./rule.ts";
import { made } from "./rules/made.ts";
import { valueBefore } from "./said-before.ts";
import { valueNearby } from "./said-nearby.ts";
import { saidPhrase } from "./said-phrase.ts";
import { saidLogin, saidValue } from "./said-value.ts";
import {
  isChosen,
  isLetterCode,
  isNameAbout,
  isOpen,
  type SecretWord,
  secretWords,
  unspaced,
  type WordKind,
} from "./secret-words.ts";
import { cellBelow } from "./table-cell.ts";
import { valueBelow } from "./value-below.ts";
import { isRandom } from "./variety.ts";
import { isNamed } from "./wordiness.ts";

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
  readonly kind: WordKind;
  /** The whole name that the word is a part of. */
  readonly name: string;
  readonly before: string;
  readonly suffix: string;
}

const sure = () => "weak" as const;
/** In quotes behind the name of a setting, and that name in capitals, stands nothing but its value. */
const bySetting: Carrier["needs"] = ({ word }) =>
  isChosen(word.kind) && /^[A-Z0-9_.]{4,}$/.test(word.name) ? "weak" : "strong";
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
  { after: ">", pattern: /(?<=<[\w.:-]{1,60})>[ \t]{0,4}(?=[^<\n]{1,256}<\/)/y, needs: sure },
  // <AdministratorPassword><Value>x</Value> · <key>Password</key><string>x</string>
  {
    after: "><",
    pattern: /(?:<\/[a-z]{1,20})?>\s{0,24}<(?:value|string|text|plaintext)>[ \t]{0,4}(?=[^<\n]{1,256}<\/)/iy,
    needs: sure,
  },
  // - name: DB_PASSWORD ⏎ value: x · variable "db_password" { type = string ⏎ default = "x" }
  {
    after: " ",
    pattern:
      /["']?[\s,{]{1,40}(?:(?:type|description|sensitive|nullable)[ \t]{0,12}=[^\n]{0,100}\n[ \t]{0,8}){0,3}["']?(?:value|default)["']?[ \t]{0,4}[:=][ \t]{0,4}/iy,
    needs: sure,
  },
  // ENV API_TOKEN x · setx API_TOKEN x · SetEnv API_TOKEN x · set -x API_TOKEN x
  {
    after: " ",
    pattern: /(?<=(?:^|[^A-Za-z0-9])(?:ENV|ARG|setx|SetEnv|set -g?x)[ \t]{1,4}[A-Z0-9_]{1,60})[ \t]{1,4}(?=\S)/y,
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
  // std::string authToken{"x"}
  { after: "{", pattern: /\{[ \t]{0,2}(?=["'])/y, needs: sure },
  { after: "", pattern: /["'`]\)?,[ \t]{0,3}(?=["'`])/y, needs: bySetting },
  // process.env.JWT_SECRET ?? "x" · getenv("DB_PASSWORD") ?: 'x' · ENV.fetch("DB_PASSWORD") { "x" }
  {
    after: " ",
    pattern: /["'`]?[)\]]{0,2}[ \t]{1,4}(?:\?\?=?|\|\|=?|\?:|or|\{)[ \t]{1,4}(?=["'])/y,
    needs: bySetting,
  },
  {
    after: " ",
    pattern: /[ \t]{1,3}(?=["'`])/y,
    // “Pass `-Dname=no` to it” is a verb and its object.
    needs: ({ word }) => (/^pass$/i.test(word.name) ? "never" : isChosen(word.kind) ? "weak" : "strong"),
  },
];

// Each carrier begins in its own way; trying only those that can fit halves the cost of a text about passwords.
const beginnings = ["=", ":", "|", ">", "<", "(", "{", " "] as const;
const byBeginning = new Map(
  beginnings.map((lead) => [lead as string, carriers.filter(({ after }) => after.includes(lead))]),
);

function carriersAfter(lead: string): readonly Carrier[] {
  return byBeginning.get(lead) ?? carriers;
}

export const sensitiveWordRule: Rule = {
  id: "sensitive-word",
  title: "a value beside a word such as password, secret, token or key",
  anchors: [...secretWords.keys()],
  knownByForm: false,
  find: findValue,
  matches: [
    `password: ${made(12)}`,
    `DB_PASSWORD="${made(9)}!"`,
    `{"client_secret": "${made(32)}"}`,
    `api_key = ${made(24)}`,
    `deploy --token ${made(30)}`,
    `kubeadm join --token ${made(6, "hex")}.${made(16, "hex")}`,
    `ngrok config add-authtoken 2${made(26)}_${made(20)}`,
    `netbird up --setup-key ${[8, 4, 4, 4, 12].map((length) => made(length, "capitals")).join("-")}`,
    `<password>${made(14)}</password>`,
    `The password for staging is ${made(10)}`,
    `| token | ${made(40)} |`,
    `| user | password |\n|---|---|\n| app | ${made(14)} |`,
    `Password:\n${made(14)}`,
    `ENV API_TOKEN ${made(32)}`,
    `variable "db_password" {\n  type    = string\n  default = "${made(14)}"\n}`,
    `DB_PASSWORD="xK9(${made(8)}"`,
    `password: $up${made(10)}`,
    `Grafana password (admin): ${made(12)}`,
    `数据库密码是 ${made(12)}`,
    `La contraseña del servidor es ${made(12)}`,
    `A senha mudou para ${made(12)}`,
    `Пароль от базы: ${made(12)}`,
    `パスワードは「${made(12)}」です`,
    `Das Kennwort vom NAS ist jetzt ${made(12)}`,
    `clé d'API : ${made(32, "hex")}`,
    `비밀번호는 ${made(12)} 입니다`,
    `API anahtarı: ${made(32)}`,
    `client secret ${made(40, "hex")}`,
    "暗証番号は499751です",
    `Use ${made(14)} as the database password.`,
    `VPN'e ${made(14)} parolasıyla gir`,
    `admin credentials: admin / ${made(12)}`,
    `generateKey(password = ${made(12)})`,
    `secret: arn:aws:${made(24)}`,
    `arn:aws:secretsmanager:eu-west-1:704074412510:secret:${made(32)}`,
    `비밀번호: 1Password의${made(12)}`,
    `password: Bitwarden/${made(14)}`,
    `Changed the root password of the database host to ${made(12)}, tell Sasha.`,
    `Cambié la contraseña de la base de datos a "${made(12)}" porque la anterior había caducado`,
    `Поменял пароль пользователя postgres на ${made(12)}, передай Саше.`,
    `J'ai remis le mot de passe root à ${made(12)}, pensez à le changer.`,
    `Учётные данные для 1С: Администратор / ${made(12)}`,
    `社内WiFiのパスワード、${made(12)} に変わりました`,
    `root 패스워드를 ${made(12)}(으)로 변경했습니다`,
    "The HSM partition PIN is 85072814 and the other one is in the safe.",
    'BORG_PASSPHRASE="saddle comet walnut harbor 7"',
    "Die Passphrase heißt „Neun Hasen rennen nach Hause 31“",
    'password = "Lavender_2551"',
    `password = wrap("${made(12)}")`,
    `secretKey = SecretKeySpec(value = "${made(16)}", "AES")`,
    `const secret = process.env.JWT_SECRET ?? "${made(32)}";`,
    `password = config.get("database") or "${made(12)}"`,
    `password = ENV.fetch("DB_PASSWORD", "${"Maple"}!482")`,
    `$password = getenv('DB_PASSWORD') ?: '${"Maple"}!482';`,
    `define( 'DB_PASSWORD', '${"Maple"}!482' );`,
    `| User | Password |\n|---|---|\n| automation | ${"Maple"}!482 |`,
    "Оля, у тебя теперь Kotik#415 вместо старого пароля, смени после входа",
    "机房门禁按 4826# 就开，这是 PIN，别外传",
    "DB 접속은 app / gureum_714 (비번 공유 금지)",
    `{"user": "deploy", "secret": "mango-${"Carbon"}-51-tilt"}`,
    "access code for the vendor portal (customer no. 2231): 60418855",
    "協力会社ポータルのアクセスコードは 70925518",
    `clé API cartes = ${made(18, "hex")}, au nom de Julie`,
    `la clave API de mapas es ${made(18, "hex")}, está a nombre de Marta`,
    "GPG anahtarının parolası «üç mavi kayık limanda»",
    "SSH 私钥的密码短语是“雨后 茶园 三只 白鹭”",
    "GPG鍵のパスフレーズは「みっつの青い凧と海」",
    "кодовая фраза от ключа GPG: «пять рыжих лисиц у реки»",
    `FTP 계정정보: upload / ${made(10)}`,
    `Zugang Testshop: tester / Apfelmus${"851"}`,
    `管理员初始pwd:Admin@${"Hz0571"},首次登录不强制修改`,
    `| chave de API | ${made(32)} |`,
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
    "La contraseña debe tener al menos doce caracteres.",
    "Пароль должен содержать не менее 12 символов.",
    "비밀번호는 12자 이상이어야 합니다.",
    "Passwörter werden mit Argon2 gehasht.",
    "public key: ssh-ed25519",
    "Base64UrlEncoder2 is the token encoder",
    "AuthServiceV2 as the password store",
    "The API key is read from STRIPE_KEY_V2 at start.",
    "Der Schlüssel liegt in 1Password, Eintrag staging-db-2.",
    "The access token expires at 2026-11-18T09:00:00Z.",
    "password_encryption = scram-sha-256",
    `token refresh fixed in ${made(40, "hex")}`,
    "private_key = ed25519.Ed25519PrivateKey.generate()",
    "let token = Secp256k1::new().generate_keypair(&mut rng);",
    "secretKey = generateSecretKey(algorithm = HmacSha256)",
    "var key = new Rfc2898DeriveBytes(password: input, salt: salt16, iterations: 100000);",
    `arn:aws:secretsmanager:eu-west-1:704074412510:secret:prod/billing/db-${made(6)}`,
    `valueFrom: arn:aws:secretsmanager:eu-west-1:704074412510:secret:db-password-${made(6)}:password::`,
    "token: projects/123456789012/secrets/stripe-api-key/versions/latest",
    `secret: acme-kv.vault.azure.net/secrets/db-password/${made(32, "hex")}`,
    "비밀번호: 1Password의 Infra 보관함 참고",
    "パスワード: 1Passwordの「Infra」を参照",
    "Passwort: KeePass2-Datenbank",
    "password: LastPass/Shared-Infra2",
    "Updated the password hashing of all services to Argon2id-v2, see #412.",
    "Changed the minimum password length for admins from 12 to 16.",
    "Сменил алгоритм хеширования паролей на argon2id, см. #412.",
    "Security question: What was the name of your first pet?",
    "The page token is 48 characters long.",
    'passphrase: "at least five words, no names"',
    '"password-history": 5, "token-ttl": 3600',
    'password: "user_1234"',
    'const secret = process.env.JWT_SECRET ?? "development-only";',
    'password = ENV.fetch("DB_PASSWORD", "postgres")',
    `secret = client.get_secret("prod-db-${made(6)}")`,
    'token = credentials("npm-publish-2")',
    'token = jwt.sign(payload, key, { algorithm: "RS256" })',
    `password = decrypt("${made(64)}")`,
    "Issue#415: the password field loses its focus in Table_12",
    "The PIN pad answers on port 8443 after the reset.",
    "Passphrase: liegt bei den anderen beim Empfang",
    'await page.fill("#password", process.env.E2E_PASSWORD);',
    "Password errors this week: 48213",
    "Fehler beim Zugangscode diese Woche: 48213",
    "The password of the proxy at nas01:8443 is in the vault.",
    'contraseña: "introduce al menos doce caracteres"',
    "Das Kennwort „darf nicht leer sein“",
    "パスワードは「忘れにくいもの」にしてください",
    "verification code 482913 was sent twice",
    `merge-base of main and feature/token-refresh: ${made(40, "hex")}`,
    "AWS account 123456789012, role arn:aws:iam::123456789012:role/deploy",
  ],
};

// What can stand between a word and its value begins with one of these; most words in prose end here.
const leads = /["'`*\])}\s:=|<>\\({-]/;

/** `get_secret("prod-db-2")`: the argument says which one is wanted. */
const lookingUp = /(?:get|read|fetch|load|find|look_?up|resolve|retrieve|access|describe|delete|rotate)[_-]?$/i;

function findValue(text: string, anchor: Span, effort: Effort): Span | undefined {
  const word = wordAt(text, anchor);
  effort.spent += 10;
  if (!word) return undefined;
  const nameEnd = anchor.end + word.suffix.length;
  if (text[nameEnd] === "(" && lookingUp.test(word.before)) return undefined;
  const found = saidFor(text, anchor, word, effort);
  if (found || word.kind !== "generated") return found;
  // The key of a wireless network is a password that a person chose: “WLAN-Schlüssel: brezel-mit-senf-19”.
  effort.spent += 6;
  const around = text.slice(Math.max(0, anchor.start - 16), nameEnd + 24).split("\n", 1)[0] ?? "";
  return wireless.test(around) ? saidFor(text, anchor, { ...word, kind: "password" }, effort) : undefined;
}

const wireless = /wi-?fi|wlan|wpa[23]?(?!\w)|ва[йи]-?фа[йи]|와이파이|无线|無線/i;

function saidFor(text: string, anchor: Span, word: Word, effort: Effort): Span | undefined {
  const nameEnd = anchor.end + word.suffix.length;
  if (word.kind === "account") return saidLogin(text, nameEnd, effort);
  const named = saidPhrase(text, word, nameEnd, effort) ?? namedValue(text, nameEnd, word, effort);
  if (named) return named;
  const place = { name: word.name, start: anchor.start - word.before.length, end: nameEnd, kind: word.kind };
  // In a sentence “pass” is a verb: “pass `-Dname=no1` to it”; but “la pass es x”.
  if (/^pass$/i.test(word.name) && !isNoun(text, anchor.start, nameEnd)) return valueNearby(text, place, effort);
  return (
    saidValue(text, nameEnd, word.kind, effort) ??
    valueBefore(text, place, effort) ??
    valueBelow(text, nameEnd, word.kind, effort) ??
    valueNearby(text, place, effort)
  );
}

const asNoun = /(?:^|[\s(])(?:the|my|our|its|la|el|mi|le|das|der|die|root|admin|wifi|nas|ssh)\s$/i;
const ofThing = /^ (?:for|of|del|de|do|da|du|vom|von|für|pour) [^\n:=]{2,32}(?:[:=→]|->)/i;

function isNoun(text: string, start: number, end: number): boolean {
  return asNoun.test(text.slice(Math.max(0, start - 12), start)) || ofThing.test(text.slice(end, end + 48));
}

/** In code, configuration and tables: what the name is given. */
function namedValue(text: string, nameEnd: number, word: Word, effort: Effort): Span | undefined {
  if (word.kind === "pin") return undefined;
  const column = columnBelow(text, nameEnd, effort, (value) => isInCell(value, word));
  if (column || !leads.test(text[nameEnd] ?? "")) return column;
  const cell = cellBelow(text, nameEnd, effort, (value) => isInCell(value, word));
  if (cell) return cell;
  effort.spent += 10;
  for (const { pattern, needs } of carriersAfter(text[nameEnd] ?? "")) {
    pattern.lastIndex = nameEnd;
    const carrier = pattern.exec(text);
    if (!carrier) continue;
    const value = carriedValue(text, nameEnd + carrier[0].length);
    if (!value) continue;
    const needed = isPlainSuffix(word) ? needs({ word, quoted: value.quoted, last: value.last }) : "strong";
    if (isEnough(judge(value, word), needed, value.text)) return value;
    effort.spent += 60 + (value.text.length >> 1);
    return value.quoted ? undefined : literalFor(word, text, value.start, effort);
  }
  effort.spent += 20;
  return undefined;
}

/** What stands in for a value that is not set, or a call is given, where the name of a secret is given the outcome. */
function literalFor(word: Word, text: string, at: number, effort: Effort): Span | undefined {
  const literals = literalsOfExpression(text, at);
  effort.spent += 4 + literals.length * 40;
  return literals.find((literal) => isLiteralSecret(literal, word.kind));
}

function isLiteralSecret({ text, place }: ExpressionLiteral, kind: WordKind): boolean {
  const isText = isChosen(kind);
  const look = plausibilityOf(text, { kind: isText ? "password" : "generated", literal: true });
  if (look === "none" || /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(text)) return false;
  if (isText && isSignedPassword(text)) return true;
  if (look !== "strong" || place === "fallback") return look === "strong";
  return !isNamed(text) && (isMixed(text) || (text.length >= 16 && isRandom(text)));
}

function isEnough(found: Plausibility, needed: Needed, value: string): boolean {
  if (needed === "certain") return found === "strong" && isMixed(value);
  return needed !== "never" && (found === "strong" || (found === "weak" && needed === "weak"));
}

/** Columns of passwords hold rules about them and notes as well, but nothing that is put together as only passwords are. */
function isInCell(value: CarriedValue, word: Word): boolean {
  const look = judge(value, word);
  return look === "strong" || (look === "weak" && isChosen(word.kind) && isSignedPassword(value.text));
}

/**
 * Labels and messages have blanks, so that what does is let through rather than every translated text refused. But a word
 * among others that nobody would write is a secret with words beside it.
 */
function judge({ text, literal }: CarriedValue, { kind }: Word): Plausibility {
  const value = text.trim().replace(/(?:\.{1,8}|…)$/, "");
  const valueKind: ValueKind = isChosen(kind) ? "password" : "generated";
  if (!/\s/.test(value)) {
    // `"secret": "mango-Carbon-51-tilt"`: names do not change their case.
    const isText =
      literal &&
      valueKind === "generated" &&
      /-\p{Lu}\p{Ll}{1,20}-/u.test(`-${value}-`) &&
      /-\p{Ll}{2,20}-/u.test(`-${value}-`);
    return plausibilityOf(value, { kind: isText ? "password" : valueKind, literal });
  }
  const isSecret = (part: string) => isMixed(part) && plausibilityOf(part, { kind: valueKind }) === "strong";
  return value.split(/\s{1,256}/).some(isSecret) ? "strong" : "none";
}

function wordAt(text: string, anchor: Span): Word | undefined {
  const written = text.slice(anchor.start, anchor.end);
  if (written === "パス" && !isPassword.test(text.slice(Math.max(0, anchor.start - 1), anchor.end + 1)))
    return undefined;
  const found = secretWords.get(written.toLowerCase());
  if (!found || isInsideWord(text, anchor.start, found)) return undefined;
  // A page, a partition or a device has open keys and tokens; its password or PIN is a secret.
  if ((found.kind === "generated" || found.kind === "login") && isOpen(text, anchor.start)) return undefined;
  const suffix = suffixAt(text, anchor.end, found);
  const before = text.slice(nameStart(text, anchor.start), anchor.start);
  if (
    !isWhole(found, before, suffix) &&
    !(/^P[IU][NK]$/.test(written) && suffix === "" && /\p{Ll}-$/u.test(before)) &&
    !isLastHump(written, before, suffix)
  )
    return undefined;
  const isPlural = suffix.toLowerCase() === "s" && (found.kind === "login" || found.kind === "code");
  if (isNameAbout(suffix) && !isPlural) return undefined;
  if (
    /(?:^|[^0-9])1$/.test(before) &&
    /^password$/i.test(written) &&
    entryOf1Password.test(text.slice(anchor.end, anchor.end + 3))
  )
    return undefined;
  if (text[anchor.start - 1] === ":" && isInResourceName(text, anchor.start)) return undefined;
  return { kind: found.kind, name: before + written + suffix, before, suffix };
}

/** “パス” is a path as well, and the end of many words. */
const isPassword = /^[^ァ-ー\p{Script=Han}]?パス(?:[:：=＝→はが「]|$)/u;

/** “in 1Password ("prod-db-2024")”: which entry it is. */
const entryOf1Password = /^[,;]?[ \t]?[("'„“«,]/;

/** `clave` in “enclave”. Names in English are put together, and so are words in German. */
function isInsideWord(text: string, at: number, { word, language }: SecretWord): boolean {
  if (at === 0 || unspaced.test(word) || unspaced.test(text[at - 1] ?? "")) return false;
  if (isJoined(text, at, word, language)) return false;
  const code = text.charCodeAt(at - 1);
  return isLetterCode(code) || (code >= 48 && code <= 57);
}

function isJoined(text: string, at: number, word: string, language: SecretWord["language"]): boolean {
  if (language !== "en" && language !== "de") return false;
  return !short.test(word) || /^[a-z0-9][A-Z]/.test(text.slice(at - 1, at + 1));
}

const maxSuffix = 24;

function suffixAt(text: string, at: number, { word, language }: SecretWord): string {
  // Whatever follows is no ending.
  if (unspaced.test(word)) return "";
  let end = at;
  while (end < text.length && end - at < maxSuffix) {
    const code = text.charCodeAt(end);
    if (!isNameCharacter(code) && !(language !== "en" && isLetterCode(code))) break;
    if (code === 46) break;
    end += 1;
  }
  return text.slice(at, end);
}

function nameStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < 48 && isNameCharacter(text.charCodeAt(start - 1))) start -= 1;
  return start;
}

// “pass” is a verb and a test result, “pw” and “pin” parts of many words; whole, or at the end of a name, they are meant.
const short = /^(?:pass|pw|pin|pwd|psw|pswd|pword|psk|mdp|creds|login|пин|пасс|la[ _-]contra)$/;

function isWhole({ word, language }: SecretWord, before: string, suffix: string): boolean {
  if (short.test(word)) {
    const isSuffixed = suffix !== "" && !(word === "login" && suffix === "s");
    return !isSuffixed && (before === "" || (/[_.-]$/.test(before) && word !== "pin"));
  }
  return language === "en" || suffix.length <= 6 || /^[_-]/.test(suffix);
}

/** `dbRootPwd`, `smtpPass`: the last word of a name in camel case. Names end with “Pass” that are steps, too. */
function isLastHump(written: string, before: string, suffix: string): boolean {
  if (suffix !== "") return false;
  if (/^(?:Pwd|Pw|PW|PWD|Psw|Psk|PSK|Mdp)$/.test(written)) return /[a-z0-9]$/.test(before);
  return (
    written === "Pass" &&
    /(?:db|user|admin|root|smtp|mail|ftp|ssh|sql|auth|wifi|vpn|ldap|redis|mongo|proxy|key|api)$/i.test(before)
  );
}

// Letters, digits and `_`, `-`, `.`: by code, as this is asked for every character before every such word.
function isNameCharacter(code: number): boolean {
  if (code >= 97 ? code <= 122 : code >= 65 && code <= 90) return true;
  return (code >= 48 && code <= 57) || code === 95 || code === 45 || code === 46;
}

function isPlainSuffix({ suffix }: Word): boolean {
  return /^(?:[\p{L}\p{M}]{0,6}|[-_]?(?:[0-9]{1,3}|value|key|base|prod|production|dev|staging|stage|test|live|old|new|current|previous|confirm|confirmation|plain|raw))$/iu.test(
    suffix,
  );
}
