import { knownByForm, type Rule } from "../rule.ts";
import { isVaried } from "../variety.ts";
import { made } from "./made.ts";

/** Keys and signed tokens that no single vendor issues. */
export const keyRules: readonly Rule[] = [
  knownByForm({
    id: "private-key",
    title: "a private key",
    anchors: ["-----begin"],
    // The header alone is a sentence about keys. Between it and the key: line ends, written out or not, and PEM headers.
    pattern:
      /-----BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:[\s"'>|#*]|\\[nr]){0,40}(?:[A-Z][A-Za-z-]{2,20}: [^\n]{0,100}\n{1,2}){0,4}[A-Za-z0-9+/]{24}/y,
    until: "-----END",
    accepts: isVaried,
    matches: [
      `-----${"BEGIN"} RSA PRIVATE KEY-----\n${made(64)}\n-----END RSA PRIVATE KEY-----`,
      `"-----${"BEGIN"} PRIVATE KEY-----\\n${made(64)}\\n"`,
    ],
    passes: [
      "-----BEGIN PUBLIC KEY-----",
      "-----BEGIN CERTIFICATE-----",
      "A file with -----BEGIN PRIVATE KEY----- is refused.",
    ],
  }),
  knownByForm({
    id: "putty-private-key",
    title: "a PuTTY private key",
    anchors: ["private-lines:"],
    pattern: /Private-Lines: [0-9]{1,3}\s{1,4}[A-Za-z0-9+/=]{32,64}/y,
    matches: [`${"Private"}-Lines: 14\n${made(64)}`],
    passes: ["Private-Lines: 14 follow"],
  }),
  knownByForm({
    id: "age-secret-key",
    title: "an age secret key",
    anchors: ["age-secret-key-1"],
    pattern: /AGE-SECRET-KEY-1[A-Z0-9]{58}/y,
    accepts: isVaried,
    matches: [`AGE-${"SECRET"}-KEY-1${made(58, "capitals")}`],
    passes: ["AGE-SECRET-KEY-1… is kept in the keychain"],
  }),
  knownByForm({
    id: "json-web-token",
    title: "a JSON Web Token",
    anchors: ["eyj"],
    pattern: /(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{10,300}\.eyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{20,700}/y,
    accepts: isVaried,
    matches: [`${"ey"}J${made(33)}.${"ey"}J${made(50)}.${made(43)}`],
    passes: ["cursor: eyJpZCI6NDIsImRpciI6ImFzYyJ9", "eyJhbGciOi….eyJzdWIi….signature"],
  }),
];
