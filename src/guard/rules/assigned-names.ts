import { isPlaceholder } from "../placeholder.ts";
import { knownByPlace, type Rule } from "../rule.ts";
import { isRandom } from "../variety.ts";
import { made } from "./made.ts";

/** Keys that everybody may know, or that find something instead of opening it. */
const harmless =
  /(?:public|pub|publishable|anon|primary|foreign|cache|sort|partition|site|idempotency|i18n|translation|message|group|row|index|storage|object|lookup|query|host|known|routing|dedup(?:e|lication)?|checksum|etag|cursor|page|access|hot|short|sort|tree|blob|lock|map|api|registry|instance|measurement|tracking|analytics|client|random|test|faker|np|world|noise)[-_.]?$/i;
/** Also where it stands at the beginning of the name. */
const forEveryone = /(?:^|[^a-z])(?:next_public|nuxt_public|vite|react_app|expo_public|public)_[a-z0-9_]{0,40}$/i;

/** Assignments to names that end as names of secrets do, in any case and programming language. */
export const assignedNameRule: Rule = knownByPlace({
  id: "assigned-name",
  title: "a random value in a name that ends in KEY, PAT, SEED or the like",
  anchors: ["key", "pat", "seed", "salt", "psk", "pepper"],
  pattern:
    /(?:key|pat|seed|salt|psk|pepper)(?<=[A-Za-z0-9](?:[_.-](?:key|pat|seed|salt|psk|pepper)|(?:Key|Pat|PAT|Seed|Salt|Psk|PSK|Pepper)))["'`\])]{0,3}[ \t]{0,8}(?::=|=>|:|=|→|->|to(?= )|is(?= ))[ \t]{0,4}["'`]?([A-Za-z0-9_+/~-]{16,500}={0,2}(?::[0-9a-f]{32,64})?)(?!\.[A-Za-z_]|\()/iy,
  accepts: (value, text, start) => isRandom(value) && !isPlaceholder(value) && !isHarmless(value, text, start),
  matches: [
    `DEPLOY_PAT=${made(52)}`,
    `mapsKey: "${made(32)}"`,
    // Its identifier, and behind it the secret.
    `FAL_KEY="${made(8, "hex")}-${made(4, "hex")}-4${made(3, "hex")}-9${made(3, "hex")}-${made(12, "hex")}:${made(32, "hex")}"`,
    `callback-key = ${made(24)}`,
    `wallet_seed: ${made(32, "hex")}`,
    `I set DEPLOY_PAT to ${made(40, "hex")} there`,
    `cfg.HashSalt := "${made(24)}"`,
    `azure_storage_key: ${made(86)}==`,
  ],
  passes: [
    `NEXT_PUBLIC_MAPS_KEY=${made(32)}`,
    `cacheKey: "${made(32, "hex")}"`,
    `public_key: ${made(64, "hex")}`,
    `"pubkey": "${made(56)}"`,
    "sort_key: created_at_and_identifier",
    "compat: node24-and-later-versions",
    "seed: 42",
    `cacheKey is ${made(40, "hex")}`,
    `SORT_KEY to ${made(26, "capitals")}`,
  ],
});

function isHarmless(value: string, text: string, start: number): boolean {
  if (/^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(value)) return true;
  // In a sentence the names of settings alone, which are in capitals, are given values: “DEPLOY_PAT is x”.
  const said = /\s(?:to|is)\s{1,4}["'`]?$/.exec(text.slice(Math.max(0, start - 10), start))?.[0].length ?? 0;
  const name = nameBefore(text, start - said);
  if (said > 0 && !/^[A-Z0-9_]{4,60}$/.test(name)) return true;
  const stem = name.replace(/(?:key|pat|seed|salt|psk|pepper)$/i, "");
  // A storage key is what a browser keeps something under; 64 bytes in base64 are that of an account at Azure.
  if (/^[A-Za-z0-9+/]{86}==$/.test(value)) return forEveryone.test(stem);
  return harmless.test(stem) || forEveryone.test(stem);
}

/** Walked and not searched for: an expression would try each of its letters as the first. */
function nameBefore(text: string, at: number): string {
  let end = at;
  while (end > 0 && at - end < 24 && !isNameCharacter(text[end - 1])) end -= 1;
  let start = end;
  while (start > 0 && end - start < 60 && isNameCharacter(text[start - 1])) start -= 1;
  return text.slice(start, end);
}

function isNameCharacter(character = ""): boolean {
  return /[\w.-]/.test(character);
}
