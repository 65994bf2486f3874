import type { Rule } from "../rule.ts";
import { sensitiveWordRule } from "../sensitive-words.ts";
import { assignedNameRule } from "./assigned-names.ts";
import { callRule } from "./calls.ts";
import { cloudRules } from "./clouds.ts";
import { commandRule } from "./commands.ts";
import { configurationRules } from "./configurations.ts";
import { keyRules } from "./keys.ts";
import { loginRules } from "./logins.ts";
import { messagingRules } from "./messaging.ts";
import { modelRules } from "./models.ts";
import { moneyRules } from "./money.ts";
import { platformRules } from "./platforms.ts";
import { recoveryRules } from "./recovery.ts";
import { recoveryPhraseRule } from "./recovery-phrase.ts";
import { serviceRules } from "./services.ts";
import { sessionRules } from "./sessions.ts";
import { sourceHostRules } from "./source-hosts.ts";
import { storedRowRule } from "./stored-rows.ts";
import { tokenFormatRules } from "./token-formats.ts";
import { workplaceRules } from "./workplace.ts";

/** From the surest to the vaguest: where two speak about one value, the earlier one names it. */
export const rules: readonly Rule[] = [
  ...keyRules,
  ...tokenFormatRules,
  ...sourceHostRules,
  ...cloudRules,
  ...modelRules,
  ...moneyRules,
  ...messagingRules,
  ...serviceRules,
  ...platformRules,
  ...workplaceRules,
  ...sessionRules,
  recoveryPhraseRule,
  ...recoveryRules,
  ...loginRules,
  sensitiveWordRule,
  assignedNameRule,
  ...configurationRules,
  storedRowRule,
  commandRule,
  callRule,
];
