import { knownByForm, knownByPlace, type Rule } from "../rule.ts";
import { isRandom, isVaried } from "../variety.ts";
import { made } from "./made.ts";

/** Builds, databases, networks and clouds: what is known by more than a prefix. */
export const platformRules: readonly Rule[] = [
  knownByForm({
    id: "aws-bedrock-key",
    title: "an Amazon Bedrock key",
    anchors: ["absk", "bedrock-api-key-"],
    pattern: /(?:(?<![A-Za-z0-9+/]{8})ABSK[A-Za-z0-9+/]{100,280}={0,2}|bedrock-api-key-[A-Za-z0-9+/=]{40,2000})/y,
    accepts: isRandom,
    matches: [`${"AB"}SK${made(110)}`, `${"bedrock"}-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t${made(120)}`],
    passes: ["ABSK is the prefix", "bedrock-api-key-… is short-lived"],
  }),
  knownByForm({
    id: "google-key-of-now",
    title: "a Google key (AQ.…) or HMAC key",
    anchors: ["aq.ab", "goog1"],
    pattern: /(?:AQ\.Ab[A-Za-z0-9_-]{40,80}|GOOG1[A-Z][A-Z0-9]{55,58}|GOOG1[A-Z0-9]{19,23}(?![A-Z0-9]))/y,
    accepts: isRandom,
    matches: [`${"AQ"}.Ab8RN6${made(44)}`, `${"GO"}OG1E${made(57, "capitals")}`],
    passes: ["AQ.About the team", "GOOG1 is the prefix"],
  }),
  knownByForm({
    id: "azure-marked-key",
    title: "a key of an Azure service",
    anchors: ["+acr", "azse", "azfu", "acdb", "+ast", "+amc", "+aba", "+aeh", "aiot", "azca", "jqqj99"],
    pattern:
      /(?:\+A(?:CR|St|MC|Ba|Eh)(?<=(?<before>[A-Za-z0-9+/]{42,80})\+A(?:CR|St|MC|Ba|Eh))[A-Za-z0-9+/]{5,8}={0,2}|Az(?:Se|Fu|Ca)(?<=(?<![A-Za-z0-9_-]{60})[A-Za-z0-9_-]{40,46}Az(?:Se|Fu|Ca))[A-Za-z0-9_-]{5,8}={0,2}|(?:ACDb|AIoT|JQQJ99)(?<=[A-Za-z0-9+/]{30,76}(?:ACDb|AIoT|JQQJ99))[A-Za-z0-9+/]{5,30}={0,2})/y,
    // Of what stands before the mark, which is a part of the value or not.
    accepts: (value, text, start) =>
      isRandom(value.slice(0, 40)) || isRandom(text.slice(Math.max(0, start - 24), start)),
    matches: [`docker login -p ${made(42)}+AC${"R"}${made(6)}`, `${made(42)}Az${"Se"}${made(6)}`],
    passes: ["+ACR is the mark", "AzSearch and AzFunctions"],
  }),
  knownByForm({
    id: "yandex-token",
    title: "a token of Yandex",
    anchors: ["aqvn", "t1.", "y0_", "y1_", "y2_", "y3_", "ycaje"],
    startsWord: true,
    pattern:
      /(?:(?<![A-Za-z0-9+/]{8})AQVN[A-Za-z0-9_-]{34,38}|(?<![A-Za-z0-9])t1\.[A-Za-z0-9_-]{20,400}={0,2}\.[A-Za-z0-9_-]{86}|(?<![A-Za-z0-9])y[0-3]_[A-Za-z0-9_-]{50,62}|YCAJE[A-Za-z0-9_-]{20})/y,
    accepts: isRandom,
    matches: [`${"AQ"}VN${made(36)}`, `${"t1"}.${made(80)}.${made(86)}`],
    passes: ["t1.micro", "y2_axis", "AQVN is the prefix"],
  }),
  knownByForm({
    id: "cloudflare-marked-token",
    title: "a Cloudflare token or tunnel",
    anchors: ["cfut_", "cfat_", "cfk_", "eyjhijoi"],
    pattern: /(?:cf(?:ut|at|k)_[A-Za-z0-9_-]{40,60}|(?<![A-Za-z0-9+/._-])eyJhIjoi[A-Za-z0-9+/=_-]{80,400})/y,
    accepts: isRandom,
    matches: [`${"cf"}ut_${made(48)}`, `cloudflared tunnel run --token ${"ey"}JhIjoi${made(120)}`],
    passes: ["cfut_ is the prefix", "cursor eyJhIjoiMSJ9"],
  }),
  knownByPlace({
    id: "vault-key",
    title: "a token or unseal key of Vault",
    anchors: ["unseal key", "recovery key", "vault login ", "vault_token", "x-vault-token", "root token"],
    pattern:
      /(?:(?:unseal|recovery) key ?[0-9]{0,2}|vault login|x?[-_]?vault[-_]token|(?:initial )?root token)["'`*]{0,3}[ \t]{0,3}[:=]?[ \t]{0,3}["'`]?((?:s\.)?[A-Za-z0-9+/]{24,64}={0,2}|[0-9a-f]{8}-[0-9a-f-]{27})/iy,
    accepts: isRandom,
    matches: [`Unseal Key 1: ${made(43)}=`, `vault login s.${made(24)}`],
    passes: ["vault login -method=oidc", "Unseal Key 1: <key>", "The root token is revoked after the set-up."],
  }),
  knownByPlace({
    id: "vault-secret-id",
    title: "the secret of a role of Vault",
    anchors: ["secret_id", "secret-id", "secretid"],
    pattern:
      /secret[_-]?id["'`]?[ \t]{0,3}[:=][ \t]{0,3}["'`]?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/iy,
    // Elsewhere it says which secret is meant; a role has both halves of its login.
    accepts: (value, text, start) =>
      /role[_-]?id|approle|vault/i.test(text.slice(Math.max(0, start - 140), start + value.length + 100)),
    matches: [
      `vault write auth/approle/login role_id=ci secret_id=${made(8, "hex")}-${made(4, "hex")}-4${made(3, "hex")}-9${made(3, "hex")}-${made(12, "hex")}`,
    ],
    passes: [
      `secret_id: ${made(8, "hex")}-${made(4, "hex")}-4${made(3, "hex")}-9${made(3, "hex")}-${made(12, "hex")}`,
      "vault write auth/approle/login role_id=$ROLE_ID secret_id=$SECRET_ID",
    ],
  }),
  knownByForm({
    id: "clickhouse-secret",
    title: "a secret of ClickHouse Cloud",
    anchors: ["4b1d"],
    startsWord: true,
    pattern: /(?<![A-Za-z0-9])4b1d[A-Za-z0-9]{38}/y,
    // A hash may begin so, too.
    accepts: (value) => isRandom(value) && !/^[0-9a-f]{42}$/.test(value),
    matches: [`${"4b"}1d${made(38)}`],
    passes: [`commit 4b1d${made(36, "hex")}`],
  }),
  knownByForm({
    id: "onepassword-secret-key",
    title: "a 1Password secret key",
    anchors: ["a3-"],
    startsWord: true,
    pattern: /(?<![A-Za-z0-9])A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}/y,
    accepts: isVaried,
    matches: [
      `${"A"}3-${made(6, "capitals")}-${made(6, "capitals")}-${["a", "b", "c", "d"].map(() => made(5, "capitals")).join("-")}`,
    ],
    passes: ["A3-size paper"],
  }),
  knownByForm({
    id: "new-relic-licence",
    title: "a New Relic licence key",
    anchors: ["nral"],
    pattern: /NRAL(?<=(?<before>(?:[0-9a-f]{28,36}|[a-z]{2}[0-9]{2}xx[0-9a-f]{26,30})(?:FFFF)?)NRAL)/iy,
    accepts: isVaried,
    matches: [`${made(36, "hex")}${"FF"}FFNRAL`],
    passes: ["NRAL is a suffix"],
  }),
  knownByForm({
    id: "openvpn-static-key",
    title: "an OpenVPN static key",
    anchors: ["openvpn static key"],
    pattern: /OpenVPN Static key V1-----\s{1,4}([0-9a-f]{32})/iy,
    accepts: isRandom,
    matches: [`-----BEGIN OpenVPN ${"Static"} key V1-----\n${made(32, "hex")}`],
    passes: ["the OpenVPN static key is in the vault"],
  }),
];
