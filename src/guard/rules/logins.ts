import { isPlaceholder } from "../placeholder.ts";
import { plausibilityOf } from "../plausible-value.ts";
import { knownByPlace, type Rule } from "../rule.ts";
import { isRandom } from "../variety.ts";
import { made } from "./made.ts";

const isPassword = (value: string) => plausibilityOf(value, "password") !== "none";
const isSurePassword = (value: string) => isPassword(value) && /[0-9]/.test(value) && /[^0-9a-f]/i.test(value);

/** Where a name and a password, or a header and its value, stand together. */
export const loginRules: readonly Rule[] = [
  knownByPlace({
    id: "url-password",
    title: "a password in an address",
    anchors: ["://"],
    pattern: /:\/\/[^\s:/@"'`<>]{0,80}:([^\s/@"'`]{3,200})@[A-Za-z0-9_[$<{-]/y,
    accepts: isUrlPassword,
    matches: [
      `postgres://app:${made(10)}@db.acme.dev:5432/app`,
      `https://ci:${made(20)}@git.acme.dev/x.git`,
      "amqp://app:letmeinplease@mq.acme.dev",
    ],
    passes: [
      "postgres://user:password@localhost:5432/app",
      `redis://:$${"{REDIS_PASSWORD}"}@cache:6379`,
      "https://user:****@git.acme.dev",
      "amqp://guest:guest@localhost",
    ],
  }),
  knownByPlace({
    id: "bearer-token",
    title: "a bearer token",
    anchors: ["bearer "],
    pattern: /bearer {1,4}["'`]?([A-Za-z0-9_.~+/=-]{10,500})/iy,
    accepts: isRandom,
    matches: [`Authorization: Bearer ${made(40)}`, `authorization: "bearer ${made(40, "hex")}"`],
    passes: [
      "Authorization: Bearer <token>",
      "Authorization: Bearer $TOKEN",
      "bearer tokens are checked",
      "Bearer authentication-and-authorization",
    ],
  }),
  knownByPlace({
    id: "basic-authorization",
    title: "a name and password in a Basic header",
    anchors: ["basic "],
    pattern: /basic {1,4}["'`]?([A-Za-z0-9+/_-]{8,400}={0,2})/iy,
    accepts: isBasic,
    matches: [`Authorization: Basic ${Buffer.from(`app:${made(12)}`).toString("base64")}`],
    passes: [
      "Authorization: Basic <base64>",
      "Basic authentication",
      `Authorization: Basic ${Buffer.from("user:password").toString("base64")}`,
    ],
  }),
  knownByPlace({
    id: "registry-authorization",
    title: "a name and password for a registry",
    anchors: ['auth"', "_auth"],
    pattern: /_?auth["']? {0,4}[:=] {0,4}["']?([A-Za-z0-9+/_-]{8,400}={0,2})/iy,
    accepts: isBasic,
    matches: [`"auth": "${Buffer.from(`app:${made(12)}`).toString("base64")}"`],
    passes: ['"auth": "basic"', `_auth=$${"{NPM_AUTH}"}`, '"auth": "required-for-all"'],
  }),
  knownByPlace({
    id: "command-line-password",
    title: "a password on a command line",
    anchors: ["-u ", "--user ", "--user=", "sshpass -p", "-p'", '-p"', "redis-cli ", "identified by "],
    pattern:
      /(?:(?:-u|--user)[ =]{1,2}["']?[\w.@+-]{1,64}:|sshpass -p {0,2}["']?|-p["']|redis-cli [^\n]{0,60}?-a {1,2}["']?|identified by {1,2}["'])([^\s"']{4,128})/iy,
    accepts: isPassword,
    matches: [
      `curl -u app:${made(12)} https://acme.dev`,
      `sshpass -p '${made(9)}' ssh db`,
      `ALTER USER app IDENTIFIED BY '${made(9)}'`,
      `redis-cli -a ${made(20)} ping`,
    ],
    passes: [
      'curl -u "$USER:$PASSWORD" https://acme.dev',
      "sudo -u postgres psql",
      "sshpass -p $PASS ssh db",
      'redis-cli -a "$REDIS_PASSWORD" ping',
      "git push -u origin:main",
    ],
  }),
  knownByPlace({
    id: "pgpass-line",
    title: "a line of a .pgpass file",
    anchors: [":5432:", ":5433:", ":6432:", ":*:"],
    pattern: /:(?:[0-9]{4}|\*):[^\s:]{1,64}:[^\s:]{1,64}:([^\s:"'`]{4,128})/y,
    accepts: isPassword,
    matches: [`db.acme.dev:5432:app:app:${made(12)}`],
    passes: ["localhost:5432:app:app:password", "hostname:5432:database:username:<password>", "*:*:*:postgres:*"],
  }),
  knownByPlace({
    id: "mail-login",
    title: "a mail address beside what looks like its password",
    anchors: ["@gmail.com"],
    pattern:
      /@gmail\.com["'`)>*]{0,3}(?:[ \t]{0,3}[,;:|/][ \t/]{0,3}|[ \t]{1,3}(?:with|and|\/|-|–) {0,2})(?:(?:the |its |my )?(?:password|passwd|pass|pwd|pw|credentials?|login|token)[ \t]{0,2}(?:is |was |[:=] ?)?[ \t]{0,2})?["'`]?([^\s"'`|,]{6,128})/iy,
    accepts: isSurePassword,
    matches: [`someone@gmail.com / ${made(10)}`, `qa.someone@gmail.com, password ${made(10)}`],
    passes: ["Write to someone@gmail.com", "someone@gmail.com, other@gmail.com", "someone@gmail.com and tell them"],
  }),
];

/** Refused unless it is plain that nobody's password stands there: examples use a few words over and over. */
function isUrlPassword(value: string, text: string, start: number): boolean {
  const password = decoded(value);
  // Variables and masks; `host:8080/path@x`, where a port stands.
  if (/^[$<{%*[]|^[a-z]{1,3}$|^[0-9]{1,5}(?:[/?#]|$)/i.test(password)) return false;
  const user = /:\/\/([^\s:/@]{0,80}):$/.exec(text.slice(Math.max(0, start - 90), start))?.[1] ?? "";
  const host = text.slice(start + value.length + 1, start + value.length + 64);
  const isExample = exampleUser.test(user) || exampleHost.test(host);
  return !(isExample && (password === user || isPlaceholder(password))) && !/^x{3,}$/i.test(password);
}

const exampleUser = /^(?:user(?:name)?|name|login|me|you|[<${%[].{0,80})$/i;
const exampleHost =
  /^(?:localhost|127\.|0\.0\.0\.0|\[::1|[a-z0-9_-]{1,30}(?:[:/?#\s"'`)]|$)|(?:[\w-]{1,40}\.){0,4}example\b|[<${%[])/i;

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function isBasic(value: string): boolean {
  const login = Buffer.from(value, "base64").toString("latin1");
  const [, password] = /^[\x20-\x7e]{0,100}?:([\x20-\x7e]{3,200})$/.exec(login) ?? [];
  return password !== undefined && !isPlaceholder(password);
}
