import { plausibilityOf } from "../plausible-value.ts";
import { knownByForm, knownByPlace, type Rule } from "../rule.ts";
import { isRandom, isVaried } from "../variety.ts";
import { made } from "./made.ts";

const isPassword = (value: string) => plausibilityOf(value, { kind: "password", literal: true }) !== "none";

const isSeed = (seed: string) =>
  /[2-7]/.test(seed) && (seed === seed.toUpperCase() || seed === seed.toLowerCase()) && isRandom(seed);

/** What lets its bearer in for a while, or again: sessions, second factors, recovery, hashes of passwords, wallets. */
export const sessionRules: readonly Rule[] = [
  knownByPlace({
    id: "session-cookie",
    title: "a cookie that carries a session",
    anchors: [
      "sessionid=",
      "session_id=",
      "sessid=",
      "sessid:",
      "jsessionid=",
      "connect.sid=",
      "laravel_session=",
      "session-token=",
      "session_token=",
      "li_at=",
      "_session=",
      "_sess=",
      "session=",
      "asp.net_sessionid=",
      ".aspxauth=",
      "identity.application=",
      "auth_token=",
      "remember_token=",
      "c_user=",
      "__stripe_mid=",
      "sid=",
      "sso=",
      "authjs.session-token=",
    ],
    pattern:
      /(?:session[-_]?id|sessid|connect\.sid|laravel_session|session[-_]token|li_at|_?session|_sess|aspxauth|identity\.application|auth_token|remember_token|sid|sso)[=:] {0,2}["']?([A-Za-z0-9%._~+/|-]{16,4000}={0,2})/iy,
    // “sid” is also what Twilio calls its public identifiers.
    accepts: (value) => isRandom(value) && !/^[A-Z]{2}[0-9a-f]{32}$/.test(value),
    matches: [
      `Cookie: sessionid=${made(32, "hex")}; theme=dark`,
      `curl -b 'PHPSESSID=${made(26)}' https://intranet.acme.dev`,
      `Set-Cookie: connect.sid=s%3A${made(32)}.${made(43)}; Path=/`,
    ],
    passes: ["Cookie: sessionid=<id>", "session=none", "sid=42", "session_id=current_session_identifier"],
  }),
  knownByPlace({
    id: "session-header",
    title: "a header that carries a key",
    anchors: [
      "subscription-key",
      "x-honeycomb-team",
      "x-auth-key",
      "x-auth-email",
      "dd-api-key",
      "x-postmark",
      "x-shopify",
      "x-rapidapi-key",
      "xi-api-key",
      "x-figma-token",
      "x-goog-api-key",
      "x-amz-security-token",
      "x-ms-client",
      "cf-access-client-secret",
    ],
    pattern:
      /(?:subscription-key|x-honeycomb-team|x-auth-key|dd-api-key|x-postmark-[a-z]{4,10}-token|x-shopify-[a-z-]{4,24}|x-rapidapi-key|xi-api-key|x-figma-token|x-goog-api-key|x-amz-security-token|cf-access-client-secret)["'`]{0,2}[ \t]{0,2}[:=,][ \t]{0,3}["'`]?([A-Za-z0-9_.~+/=-]{20,1000})/iy,
    accepts: isRandom,
    matches: [`Ocp-Apim-Subscription-Key: ${made(32, "hex")}`, `-H "x-honeycomb-team: ${made(22)}"`],
    passes: ["Ocp-Apim-Subscription-Key: <key>", "x-auth-key: $CF_KEY"],
  }),
  knownByPlace({
    id: "key-in-query",
    title: "a key in the query of an address",
    anchors: ["appid=", "key=", "code=", "access_key=", "sig=", "signature=", "access_token=", "auth=", "pwd="],
    pattern:
      /(?:appid|(?:[a-z]{1,12}[-_]?)?key|code|sig|signature|access_token|auth)=(?<=[?&;][A-Za-z_-]{3,24}=|(?:with|use|using|your|my|the) key=)([A-Za-z0-9_.~%-]{24,500}={0,2})/iy,
    accepts: (value, text, start) =>
      isRandom(value) &&
      !/[?&;](?:public|site|publishable|cache|idempotency)[a-z_-]{0,8}=$/i.test(
        text.slice(Math.max(0, start - 30), start),
      ),
    matches: [
      `https://api.acme.dev/v2/now?city=Bern&appid=${made(32, "hex")}`,
      `https://acme.azurewebsites.net/api/sync?code=${made(54)}==`,
    ],
    passes: ["https://acme.dev/?key=value", "?code=authorization_code_from_the_provider", "?appid=<id>"],
  }),
  knownByPlace({
    id: "one-time-password-seed",
    title: "the seed of one-time passwords",
    anchors: ["otpauth://", "oathtool ", "totp", "2fa", "mfa", "otp ", "authenticator"],
    pattern:
      /(?:otpauth:\/\/[^\s"'`]{0,160}?secret=([A-Za-z2-7]{16,128})|oathtool [^\n|;&]{0,40}? ([A-Z2-7]{16,64})|(?:totp|2fa|mfa|otp|authenticator)[^\n:=]{0,50}(?:[:=]|key|seed|secret)[ \t]{0,3}["'`]?((?:[A-Za-z2-7]{4}[ -]?){4,16}))/iy,
    accepts: (value) => {
      const whole = (
        /secret=([A-Za-z2-7]{16,128})/i.exec(value)?.[1] ??
        /^oathtool .{0,60}? ([A-Z2-7]{16,64})/.exec(value)?.[1] ??
        /(?:[:=]|key|seed|secret)\s{0,3}["'`]?([A-Za-z2-7 -]{16,100})$/i.exec(value)?.[1] ??
        value
      ).replace(/[ -]/g, "");
      // Words of the sentence may follow, and one seed in fifty has no digit among its first 16 letters.
      return [16, 26, 32].some((length) => isSeed(whole.slice(0, length)));
    },
    matches: [
      `otpauth://totp/Acme:ada?secret=${made(32, "capitals").replaceAll(/[0189]/g, "Q")}&issuer=Acme`,
      `oathtool --totp -b ${made(32, "capitals").replaceAll(/[0189]/g, "Q")}`,
      `TOTP seed of the registrar: ${made(32, "capitals").replaceAll(/[0189]/g, "Q")}`,
    ],
    passes: [
      "otpauth://totp/Acme?secret=<seed>",
      "2FA: required for all admins since last week",
      "TOTP secret: in the vault of the team",
    ],
  }),
  knownByForm({
    id: "password-hash",
    title: "the hash of a password",
    anchors: ["$apr1$", "$1$", "$5$", "$6$", "$y$", "$2a$", "$2b$", "$2y$", "$argon2", "scram-sha-256$"],
    pattern:
      /SCRAM-SHA-256\$[0-9]{4,6}:[A-Za-z0-9+/]{16,44}={0,2}\$[A-Za-z0-9+/]{43}=|\$(?:apr1|1|5|6|y)\$(?:rounds=[0-9]{3,9}\$)?(?:[A-Za-z0-9./]{1,4}\$)?[A-Za-z0-9./]{4,24}\$[A-Za-z0-9./]{20,90}|\$2[aby]\$[0-9]{2}\$[A-Za-z0-9./]{53}|\$argon2(?:id|i|d)\$v=[0-9]{2}\$[a-z0-9=,]{5,40}\$[A-Za-z0-9+/]{10,60}\$[A-Za-z0-9+/]{20,90}/y,
    accepts: isVaried,
    matches: [
      `admin:$apr1$${made(8)}$${made(22)}`,
      `root:$6$${made(16)}$${made(86)}:19500:0:99999:7:::`,
      `ada:$2b$12$${made(53)}`,
    ],
    passes: ["$2b$ is bcrypt", "$6$salt$hash"],
  }),
  knownByForm({
    id: "json-web-key",
    title: "a private JSON Web Key",
    anchors: ['"d":', '"d" :', '"k":', '"k" :'],
    pattern: /"[dk]" ?: ?"([A-Za-z0-9_-]{22,700})"/y,
    // “k” is the whole of a symmetric key, and in other objects anything.
    accepts: (value, text, start) => {
      if (!isRandom(value)) return false;
      const around = text.slice(Math.max(0, start - 160), start + value.length + 160);
      return text.slice(start - 6, start).includes('"d"') ? value.length >= 40 : /"kty" ?: ?"oct"/.test(around);
    },
    matches: [
      `{"kty":"EC","crv":"P-256",${'"d"'}:"${made(43)}"}`,
      `{"kty":"oct",${'"k"'}:"${made(43)}","alg":"HS256"}`,
    ],
    passes: ['{"d":"2026-11-18"}', '{"d":"M 0 0 L 10 10"}', `{"k":"${made(43)}"}`],
  }),
  knownByPlace({
    id: "encoded-private-key",
    title: "a private key in base64",
    anchors: ["client-key-data", "ls0tls1crudjti", "teamcity_token", "eyj0exaioiaivenwmij9."],
    pattern:
      /(?:client-key-data["']?: {0,4}["']?[A-Za-z0-9+/]{60,4000}={0,2}|LS0tLS1CRUdJTi[A-Za-z0-9+/]{4,24}UFJJVkFURSBLRVk[A-Za-z0-9+/=]{20,4000}|eyJ0eXAiOiAiVENWMiJ9\.[A-Za-z0-9_-]{20,60}\.[A-Za-z0-9_-]{20,140})/y,
    accepts: isRandom,
    matches: [`client-key-data: ${made(200)}`, `${"eyJ0eXAiOiAi"}VENWMiJ9.${made(36)}.${made(80)}`],
    passes: ["client-key-data: <base64>", "client-certificate-data comes first"],
  }),
  knownByPlace({
    id: "wallet-key",
    title: "the private key of a wallet",
    anchors: [
      "private key",
      "private_key",
      "privatekey",
      "secret_key",
      "secretkey",
      "deployer",
      "wallet",
      "wif",
      "keypair",
      "accounts:",
      "accounts =",
      "stellar",
      "soroban",
      "sweep ",
      "cold storage",
      "bitcoin",
    ],
    pattern:
      /(?:private[_ ]?key|secret_?key|deployer|wallet|wif|keypair|accounts|stellar|soroban|sweep|cold storage|bitcoin)["'`*]{0,3}[^\n0-9[]{0,24}?[ \t:=("'`[]{1,6}(0x[0-9a-f]{64}|[1-9A-HJ-NP-Za-km-z]{86,88}(?![A-Za-z0-9])|[5KLc][1-9A-HJ-NP-Za-km-z]{50,51}|S[A-D][A-Z2-7]{54}|\[(?:[ ]?[0-9]{1,3},){4}[0-9, ]{20,400}\])/iy,
    accepts: (value) => isVaried(value) && !/^[0-9a-f]{50,52}$/.test(value),
    matches: [
      `deployer private key 0x${made(64, "hex")}`,
      `accounts: ["0x${made(64, "hex")}"]`,
      `stellar keys add issuer, seed SA${made(54, "capitals").replaceAll(/[0189]/g, "Q")}`,
      `SOLANA_PRIVATE_KEY=[${Array.from({ length: 32 }, (_, at) => (at * 37) % 256).join(",")}]`,
    ],
    passes: ["private key 0x…", "wallet: 0x with forty digits is an address"],
  }),
  knownByPlace({
    id: "wireless-key",
    title: "the key of a wireless network",
    anchors: ["wpa", "wi-fi", "wifi", "wlan", "/user:"],
    pattern:
      /(?:(?:wpa[23]?|wi-?fi|wlan)[^\n]{0,40}?(?:key|psk|code|pass[a-z]{0,6}|pw|schl.{1,2}ssel|cl.{1,2}|senha|clave)["'`*]{0,3}[ \t]{0,3}[:=]?[ \t]{1,3}["'`]?|\/user:[\w.\\@-]{1,40} )([^\s"'`]{8,63})/iy,
    accepts: isPassword,
    matches: [`WiFi: AcmeGuest / WPA2 key ${made(12)}`, `net use Z: \\\\nas\\backup /user:ada ${made(12)}`],
    passes: ["wifi key rotates monthly", "net use Z: /user:ada *"],
  }),
];
