import { knownByForm, type Rule } from "../rule.ts";
import { isRandom, isVaried } from "../variety.ts";
import { made } from "./made.ts";

/** Language models and those who host them. */
export const modelRules: readonly Rule[] = [
  knownByForm({
    id: "anthropic-key",
    title: "an Anthropic key",
    anchors: ["sk-ant-"],
    pattern: /sk-ant-[A-Za-z0-9_-]{24,200}/y,
    accepts: isRandom,
    matches: [`${"s"}k-ant-api03-${made(95)}`],
    passes: ["sk-ant-...", "sk-ant-api03-your-key-goes-here-please"],
  }),
  knownByForm({
    id: "openai-project-key",
    title: "an OpenAI key",
    anchors: ["sk-proj-", "sk-svcacct-", "sk-admin-"],
    pattern: /sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{32,250}/y,
    accepts: isRandom,
    matches: [`${"s"}k-proj-${made(120)}`],
    passes: ["sk-proj-...", `sk-proj-${"x".repeat(48)}`],
  }),
  knownByForm({
    id: "sk-key",
    title: "a secret key (sk-…), as OpenAI and others issue them",
    anchors: ["sk-"],
    pattern: /(?<![A-Za-z0-9])sk-(?!ant-|proj-|svcacct-|admin-)[A-Za-z0-9_-]{16,200}/y,
    accepts: isRandom,
    matches: [`${"s"}k-${made(48)}`, `${"s"}k-or-v1-${made(64, "hex")}`],
    passes: [
      "sk-learn and sk-image",
      "task-runner-with-a-very-long-name",
      "sk-xxxxxxxxxxxxxxxxxxxxxxxx",
      "sk-loading-skeleton-animation-2",
    ],
  }),
  knownByForm({
    id: "hugging-face-token",
    title: "a Hugging Face token",
    anchors: ["hf_", "api_org_"],
    pattern: /(?:hf|api_org)_[A-Za-z0-9]{34,40}/y,
    accepts: isVaried,
    matches: [`${"h"}f_${made(34)}`],
    passes: ["hf_hub_download(repo_id)", "hf_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"],
  }),
  knownByForm({
    id: "model-host-key",
    title: "a key of a host of language models, or of what serves them",
    anchors: ["gsk_", "xai-", "r8_", "pplx-", "fw_", "tgp_v1_", "nvapi-", "csk-", "tvly-", "lsv2_", "sk-lf-"],
    pattern: /(?:gsk_|xai-|r8_|pplx-|fw_|tgp_v1_|nvapi-|csk-|tvly-|lsv2_(?:pt|sk)_|sk-lf-)[A-Za-z0-9_-]{24,128}/y,
    accepts: isRandom,
    matches: [
      `${"gs"}k_${made(52)}`,
      `${"xa"}i-${made(80)}`,
      `${"r"}8_${made(37)}`,
      `${"tv"}ly-${made(32)}`,
      `${"ls"}v2_pt_${made(32, "hex")}_${made(10, "hex")}`,
    ],
    passes: ["gsk_ is Groq's prefix", "fw_update_in_progress_since_boot"],
  }),
];
