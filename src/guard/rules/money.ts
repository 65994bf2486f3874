import { knownByForm, type Rule } from "../rule.ts";
import { isVaried } from "../variety.ts";
import { made } from "./made.ts";

/** Shops and payments. */
export const moneyRules: readonly Rule[] = [
  knownByForm({
    id: "stripe-key",
    title: "a Stripe key",
    anchors: ["sk_live_", "sk_test_", "rk_live_", "rk_test_"],
    pattern: /[sr]k_(?:live|test)_[A-Za-z0-9]{16,250}/y,
    accepts: isVaried,
    matches: [`${"sk"}_live_${made(24)}`, `${"rk"}_test_${made(99)}`],
    passes: ["sk_live_ and sk_test_ keys", "sk_test_xxxxxxxxxxxxxxxxxxxxxxxx"],
  }),
  knownByForm({
    id: "webhook-signing-secret",
    title: "a signing secret of webhooks (Stripe, Svix)",
    anchors: ["whsec_"],
    pattern: /whsec_[A-Za-z0-9+/=]{24,100}/y,
    accepts: isVaried,
    matches: [`${"wh"}sec_${made(32)}`],
    passes: ["whsec_... from the dashboard"],
  }),
  knownByForm({
    id: "shopify-token",
    title: "a Shopify token",
    anchors: ["shpat_", "shpss_", "shpca_", "shppa_"],
    pattern: /shp(?:at|ss|ca|pa)_[A-Za-z0-9]{32,64}/y,
    accepts: isVaried,
    matches: [`${"sh"}pat_${made(32, "hex")}`],
    passes: ["shpat_ is the prefix"],
  }),
  knownByForm({
    id: "square-token",
    title: "a Square token",
    // Pictures in base64 hold “EAAA” too, in the middle of them.
    anchors: ["eaaa", "sq0atp-", "sq0csp-"],
    pattern:
      /(?:(?<![A-Za-z0-9+/]{16})EAAA[A-Za-z0-9_-]{60}(?![A-Za-z0-9+/]{16})|sq0(?:atp-[A-Za-z0-9_-]{22}|csp-[A-Za-z0-9_-]{43}))/y,
    accepts: isVaried,
    matches: [`${"EA"}AA${made(60)}`, `${"sq0"}csp-${made(43)}`],
    passes: ["sq0csp- is the prefix"],
  }),
  knownByForm({
    id: "braintree-token",
    title: "a Braintree access token",
    anchors: ["access_token$"],
    pattern: /access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}/y,
    accepts: isVaried,
    matches: [`${"access"}_token$production$${made(16, "hex")}$${made(32, "hex")}`],
    passes: ["access_token$production$<id>$<key>"],
  }),
  knownByForm({
    id: "plaid-token",
    title: "a Plaid access token",
    anchors: ["access-sandbox-", "access-production-", "access-development-"],
    pattern: /access-(?:sandbox|production|development)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/y,
    accepts: isVaried,
    matches: [`access-${"sand"}box-${[8, 4, 4, 4, 12].map((length) => made(length, "hex")).join("-")}`],
    passes: ["access-sandbox-<uuid>"],
  }),
];
