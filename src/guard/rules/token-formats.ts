import { knownByForm, type Rule } from "../rule.ts";
import { isRandom } from "../variety.ts";
import { made } from "./made.ts";

/** What a hole of a format is written in, and what its example is made of. */
const alphabets = {
  a: ["[A-Za-z0-9]", "mixed"],
  b: ["[A-Za-z0-9+/]", "mixed"],
  d: ["[0-9]", "digits"],
  f: ["[0-9a-f.]", "hex"],
  h: ["[0-9a-f]", "hex"],
  i: ["[0-9A-Fa-f]", "hex"],
  k: ["[a-z0-9]", "hex"],
  K: ["[A-Z0-9]", "capitals"],
  l: ["[a-z]", "letters"],
  n: ["[a-z0-9-]", "letters"],
  q: ["[A-Za-z0-9_=&-]", "mixed"],
  s: ["[A-Za-z0-9+/@%_=-]", "mixed"],
  v: ["[A-Za-z0-9_.+/=-]", "mixed"],
  w: ["[A-Za-z0-9_-]", "mixed"],
  W: ["[A-Za-z0-9_]", "mixed"],
} as const;

const uuid = "{h8}-{h4}-{h4}-{h4}-{h12}";

/**
 * One format a line: what it is called, what it looks like. `{a36}` are 36 letters and digits, `{h32-40}` 32 to 40
 * hexadecimal digits, `{live|test}` one of the two, `{uuid}` a UUID; the rest is literal. `^` where a letter or digit
 * before it means that the first letters are the end of a word, as in “task-”.
 */
const formats = `
a Bitbucket Data Center token    | BBDC-{s40-50}
a Clojars token                  | CLOJARS_{a60}
a Deno Deploy token              | ddp_{a36}
a Deno organization token        | ddw_{a36}
a JFrog reference token          | cmVmdG{a58}
a GitLab feature flag token      | glffct-{w20-64}
a GitLab workspace token         | glwt-{w20-64}
a GitLab runner controller token | glrtr-{w20-64}
a GitLab session cookie          | _gitlab_session={k32}
a JSR token                      | jsr_{w30-80}
a JSR publishing token           | jsrp_{w30-80}
a Sourcegraph licence key        | slk_{h64}
a Sourcegraph token              | sgp_{v26-128}
a SonarQube Cloud token          | sqco_{a59}
a crates.io token                | ^cio{a32}
a ReadMe key                     | rdme_{k64-72}
a GitBook token                  | gb_api_{a30-50}
a Harness personal token         | pat.{w22}.{h24}.{a20}
a Harness service token          | sat.{w22}.{h24}.{a20}
a Docker Swarm join token        | SWMTKN-1-{k40-60}-{k20-30}
an OpenShift token               | sha256~{w43}
a K3s node token                 | K10{h48-64}::{v16-60}
an Octopus Deploy key            | ^API-{K25-36}
a Buildkite API token            | bkua_{v26-128}
a Buildkite portal token         | bkpt_{w36-60}
a Buildkite cluster token        | bkct_{w36-60}
a Buildkite job token            | bkaj_{w36-60}
a CircleCI token                 | CCIPAT_{v26-128}
a Netlify token                  | nfp_{v26-128}
a Render token                   | rnd_{v26-128}
a Pulumi token                   | pul-{v26-128}
a Tailscale key                  | tskey-{l2-10}-{v26-128}
a Vercel personal token          | vcp_{v26-128}
a Vercel integration token       | vci_{v26-128}
a Vercel app token               | vca_{v26-128}
a Vercel refresh token           | vcr_{v26-128}
a Vercel AI gateway key          | vck_{v26-128}
a Vercel blob token              | vercel_blob_rw_{a10-24}_{a20-44}
a Spacelift token                | spl_{a40-64}
an Infracost key                 | ^ico-{a32}
an Endor Labs token              | endr+{w16}
an n8n key                       | n8n_api_{a40-80}
an Apify token                   | apify_api_{a30-46}
a Depot token                    | depot_{project|org|user}_{h64}
an Inngest signing key           | signkey-{prod|test|branch}-{h64}
a Trigger.dev key                | ^tr_{dev|prod|stg|pat}_{a20-40}
a dbt Cloud token                | ^dbtc_{w30-60}
a Val Town token                 | vtwn_{a24-40}
an Unkey key                     | unkey_{a20-40}
a Zuplo key                      | zpka_{a32}_{h8}
a Neon password                  | ^npg_{a12-40}
a Neon key                       | napi_{w28-64}
a MongoDB Atlas secret           | mdb_sa_sk_{w32-48}
a Databricks OAuth secret        | ^dose{h32}
a PlanetScale OAuth token        | pscale_oauth_{v32-64}
a PlanetScale token              | pscale_tkn_{v26-128}
a PlanetScale password           | pscale_pw_{v26-128}
an EdgeDB token                  | edgedb_{w40-80}
a Xata key                       | xau_{a30-60}
a Supabase token                 | sbp_{w28-64}
a Supabase secret key            | sb_secret_{w28-64}
a Convex deploy key              | ^{prod|dev|preview}:{n5-40}|{s40-120}
a CockroachDB key                | CCDB1_{a22}_{a40}
a Materialize app password       | ^mzp_{h64}
a DataStax Astra token           | AstraCS:{a24}:{h64}
an Aiven password                | AVNS_{w19}
a Prefect key                    | pnu_{w28-64}
an Adafruit key                  | ^aio_{w28-64}
a Doppler service token          | dp.st.{v26-128}
a Doppler personal token         | dp.pt.{v26-128}
a Doppler CLI token              | dp.ct.{v26-128}
a Doppler service account token  | dp.sa.{v36-80}
a Doppler SCIM token             | dp.scim.{v36-80}
a Doppler audit token            | dp.audit.{v36-80}
a Bitwarden machine token        | ^0.{uuid}.{a30}:{b22}==
an Infisical token               | ^st.{h24}.{h32}.{h32}
a Defined Networking key         | dnkey-{w26}-{w52}
a Datadog application key        | ddapp_{a30-50}
a Datadog API key                | ddapi_{a30-50}
a Honeycomb ingest key           | hcaik_{a40-64}
a Honeycomb management key       | hcalk_{a40-64}
a Honeycomb classic key          | hcxik_{a40-64}
a Dynatrace token                | dt0{k1}{d2}.{K24}.{K64}
a Grafana key                    | ^eyJrIjoi{b60-300}
a Rootly key                     | rootly_{h64}
a Sentry integration token       | sntryi_{h64}
a New Relic query key            | NRIQ-{w19-40}
a New Relic REST key             | NRRA-{w19-40}
a New Relic browser key          | NRBR-{w19-40}
an Axiom API token               | xaat-{uuid}
an Axiom personal token          | xapt-{uuid}
a Slack cookie                   | xoxd-{s20-400}
a Slack client token             | xoxc-{s20-400}
a Slack workspace token          | xoxo-{s20-400}
a Matrix token                   | syt_{q4-60}_{a20}_{a6}
a Teams webhook                  | .webhook.office.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/{h32}
a Zapier webhook                 | hooks.zapier.com/hooks/{catch|standard}/{d4-10}/{a5-10}
a Tines webhook                  | .tines.com/webhook{|s}/{k32}/{k32}
a Webex token                    | _P0A1_{uuid}
a Google Chat webhook            | chat.googleapis.com/v1/spaces/{w6-20}/messages?{q30-300}
a Make webhook                   | ^hook.{eu1|eu2|us1|us2}.make.com/{k32}
a Feishu webhook                 | open.feishu.cn/open-apis/bot/v2/hook/{uuid}
a Lark webhook                   | open.larksuite.com/open-apis/bot/v2/hook/{uuid}
a DingTalk webhook               | oapi.dingtalk.com/robot/send?access_token={h64}
a WeCom webhook                  | qyapi.weixin.qq.com/cgi-bin/webhook/send?key={uuid}
an IFTTT webhook                 | maker.ifttt.com/trigger/{w1-40}/with/key/{w22-60}
a Mattermost webhook             | /hooks/{k26}
a Brevo key                      | xkeysib-{h64}-{a12-20}
a Brevo SMTP key                 | xsmtpsib-{h64}-{a12-20}
a Resend key                     | ^re_{a6-12}_{a20-32}
a Groq key                       | gsk_{w24-128}
an xAI key                       | xai-{w24-128}
a Replicate token                | r8_{w24-128}
a Perplexity key                 | pplx-{w24-128}
a Fireworks key                  | ^fw_{a20-64}
a Together key                   | tgp_v1_{w24-128}
an NVIDIA key                    | nvapi-{w24-128}
a Cerebras key                   | csk-{w24-128}
a Tavily key                     | tvly-{w24-128}
a LangSmith key                  | lsv2_{pt|sk}_{W24-128}
an Elastic Cloud key             | essu_{b40-200}
a Langfuse key                   | sk-lf-{w24-128}
a Pinecone key                   | ^pcsk_{a4-8}_{a40-80}
a Firecrawl key                  | ^fc-{h32}
a Cursor key                     | ^key_{h48-72}
a Jina key                       | ^jina_{w40-80}
a Brave Search key               | ^BSA{w27-30}
an E2B key                       | ^e2b_{h40}
a Weights & Biases key           | ^wandb_v1_{w40-100}
a Modal token id                 | ^ak-{a22}
a Modal token secret             | ^as-{a22}
a RunPod key                     | ^rpa_{K30-50}
a Voyage key                     | ^pa-{w40-48}
a LlamaCloud key                 | ^llx-{a40-64}
an OpenAI session key            | ^sess-{a36-60}
a Browserbase key                | ^bb_live_{w24-40}
a Mem0 key                       | ^m0-{a36-48}
a Context7 key                   | ^ctx7sk-{uuid}
a Chutes key                     | ^cpk_{f60-120}
a Dify key                       | ^app-{a24}
a Razorpay key                   | ^rzp_{live|test}_{a14}
a Flutterwave key                | ^FLWSECK{|_TEST}-{a12-40}
a Paddle key                     | ^pdl_{live|sdbx}_apikey_{W30-80}
a Ramp secret                    | ^ramp_sec_{a48}
a Duffel token                   | ^duffel_{test|live}_{w43}
an EasyPost key                  | ^EZAK{a54}
an EasyPost test key             | ^EZTK{a54}
a Shippo token                   | ^shippo_{live|test}_{h40}
a Polar token                    | ^polar_{l2-4}_{a30-60}
a Xendit key                     | ^xnd_{l4-12}_{a40-80}
a Mercado Pago token             | ^APP_USR-{d8-18}-{d6}-{h32}-{d6-12}
a Chapa key                      | ^CHASECK{-|_}{w30-50}
a HubSpot token                  | pat-{l2}{d1}-{uuid}
a Klaviyo key                    | ^pk_{h34}
a ClickUp token                  | ^pk_{d6-10}_{K32}
a Salesforce refresh token       | 5Aep861{v60-120}
a Salesforce session             | ^00D{a12-15}!{v80-120}
a Trello token                   | ATTA{h60-76}
a Figma token                    | figd_{w38-80}
a Figma plan token               | figp_{w36-64}
a Figma OAuth token              | figo_{w36-64}
a Postman key                    | PMAK-{w38-80}
a Contentful token               | CFPAT-{w38-80}
a Typeform token                 | tfp_{w38-80}
a Miro token                     | eyJtaXJv{a20-60}_{w20-40}
a JumpCloud key                  | jca_{a30-50}
a Telnyx key                     | KEY01{i32}_{a20-24}
a PostHog personal key           | phx_{W40-56}
a PostHog project secret         | phs_{W40-56}
a LaunchDarkly SDK key           | ^sdk-{uuid}
a LaunchDarkly API key           | ^api-{uuid}
an Amazon MWS token              | amzn.mws.{uuid}
an Amazon SP-API secret          | amzn1.oa2-cs.v1.{h64}
a YouTrack token                 | ^perm:{w4-80}.{w4-80}.{a30-60}
a NATS user seed                 | ^SUA{K55}
a NATS account seed              | ^SAA{K55}
a NATS operator seed             | ^SOA{K55}
a Statsig secret                  | ^secret-{a36-64}
a Stytch secret                  | ^secret-{live|test}-{s30-64}
a Zoho token                     | ^1000.{h32}.{h32}
a LinkedIn secret                | WPL_AP1.{v16-60}
an Adobe secret                  | p8e-{w32}
a Scalingo token                 | tk-us-{w48}
a Frame.io token                 | fio-u-{w64}
a Mandrill key                   | ^md-{w22}
an Intercom token                | dG9rO{b40-80}
a Voiceflow key                  | VF.{|DM.|WS.}{h24}.{a16}
a SettleMint personal token      | sm_pat_{a16}
a SettleMint application token   | sm_aat_{a16}
a SettleMint service token       | sm_sat_{a16}
an Outlook webhook               | outlook.office.com/webhook/{uuid}@{uuid}/{a4-24}/{h32}
a WakaTime key                   | ^waka_{uuid}
an Adyen key                     | ^AQE{b60-200}{=|==|}-{b43}=-
a Twitch chat token              | ^oauth:{k30}
a Tinybird token                 | ^p.eyJ1{a40-250}.{w43}
a Nostr private key              | ^nsec1{k58}
an extended private key of a wallet | xprv{a104-112}
`;

export const tokenFormatRules: readonly Rule[] = formats
  .trim()
  .split("\n")
  .map((line) => {
    const at = line.indexOf(" | ");
    return formatRule(line.slice(0, at).trim(), line.slice(at + 3).trim());
  });

function formatRule(title: string, written: string): Rule {
  const startsWord = written.startsWith("^");
  const parts = partsOf(written.replace(/^\^/, "").replaceAll("{uuid}", uuid));
  const example = parts.map(exampleOf).join("");
  return {
    ...knownByForm({
      id: title
        .toLowerCase()
        .replace(/^an? /, "")
        .replaceAll(/[^a-z0-9]+/g, "-"),
      title,
      anchors: anchorsOf(parts),
      pattern: new RegExp((startsWord ? "(?<![A-Za-z0-9])" : "") + parts.map(sourceOf).join(""), "y"),
      accepts: isRandom,
      matches: [example],
      passes: [`${anchorsOf(parts)[0]} is how it begins`],
    }),
    startsWord,
  };
}

type Part =
  | { readonly literal: string }
  | { readonly choices: readonly string[] }
  | { readonly letters: keyof typeof alphabets; readonly least: number; readonly most: number };

function partsOf(format: string): Part[] {
  return format.split(/(\{[^}]*\})/).flatMap((piece): Part[] => {
    if (piece === "") return [];
    if (!piece.startsWith("{")) return [{ literal: piece }];
    const [, letters, least, most = least] = /^\{([a-zA-Z])([0-9]+)(?:-([0-9]+))?\}$/.exec(piece) ?? [];
    if (letters === undefined) return [{ choices: piece.slice(1, -1).split("|") }];
    if (!(letters in alphabets)) throw new TypeError(`No such alphabet: ${piece}`);
    return [{ letters: letters as keyof typeof alphabets, least: Number(least), most: Number(most) }];
  });
}

/** Up to the first hole; a choice at the beginning is one anchor for each. */
function anchorsOf([first, second]: readonly Part[]): string[] {
  if (first && "choices" in first && second && "literal" in second) {
    return first.choices.map((choice) => (choice + second.literal).toLowerCase());
  }
  if (!first || !("literal" in first)) throw new TypeError("A format begins with what is always the same.");
  return [first.literal.toLowerCase()];
}

function sourceOf(part: Part): string {
  if ("literal" in part) return escaped(part.literal);
  if ("choices" in part) return `(?:${part.choices.map(escaped).join("|")})`;
  const [class_] = alphabets[part.letters];
  return part.least === part.most ? `${class_}{${part.least}}` : `${class_}{${part.least},${part.most}}`;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

function exampleOf(part: Part): string {
  if ("literal" in part) return part.literal;
  if ("choices" in part) return part.choices[0] ?? "";
  const [, alphabet] = alphabets[part.letters];
  return made(Math.ceil((part.least + part.most) / 2), alphabet);
}
