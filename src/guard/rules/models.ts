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
    startsWord: true,
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
];
