import { isWordy } from "./wordiness.ts";

/**
 * Words that people put together for a password, and that read as names otherwise: `coffee-lamp-42`, `Winter_4821`,
 * `Calais-03-vert`, `copper.lantern40`. Only where the value of a password stands.
 */
export function isChosenFromWords(value: string): boolean {
  if (isAppPassword(value)) return true;
  if (!/\p{Ll}/u.test(value) || isTechnical(value)) return false;
  return joined.some((form) => form.test(value)) || isChosenPath(value, true);
}

const joined: readonly RegExp[] = [
  /^\p{L}{3,20}(?:-\p{L}{3,20}){1,4}-[0-9]{1,4}$/u,
  /^\p{L}{3,20}(?:\.\p{L}{3,20}){1,4}\.[0-9]{2,4}$/u,
  // With underscores between small letters it is a name.
  /^(?=[^_]{1,20}(?:_\p{L}{1,20}){0,4}_\p{Lu})\p{L}{3,20}(?:_\p{L}{3,20}){1,4}_[0-9]{1,4}$/u,
  // The shorter the number, the more a single word must look like one of a person's.
  /^\p{L}{4,20}[-_.][0-9]{3,4}$|^\p{L}{6,20}[-_.][0-9]{2}$|^\p{Lu}\p{Ll}{5,20}[-_.][0-9]$/u,
  /^\p{L}{3,20}([-_.])[0-9]{1,4}\1\p{L}[\p{L}0-9]{1,20}$/u,
];

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

export function isTechnical(value: string): boolean {
  return (value.toLowerCase().match(/\p{L}{1,40}/gu) ?? []).some((word) => technical.has(word));
}
