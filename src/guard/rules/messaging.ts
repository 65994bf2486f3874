import { knownByForm, knownByPlace, type Rule } from "../rule.ts";
import { isRandom, isVaried } from "../variety.ts";
import { made } from "./made.ts";

/** Chat, mail and telephony. */
export const messagingRules: readonly Rule[] = [
  knownByForm({
    id: "slack-token",
    title: "a Slack token",
    anchors: ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-", "xoxe.xox", "xapp-"],
    pattern: /(?:xox[abeprs](?:\.xox[bp])?|xapp)-[A-Za-z0-9-]{20,255}/y,
    accepts: (value) => isVaried(value) && /[0-9]{5}/.test(value),
    matches: [
      `${"xo"}xb-${made(12, "digits")}-${made(12, "digits")}-${made(24)}`,
      `${"xa"}pp-1-A${made(9)}-${made(13, "digits")}-${made(64, "hex")}`,
    ],
    passes: ["xoxb-your-token", "xoxp-…"],
  }),
  knownByForm({
    id: "slack-webhook",
    title: "a Slack webhook",
    anchors: ["hooks.slack.com/"],
    pattern:
      /hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9]{6,14}\/[A-Za-z0-9]{6,14}\/[A-Za-z0-9]{16,40}/y,
    accepts: isVaried,
    matches: [`https://hooks.${"slack"}.com/services/T${made(8, "capitals")}/B${made(10, "capitals")}/${made(24)}`],
    passes: [
      "https://hooks.slack.com/services/T000/B000/XXXX",
      "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
    ],
  }),
  knownByForm({
    id: "discord-bot-token",
    title: "a Discord bot token",
    anchors: ["."],
    // A fixed part before the first dot would miss some: their lengths differ.
    pattern: /\.[A-Za-z0-9_-]{6}\.(?<=(?<before>[MNO][A-Za-z0-9_-]{23,27})\.[A-Za-z0-9_-]{6}\.)[A-Za-z0-9_-]{27,45}/y,
    accepts: isRandom,
    matches: [`M${made(23)}.${made(6)}.${made(38)}`],
    passes: ["MessageHandlerRegistryBase.create.withDefaults"],
  }),
  knownByForm({
    id: "discord-webhook",
    title: "a Discord webhook",
    anchors: ["/api/webhooks/"],
    pattern: /\/api\/webhooks\/[0-9]{17,20}\/[A-Za-z0-9_-]{60,80}/y,
    accepts: isVaried,
    matches: [`https://discord.com/api/${"web"}hooks/${made(18, "digits")}/${made(68)}`],
    passes: ["https://acme.dev/api/webhooks/42/test"],
  }),
  knownByForm({
    id: "telegram-bot-token",
    title: "a Telegram bot token",
    anchors: [":aa"],
    pattern: /:(?<=(?<before>[0-9]{8,10}):)AA[A-Za-z0-9_-]{33}/y,
    accepts: isVaried,
    matches: [`${made(10, "digits").replace(/^0/, "1")}:A${"A"}${made(33)}`],
    passes: ["123456:ABC-DEF", "10:AA is no time"],
  }),
  knownByForm({
    id: "twilio-api-key",
    title: "a Twilio API key",
    anchors: ["sk"],
    pattern: /SK[0-9a-f]{32}(?!(?!0{8})[0-9a-f]{8})/y,
    accepts: isVaried,
    matches: [`${"S"}K${made(32, "hex")}`],
    passes: ["SK is a country", "SKU-1234"],
  }),
  knownByPlace({
    id: "twilio-auth-token",
    title: "a Twilio auth token",
    anchors: ["twilio"],
    pattern:
      /twilio[a-z_-]{0,16}["'`*]{0,3}[ \t]{0,4}[:=|][>=]?[*]{0,2}[ \t]{0,4}["'`]?([0-9a-f]{32})(?![A-Za-z0-9])/iy,
    accepts: isVaried,
    matches: [`TWILIO_AUTH_TOKEN=${made(32, "hex")}`],
    passes: ["TWILIO_AUTH_TOKEN=$TOKEN", "twilio: sends the messages"],
  }),
  knownByForm({
    id: "sendgrid-key",
    title: "a SendGrid key",
    anchors: ["sg."],
    pattern: /SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}/y,
    accepts: isRandom,
    matches: [`${"S"}G.${made(22)}.${made(43)}`],
    passes: ["SG.xxxxxxxx.yyyyyyyy", "msg.content.length"],
  }),
  knownByForm({
    id: "mailgun-key",
    title: "a Mailgun key",
    anchors: ["key-"],
    startsWord: true,
    pattern: /(?<![A-Za-z0-9-]|[A-Za-z0-9]_)key-[0-9a-f]{32}(?!(?!0{8})[0-9a-f]{8})/y,
    accepts: isVaried,
    matches: [`${"ke"}y-${made(32, "hex")}`],
    passes: ["key-value", "key-3ax6xnjp29jd6fds4gc373sgvjxteol0 has letters beyond f"],
  }),
  knownByForm({
    id: "mailchimp-key",
    title: "a Mailchimp key",
    anchors: ["-us"],
    startsBefore: 32,
    pattern: /(?<![0-9a-f]{8})[0-9a-f]{32}-us[0-9]{1,2}/y,
    accepts: isVaried,
    matches: [`${made(32, "hex")}-${"us"}12`],
    passes: ["pre-us1 region", "us-east-1"],
  }),
  knownByForm({
    id: "cloud-messaging-token",
    title: "a registration token or server key of Firebase Cloud Messaging",
    anchors: [":apa91b"],
    startsBefore: 11,
    pattern: /[A-Za-z0-9_-]{11}:APA91b[A-Za-z0-9_-]{100,200}/y,
    accepts: isRandom,
    matches: [`AAAA${made(7)}:${"APA"}91b${made(134)}`],
    passes: ["they hold :APA91b after the colon"],
  }),
];
