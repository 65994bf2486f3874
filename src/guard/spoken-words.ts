import { plausibilityOf, type ValueKind } from "./plausible-value.ts";
import type { Effort, Rule, Span } from "./rule.ts";
import { made } from "./rules/made.ts";
import { isRandom, isVaried, withoutFiller } from "./variety.ts";

/**
 * What people call a secret, in ten languages, as stems: an ending may follow. `pin` is of digits; `login` is a name
 * and a password behind it.
 */
const words: Readonly<Record<ValueKind | "pin" | "login", string>> = {
  password: `password|passwd|passphrase|passcode|pwd|密码|密碼|口令|contraseña|contrasena|senha|palavra-passe|palavra passe|
    frase secreta|парол|кодовая фраза|секретная фраза|パスワード|合言葉|パスフレーズ|パスコード|passwort|kennwort|zugangscode|
    mot de passe|mdp|phrase secrète|phrase de passe|code secret|비밀번호|패스워드|암호|비번|şifre|sifre|parola`,
  generated: `api key|api-key|access key|secret key|private key|access token|auth token|shared secret|signing key|api secret|
    密钥|密鑰|金鑰|令牌|權杖|私钥|私鑰|clave|llave|chave|ключ|токен|секрет|キー|トークン|シークレット|秘密鍵|schlüssel|zugriffstoken|
    geheimnis|clé|clef|jeton|키|토큰|시크릿|anahtar|belirte|token|secret`,
  pin: "pin|пин-код|пинкод|暗証番号|pin码|핀번호",
  login: `credential|zugangsdaten|anmeldedaten|credenciales|credenciais|учётные данные|учетные данные|認証情報|账号密码|凭据|
    identifiants|인증 정보|인증정보|자격 증명|kimlik bilgileri|giriş bilgileri`,
};

type Kind = keyof typeof words;

const kinds = new Map<string, Kind>(
  (Object.keys(words) as Kind[]).flatMap((kind) =>
    words[kind].split("|").flatMap((written) => {
      const word = written.trim();
      return [...new Set([word.normalize("NFC"), word.normalize("NFD")])].map((form) => [form, kind] as const);
    }),
  ),
);

/** In English much more is said about passwords and keys that holds none. */
const english = new Set(
  `password|passwd|passphrase|passcode|pwd|api key|api-key|access key|secret key|private key|access token|auth token|
  shared secret|signing key|api secret|token|secret|pin|credential`
    .split("|")
    .map((word) => word.trim()),
);

/** How far behind the word, and in how many pieces, the value may stand. */
const reach = 110;
const mostPieces = 14;

// Between word and value, where the value comes right behind it: signs, or the verb of the sentence.
const link =
  /(?:[:：=→⇒]|->|=>|[-–—](?=\s*$)|(?:^|[\s"'`»）)])(?:is|was|are|as|to|es|era|é|e'|ist|lautet|jetzt|est|sont|это|является)(?: now| still| just| ahora| agora| maintenant)?|是|为|為|成了|设为|は|を|는|은|을|를|olarak)[\s"'`«“「『]{0,4}$/iu;
// What speaks of a key that everybody may know, or of one in a table.
const open =
  /(?:public|publishable|primary|foreign|partition|sort|cache|idempotency|öffentlich\p{L}{0,3}|públic[ao]|publique|primári[ao]|primari[ao]|primaire|primär|публичн\p{L}{1,3}|открыт\p{L}{1,3}|первичн\p{L}{1,3}|公開|공개|açık|birincil)[\s_-]{0,2}$/iu;
// Names that speak about a secret instead of holding one.
const aboutIt =
  /^[\s_-]?(?:id|ids|name|names|hash|hashes|file|path|policy|type|length|count|prefix|reset|manager|store|rotation|endpoint|url)(?![\p{L}])/iu;

const pieces = /[\x21-\x7e]{1,160}/g;

export const spokenWordRule: Rule = {
  id: "spoken-word",
  title: "a value in a sentence about a password, key, token or other secret",
  anchors: [...kinds.keys()],
  knownByForm: false,
  find: findValue,
  matches: [
    `The password for the staging database is ${made(12)}`,
    `Grafana password (admin): ${made(12)}`,
    `数据库密码是 ${made(12)}`,
    `La contraseña del servidor es ${made(12)}`,
    `Пароль от базы: ${made(12)}`,
    `パスワードは「${made(12)}」です`,
    `Das Kennwort vom NAS ist jetzt ${made(12)}`,
    `clé d'API : ${made(32)}`,
    `비밀번호는 ${made(12)} 입니다`,
    `API anahtarı: ${made(32)}`,
    `chave de API: ${made(32)}`,
    "暗証番号は499751です",
    `admin credentials: admin / ${made(12)}`,
  ],
  passes: [
    "La contraseña debe tener al menos doce caracteres.",
    "Пароль должен содержать не менее 12 символов.",
    "비밀번호는 12자 이상이어야 합니다.",
    "Passwörter werden mit Argon2 gehasht.",
    "public key: ssh-ed25519",
    "The API key is read from STRIPE_KEY_V2 at start.",
    "Der Schlüssel liegt in 1Password, Eintrag staging-db-2.",
    "The access token expires at 2026-11-18T09:00:00Z.",
  ],
};

function findValue(text: string, anchor: Span, effort: Effort): Span | undefined {
  effort.spent += 2;
  const word = text.slice(anchor.start, anchor.end).toLowerCase();
  const kind = kinds.get(word);
  if (kind === undefined || isPartOfWord(text, anchor, word)) return undefined;
  const near = lineFrom(text, anchor.end);
  if (near.length < 6 || aboutIt.test(near) || open.test(text.slice(Math.max(0, anchor.start - 16), anchor.start)))
    return undefined;
  const found = valueIn(near, { kind, isForeign: !english.has(word), effort });
  return found && { start: anchor.end + found.start, end: anchor.end + found.end };
}

interface Asked {
  readonly kind: Kind;
  readonly isForeign: boolean;
  readonly effort: Effort;
}

/** In the rest of a line behind the word. */
function valueIn(near: string, { kind, isForeign, effort }: Asked): Span | undefined {
  effort.spent += 8;
  const starts: number[] = [];
  pieces.lastIndex = 0;
  for (let piece = pieces.exec(near); piece && starts.length < mostPieces; piece = pieces.exec(near)) {
    starts.push(piece.index);
    const found = mayBeSecret(piece[0], kind) ? bareOf(piece[0]) : undefined;
    if (found) {
      effort.spent += 20;
      const judged = isVaried(found.text) ? found.text : withoutFiller(found.text);
      const isLinked = found.isLinked || starts.some((at) => link.test(near.slice(Math.max(0, at - 24), at)));
      const start = piece.index + found.at;
      if (isSecret(judged, kind, { isLinked, isNext: starts.length < 3, isForeign })) {
        return { start, end: start + found.text.length };
      }
    }
    // A sentence that ended says nothing about the next one.
    if (/[.!?;]$/.test(piece[0])) return undefined;
  }
  return undefined;
}

/** Cheap, and no for most words of a sentence. */
function mayBeSecret(piece: string, kind: Kind): boolean {
  return piece.length >= (kind === "pin" ? 4 : 8) && /[0-9]/.test(piece);
}

/** `pin` in “pinned”, `clave` in “enclave”: a Latin word begins where no letter stands before it. */
function isPartOfWord(text: string, anchor: Span, word: string): boolean {
  if (!/^[\p{Script=Latin}\p{Script=Cyrillic}\p{M}' -]{1,40}$/u.test(word)) return false;
  const before = text[anchor.start - 1] ?? "";
  if (/[\p{L}\p{M}\d]/u.test(before) && !/(?:passwort|kennwort|schlüssel|token)$/u.test(word)) return true;
  const after = text[anchor.end] ?? "";
  return (
    (word === "pin" ||
      word === "mdp" ||
      word === "pwd" ||
      word === "token" ||
      word === "secret" ||
      /^[a-z' -]{1,40}key$/.test(word)) &&
    /[\p{L}\d_]/u.test(after)
  );
}

function lineFrom(text: string, at: number): string {
  const near = text.slice(at, at + reach);
  const end = near.search(/[\n。]/);
  return end < 0 ? near : near.slice(0, end);
}

interface Bare {
  readonly text: string;
  readonly at: number;
  /** `password=x` and `password:x`, where no blank stands between. */
  readonly isLinked: boolean;
}

/** Without the quotes, brackets and signs of the sentence around it. */
function bareOf(piece: string): Bare {
  const [lead = ""] = /^(?:[\w.@-]{0,12}\)?(?::|=|->))?["'`(<[*]{0,3}/.exec(piece) ?? [];
  const rest = piece.slice(lead.length);
  const cut = rest.replace(/["'`)\]>*,;]{0,4}[.,;:]{0,1}$/, "");
  return { text: cut, at: lead.length, isLinked: /[:=>]["'`(<[*]{0,3}$/.test(lead) };
}

interface Standing {
  readonly isLinked: boolean;
  readonly isNext: boolean;
  readonly isForeign: boolean;
}

function isSecret(value: string, kind: Kind, standing: Standing): boolean {
  const { isLinked, isNext, isForeign } = standing;
  if (kind === "pin") return isLinked && /^[0-9]{4,8}$/.test(value) && !/^(?:19|20)[0-9]{2}$/.test(value);
  if (value.length < 8 || !/[0-9]/.test(value) || !/[A-Za-z]/.test(value)) return false;
  const found = plausibilityOf(value, { kind: kind === "generated" ? "generated" : "password" });
  if (found === "none" || isIdentifier(value)) return isLinked && isForeign && /^[0-9a-f]{48,128}$/.test(value);
  if (kind === "generated") return isGenerated(value, standing);
  return isLinked || ((isNext || isForeign) && (isMixed(value) || (isForeign && /[!#%&*?+=~^]/.test(value))));
}

function isGenerated(value: string, { isLinked, isNext, isForeign }: Standing): boolean {
  const least = isLinked && isForeign ? 10 : 16;
  return (isLinked || isNext) && value.length >= least && isRandom(value);
}

/** A hash, a UUID, a version, a time: what sentences name besides secrets. */
function isIdentifier(value: string): boolean {
  return (
    /^(?:0x)?[0-9a-f]{7,128}$/i.test(value) ||
    /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(value) ||
    /^(?:https?:|[\w.-]{1,60}\/|\/|~|\.)/.test(value) ||
    /^(?:process|os|config|settings|env|self|this|import|secrets|vars|vault|app|req|ctx)\.[\w.$]{1,80}$/.test(value) ||
    /^[A-Z]{2,10}-[0-9]{1,6}$/.test(value) ||
    /^[A-Z][A-Z0-9]{0,30}(?:_[A-Z0-9]{1,30}){1,8}$/.test(value)
  );
}

function isMixed(value: string): boolean {
  return /[a-z]/.test(value) && /[A-Z]/.test(value) && value.length >= 10;
}
