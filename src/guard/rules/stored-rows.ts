import { columnBelow } from "../column-below.ts";
import { isSignedPassword, plausibilityOf } from "../plausible-value.ts";
import type { Rule } from "../rule.ts";
import { isRandom } from "../variety.ts";
import { made } from "./made.ts";

/** Columns whose own names say nothing: what is in them the name of the table says. */
const column =
  /insert into ["'`[]?(?:\w{1,30}["'`\]]?\.["'`[]?)?\w{0,30}?(?:api_?keys?|access_?keys?|secrets?|tokens?|credentials?|passwords?)["'`\]]? ?\([^()\n]{0,160}?(?<![\w])["'`[]?(?:key|value|data|secret|token)(?!\w)/iy;

export const storedRowRule: Rule = {
  id: "stored-row",
  title: "a value in a row of a table of keys or secrets",
  anchors: ["insert into "],
  knownByForm: false,
  find: (text, anchor, effort) => {
    column.lastIndex = anchor.start;
    const named = column.exec(text)?.[0];
    effort.spent += named === undefined ? 4 : 12;
    if (named === undefined) return undefined;
    return columnBelow(text, anchor.start + named.length, effort, ({ text: value, literal }) => {
      const look = plausibilityOf(value, { kind: "password", literal });
      return isSignedPassword(value) || (look === "strong" && isRandom(value));
    });
  },
  matches: [
    `INSERT INTO api_keys (owner, key) VALUES ('ci', '${made(40)}');`,
    `INSERT INTO "app_secrets" ("name", "value") VALUES ('smtp', '${"Maple"}!482');`,
  ],
  passes: [
    `INSERT INTO api_keys (owner, key_hash) VALUES ('ci', '${made(64, "hex")}');`,
    "INSERT INTO api_keys (owner, key) VALUES ($1, $2);",
    `INSERT INTO cache (key, value) VALUES ('front', '${made(40, "hex")}');`,
  ],
};
