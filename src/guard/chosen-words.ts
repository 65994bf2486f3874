import { isWordy } from "./wordiness.ts";

/**
 * Words that people put together for a password, and that read as names otherwise: `coffee-lamp-42`, `Winter_4821`,
 * `Calais-03-vert`, `copper.lantern40`. Only where the value of a password stands.
 */
export function isChosenFromWords(value: string): boolean {
  if (isAppPassword(value)) return true;
  if (!/\p{Ll}/u.test(value) || isTechnical(value)) return false;
  return isJoined(value) || joined.some((form) => form.test(value)) || isChosenPath(value, true);
}

const joined: readonly RegExp[] = [
  // The shorter the number, the more a single word must look like one of a person's.
  /^\p{L}{4,20}[-_.][0-9]{3,4}\p{Ll}?$|^\p{Lu}\p{Ll}{2,20}[-_.](?:[0-9]{2,4}\p{Ll}|[0-9]{5})$|^\p{L}{6,20}[-_.][0-9]{2}$|^\p{Lu}\p{Ll}{5,20}[-_.][0-9]$/u,
  /^\p{L}{3,20}([-_.])[0-9]{1,4}\1\p{L}[\p{L}0-9]{1,20}$/u,
];

/** `simit-ve-cay-34`, `mango-Carbon-51-tilt`, `7719-QK-tide`: words and a number, in any order, behind the same sign. */
function isJoined(value: string): boolean {
  const [, sign = ""] = /^[\p{L}0-9]{1,20}([-_.])/u.exec(value) ?? [];
  const parts = sign === "" ? [] : value.split(sign);
  const words = parts.filter((part) => /^\p{L}{1,20}$/u.test(part));
  const numbers = parts.filter((part) => /^[0-9]{1,4}$/.test(part));
  const [number = ""] = numbers;
  if (parts.length > 6 || words.length < 2 || numbers.length !== 1 || words.length + 1 !== parts.length) return false;
  // `us-east-1`, `web.db.2` are names; so is what underscores join in small letters.
  const long = words.filter((word) => word.length > 2).length;
  if (long < (parts[0] === number || /\p{Lu}/u.test(value) ? 1 : 2) || words.join("").length < 6) return false;
  if (sign === "_") return words.slice(1).some((word) => /^\p{Lu}/u.test(word));
  return sign === "-" || number.length >= 2;
}

/** `Otter.Harbor53`: as a path of names it would be `config.redis2`, so that it takes two digits, and more where no quotes say that it is text. */
export function isChosenPath(value: string, isLiteral: boolean): boolean {
  if (!/^\p{Lu}?\p{Ll}{3,20}(?:\.\p{Lu}?\p{Ll}{3,20}){1,4}[0-9]{2,4}$/u.test(value) || isTechnical(value)) return false;
  return isLiteral || /^\p{Lu}/u.test(value) || value.split(".").length > 2;
}

/** Four groups of four drawn letters, as Apple and Google make passwords for programs. */
function isAppPassword(value: string): boolean {
  return /^[a-z]{4}(?:-[a-z]{4}){3}$/.test(value) && !isWordy(value.replaceAll("-", ""));
}

/** Words that numbers stand beside in names: `SCRAM-SHA-256`, `user_1234`, `config.database.password12`. */
const technical = new Set(
  `sha md aes rsa ecdsa hmac utf iso rfc cve scram argon bcrypt nist oauth pbkdf ldap issue ticket part step phase stage level version
  release build revision rev page chapter section line row rows column field table cell item option group team user users account
  accounts client customer tenant role policy test tests sample demo dummy example fixture mock foo bar template default
  server host node worker port proxy cluster database config settings setting process env self this app apps module service
  services secret secrets password passwords passwort passwd token tokens key keys auth login pass label message messages
  error errors hint form view test reset index shard queue bucket ubuntu debian windows python postgres mysql redis
  job jobs task run image input output block rule check type code codes`.split(/\s+/),
);

/** In names of small letters one of them is enough; `User-2024-Tokyo` is a password. */
export function isTechnical(value: string): boolean {
  const words = value.match(/\p{L}{1,40}/gu) ?? [];
  const isOne = (word: string) => technical.has(word.toLowerCase());
  return words.length > 1 && words.every((word) => /^\p{Lu}\p{Ll}/u.test(word))
    ? words.every(isOne)
    : words.some(isOne);
}
