import { knownByForm, type Rule } from "../rule.ts";
import { isRandom, isVaried } from "../variety.ts";
import { made } from "./made.ts";

/** Keys and signed tokens that no single vendor issues. */
export const keyRules: readonly Rule[] = [
  knownByForm({
    id: "private-key",
    title: "a private key",
    anchors: ["-----begin"],
    // The header alone is a sentence about keys. Between it and the key: line ends, written out or not, what joins
    // strings, and PEM headers; or whatever it is, where the key then stands on lines of its own.
    pattern:
      /-----BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:(?:[\s"'`>|#*+,;()\\]|\\[nr]){0,60}(?:[A-Z][A-Za-z-]{2,20}: [^\n]{0,100}\n{1,2}[ \t>]{0,8}){0,4}[A-Za-z0-9+/]{24}|(?:[^\n]{0,200}\n){1,4}?[ \t>]{0,8}(?=[^\n]{0,40}[A-Z])(?=[^\n]{0,40}[0-9])[A-Za-z0-9+/]{48})/y,
    until: "-----END",
    // Of the key itself: what a header says is no part of it.
    accepts: (value) => isVaried(value.slice(-24)),
    matches: [
      `-----${"BEGIN"} RSA PRIVATE KEY-----\n${made(64)}\n-----END RSA PRIVATE KEY-----`,
      `"-----${"BEGIN"} PRIVATE KEY-----\\n${made(64)}\\n"`,
      `-----${"BEGIN"} RSA PRIVATE KEY-----\nComment: xxxxxx\n\n${made(64)}`,
      `-----${"BEGIN"} PRIVATE KEY-----\nThis is ... a placeholder\n${made(64)}`,
      `"-----${"BEGIN"} PRIVATE KEY-----" \\\n  "${made(64)}"`,
    ],
    passes: [
      "-----BEGIN PUBLIC KEY-----",
      "-----BEGIN CERTIFICATE-----",
      "A file with -----BEGIN PRIVATE KEY----- is refused.",
      "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg...\n-----END PRIVATE KEY-----",
      `-----BEGIN PRIVATE KEY-----\n${"x".repeat(64)}\n-----END PRIVATE KEY-----`,
    ],
  }),
  knownByForm({
    id: "private-key-body",
    title: "the lines of a private key",
    // How PKCS#8 and PKCS#1 begin for RSA, and OpenSSH for all: version 0, the algorithm, the length.
    anchors: ["aqefaasc", "ibaakcaq", "ibaakcag", "b3blbnnzac1rzxktdje"],
    pattern: /(?:AQEFAASC|IBAAKCA[QgI]|b3BlbnNzaC1rZXktdjE)[A-Za-z0-9+/]{60,100}/y,
    accepts: isRandom,
    matches: [`${"MIIEvQIBADANBgkqhkiG9w0B"}${"AQEF"}AASC${made(80)}`, `${"MIIEpA"}${"IBAA"}KCAQEA${made(80)}`],
    passes: ["AQEFAASC is how it begins", "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A"],
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
    // The dot between header and payload is in none of the parts: each part is read once, however often it says “eyJ”.
    anchors: [".eyj"],
    pattern: /\.(?<=(?<before>eyJ[A-Za-z0-9_-]{10,300})\.)eyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{20,700}/y,
    accepts: isVaried,
    matches: [`${"ey"}J${made(33)}.${"ey"}J${made(50)}.${made(43)}`],
    passes: ["cursor: eyJpZCI6NDIsImRpciI6ImFzYyJ9", "eyJhbGciOi….eyJzdWIi….signature"],
  }),
];
