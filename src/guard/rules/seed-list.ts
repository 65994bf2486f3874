import type { Rule } from "../rule.ts";

/** The literals that policy `strict` blocks wherever they stand, in any case, with or without a value beside them. */
export const seedList = [
  "password",
  "token",
  "key",
  "secret",
  "credential",
  "ghp_",
  "sk-",
  "ak_",
  "-----BEGIN",
  "api_key",
  "@gmail.com",
  "amazonaws.com/key",
  "bearer ",
] as const;

export const seedListRule: Rule = {
  id: "strict-list",
  title: "a word that the policy “strict” blocks",
  anchors: seedList.map((literal) => literal.toLowerCase()),
  knownByForm: false,
  find: (_text, anchor) => anchor,
  matches: seedList.map((literal) => `see ${literal} there`),
  passes: ["nothing of the kind"],
};
