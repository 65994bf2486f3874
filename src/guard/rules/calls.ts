import { type ArgumentLiteral, callArguments } from "../call-arguments.ts";
import { isPlaceholder } from "../placeholder.ts";
import { isSignedPassword, plausibilityOf } from "../plausible-value.ts";
import type { Effort, Rule, Span } from "../rule.ts";
import { isRandom } from "../variety.ts";
import { isNamed, isWordy } from "../wordiness.ts";
import { made } from "./made.ts";

/**
 * Calls that are given a secret, in any language: `K` is a key, `X` a password, `_` an argument before it. Of `=K` the
 * call only makes bytes, so that the name which they are given must be one of a secret.
 */
const table = `
jwt.encode(_, K     | jwt.decode(_, K      | jwt.sign(_, K        | jwt.verify(_, K       | jsonwebtoken.sign(_, K
jwt::encode(_, _, K | jws.sign(_, K        | jose.encode(_, K     | jwt.signedstring(K    | .signedstring(K
fernet(K            | fernet.new(K         | hmac.new(K           | hmac.new(_, K         | hmac.digest(K
createhmac(_, K     | hash_hmac(_, _, K    | hmac.hexdigest(_, K  | hmac.digest(_, K      | crypto.mac(_, _, K
hmacsha1(K          | hmacsha256(K         | hmacsha384(K         | hmacsha512(K          | new_from_slice(K
hmac256(K           | hmac384(K            | hmac512(K            | hmacshakeyfor(K       | signwith(_, K
symmetricsecuritykey(K | secretkeyspec(K   | setsigningkey(K      | verifywith(K          | aeskeyspec(K
aes.newcipher(K     | aes.new(K            | chacha20poly1305.new(K | secretbox(K         | aesgcm(K
createcipheriv(_, K | createdecipheriv(_, K | openssl_encrypt(_, _, K | openssl_decrypt(_, _, K | cryptojs.aes.encrypt(_, K
cryptojs.aes.decrypt(_, K | cryptojs.hmacsha256(_, K | from_secret(K | messageverifier.new(K | messageencryptor.new(K
cookieparser(K      | cookiestore(K        | newcookiestore(K     | securecookie.new(K    | cookiesession(K
urlsafetimedserializer(K | urlsafeserializer(K | timestampsigner(K | timedserializer(K    | @fastify/cookie(K
wifi.begin(_, X     | wifi.softap(_, X     | wlan.connect(_, X    | sta_if.connect(_, X   | wifimulti.addap(_, X
wifi.setup(_, X     | client.setauth(_, X  | addap(_, X           | mqttclient.connect(_, _, X | username_pw_set(_, X
login(_, X          | log_in(_, X          | authenticate(_, X    | signin(_, X           | sign_in(_, X
auth_login(_, X     | do_login(_, X        | loginas(_, X         | signinwithemailandpassword(_, _, X | signinwithemailandpassword(_, X
createuserwithemailandpassword(_, _, X | create_user(_, _, X | create_superuser(_, _, X | create_user(_, X | createuser(_, X
set_password(X      | setpassword(X        | check_password(X     | set_password(_, X     | changepassword(_, X
plainauth(_, _, X   | setbasicauth(_, X    | withbasicauth(_, X   | httpbasicauth(_, X    | httpdigestauth(_, X
basicauth(_, X      | basic_auth(_, X      | basic(_, X           | usernamepasswordcredentials(_, X | usernamepasswordcredential(_, X
usercredentials(_, X | userpasscredentials(_, X | plainauthprovider(_, X | plaintextauthprovider(_, X | passwordauthenticator(_, X
networkcredential(_, X | basicawscredentials(_, K | awsbasiccredentials.create(_, K | aws::credentials.new(_, K | basicauthentication(_, X
staticcredentials(_, K | newstaticcredentials(_, K | newstaticv4(_, K | staticcredentialsprovider(_, K | storagesharedkeycredential(_, K
azurekeycredential(K | azuresascredential(K | keycredential(K     | clientsecretcredential(_, _, K | apikeycredential(K
cohere.client(K     | client(K             | client(_, K          | twilio(_, K           | twilio.init(_, K
openai(K            | anthropic(K          | groq(K               | mistral(K             | replicate(K
pinecone(K          | elevenlabs(K         | deepgram(K           | webclient(K           | octokit(K
stripe(K            | resend(K             | sendgridapiclient(K  | serverclient(K        | telegrambot(K
github(K            | gitlab(_, K          | algoliasearch(_, K   | createclient(_, K     | pusher(_, _, K
geocoder(K          | googlemaps(K         | bot(K                | bot.run(K             | client.run(K
client.login(K      | client.start(K       | setapikey(K          | apikey(K              | api_key(K
authtoken(K         | bearerauth(K         | bearer_auth(K        | tokenauth(K           | tokenauthentication(K
with_token(K        | withtoken(K          | withapikey(K         | with_api_key(K        | oauthtoken(K
@value(K            | httpсоединение(_, _, _, X | ftpсоединение(_, _, _, X | установитьпароль(X | wsопределения(_, _, X
require("stripe")(K | require('stripe')(K   | keystore.load(_, X   | ks.load(_, X          | passwordprotection(X
pbekeyspec(X        | kmf.init(_, X        | keymanagerfactory.init(_, X | passwordcredential(_, X | pscredential(_, X
loginrequest(_, X   | credentials(_, X     | logincredentials(_, X | userpassauth(_, X    | passwordcredentials(_, X
hex2bin(=K          | bytes.fromhex(=K     | fromhex(=K           | unhexlify(=K          | b64decode(=K
base64_decode(=K    | frombase64string(=K  | fromhexstring(=K     | hex.decodestring(=K   | buffer.from(=K
decodestring(=K     | decodehex(=K         | hex::decode(=K       | hex!(=K               | parsehex(=K
base64.decode64(=K  | hex.decode(=K        | hexstringtobytearray(=K | uint8array.from(=K | decodebase64(=K
`;

interface Call {
  readonly callee: string;
  readonly place: number;
  readonly kind: "password" | "key" | "named";
}

const calls: readonly Call[] = table
  .trim()
  .split(/\n| \| /)
  .flatMap((written) => {
    const [, callee = "", before = "", kind] = /^\s*(\S+)\(((?:_, )*)(X|K|=K)\s*$/.exec(written) ?? [];
    if (callee === "") return [];
    const place = before.split("_").length - 1;
    return [{ callee, place, kind: kind === "X" ? "password" : kind === "K" ? "key" : "named" } as const];
  });

const byCallee = Map.groupBy(calls, ({ callee }) => `${callee}(`);

/** A literal that a call is given where its secret belongs. */
export const callRule: Rule = {
  id: "call-argument",
  title: "a password or key that a call is given",
  anchors: [...byCallee.keys()],
  knownByForm: false,
  find: (text, anchor, effort) => {
    effort.spent += 2;
    if (!beginsName(text, anchor.start)) return undefined;
    const literals = callArguments(text, anchor.end, effort);
    effort.spent += 20 + literals.length * 4;
    const called = byCallee.get(text.slice(anchor.start, anchor.end).toLowerCase()) ?? [];
    return called.map(({ place, kind }) => secretIn(literals[place], kind, { text, anchor, effort })).find(Boolean);
  },
  matches: [
    `jwt.encode(payload, "${made(32)}", algorithm="HS256")`,
    `f = Fernet(b"${made(43)}=")`,
    `hmac.New(sha256.New, []byte("${made(32)}"))`,
    `new SymmetricSecurityKey(Encoding.UTF8.GetBytes("${made(40)}"))`,
    `WiFi.begin("HomeNet", "${made(10)}");`,
    `server.login("robot@acme.dev", "${made(12)}")`,
    `server.login("robot@acme.dev", "${"xqzk jvpw"} qkzx wvjq")`,
    `smtp.PlainAuth("", "robot", "${made(12)}", "mail.acme.dev")`,
    `co = cohere.Client("${made(40)}")`,
    `client = Client("AC${made(32, "hex")}", "${made(32, "hex")}")`,
    `@Value("${made(40)}") String signingKey;`,
    `AES_KEY = bytes.fromhex("${made(64, "hex")}")`,
    `$key = hex2bin('${made(64, "hex")}');`,
    `Соединение = Новый HTTPСоединение("srv", 80, "robot", "${made(12)}");`,
    `User.objects.create_user("ada", "ada@acme.dev", "${"Maple"}!482")`,
  ],
  passes: [
    'jwt.encode(payload, settings["jwt-key-2"], algorithm="HS256")',
    'jwt.sign({ sub: "user-4711" }, process.env["JWT_KEY"])',
    'jwt.sign(payload, "test-secret")',
    'jwt.verify(token, config.get("auth.jwt2024.secret"))',
    'createHmac("sha256", "key").update("payload")',
    'await page.login("alice", "password123")',
    'login("ada@acme.dev", password)',
    'login("ada@acme.dev", user.password2)',
    'Fernet(os.environ["FERNET_KEY"])',
    'WiFi.begin("HomeNet", "your-password");',
    '@Value("$' + '{app.jwt.secret2024}") String signingKey;',
    `digest = bytes.fromhex("${made(64, "hex")}")`,
    `expected = hex2bin('${made(64, "hex")}');`,
    'authenticate("local", { failureRedirect: "/login2" })',
    'client("http://localhost:8080/v2")',
    'createUser("ada", "ada2@acme.dev")',
    'Client("us-east-1", "dynamodb-2012-08-10")',
  ],
};

/** `SetBasicAuth`, `NewStaticCredentials`: or the end of a longer name in camel case. */
function beginsName(text: string, at: number): boolean {
  const [before, first] = [text[at - 1] ?? "", text[at] ?? ""];
  return !/[A-Za-z0-9]/.test(before) || /[.@:]/.test(first) || (/[a-z]/.test(before) && /[A-Z]/.test(first));
}

interface Place {
  readonly text: string;
  readonly anchor: Span;
  readonly effort: Effort;
}

function secretIn(literal: ArgumentLiteral | undefined, kind: Call["kind"], { text, anchor, effort }: Place) {
  if (!literal) return undefined;
  effort.spent += 30 + (literal.text.length >> 1);
  if (kind === "named" && !isNamedSecret(text, anchor.start)) return undefined;
  return (kind === "password" ? isPassword(literal.text) : isKey(literal.text)) ? literal : undefined;
}

const namesSecret =
  /(?:key|secret|seed|salt|pepper|psk|master|kek|dek|token)\w{0,12}["'\]]{0,2}[ \t]{0,4}(?::[ \t]{0,2}[\w.[\]<>]{1,24}[ \t]{0,2})?(?::=|=>|[:=]|\()[ \t]{0,4}(?:[A-Za-z_][\w.]{0,40}[.(])?$/i;
const isOpenName =
  /(?:public|pub|cache|primary|verify(?:ing)?|partition|row|sort|page)_?(?:key|token)\w{0,12}\W{0,8}[\w.(]{0,24}$/i;

function isNamedSecret(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 80), at);
  return namesSecret.test(before) && !isOpenName.test(before);
}

function isKey(value: string): boolean {
  if (value.length < 16 || /^[#$]\{|\s/.test(value)) return false;
  if (/^[0-9a-f]{8}-[0-9a-f-]{27}$|^(?:https?|[a-z]{2,12}):\/\//i.test(value)) return false;
  return isRandom(value) && !isNamed(value) && !isPlaceholder(value);
}

/** Tests and documentation log in as well, with words and a number behind them. */
function isPassword(value: string): boolean {
  if (/^(?:[a-z]{4} ){3}[a-z]{4}$/.test(value)) return !isWordy(value.replaceAll(" ", ""));
  if (/\s|@[a-z0-9-]{1,60}\.[a-z]|:\/\//i.test(value) || isForTests.test(value)) return false;
  if (isSignedPassword(value)) return true;
  return (
    /[0-9]/.test(value) &&
    !isNumbered.test(value) &&
    plausibilityOf(value, { kind: "password", literal: true }) !== "none"
  );
}

const isNumbered = /^(?:[a-z][a-z_.-]{1,15}|[A-Z][a-z_.-]{1,15}|[A-Z_]{2,16})[0-9]{1,4}$/;
const isForTests =
  /^(?:pass(?:word|w0rd)?|p@ssw[o0]rd|secret|test(?:ing)?|qwerty|letmein|changeme|user|admin|wrong|correct|new|old|invalid|valid)[-_!@#$0-9a-z]{0,8}$/i;
