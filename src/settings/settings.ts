import { logLevels } from "../kernel/log.ts";
import { databaseSettings } from "./groups/database-settings.ts";
import { hookSettings } from "./groups/hook-settings.ts";
import { memorySettings } from "./groups/memory-settings.ts";
import { searchSettings } from "./groups/search-settings.ts";
import { serveSettings } from "./groups/serve-settings.ts";
import { inDatabase, projectNameOf } from "./made-defaults.ts";
import type { DefaultContext, Setting, SettingTable } from "./setting.ts";
import {
  agentIdText,
  booleanType,
  choicesType,
  choiceType,
  integerType,
  kibibyte,
  mebibyte,
  placeType,
  projectNameText,
  type SettingType,
  textType,
} from "./setting-types.ts";

export const toolSets = ["memories", "topics", "search", "bank", "files", "agent"] as const;
export type ToolSet = (typeof toolSets)[number];
/** Served without being asked for: they reach nothing but memory. */
const ownTools: readonly ToolSet[] = ["memories", "topics", "search"];

/** Every setting there is. A new one is one entry here or in its group; files, environment, flags and schema follow from it. */
const settings = {
  project_name: {
    type: textType("one plain name, as text", projectNameText),
    default: projectNameOf,
    env: "RECOLLECT_PROJECT_NAME",
    flags: [{ name: "--project-name" }],
    trust: "outside",
    why: "chooses which project's part of the bank, or of the external memory, is read and written",
    reaches: (raw, context) => raw !== projectNameOf(context),
    description:
      "Name of the project's part of the bank, and what {project} in a memory_path stands for; by default the name of the project's folder.",
  },
  ...databaseSettings,
  ...memorySettings,
  ...searchSettings,
  ...hookSettings,
  share_worktrees: {
    type: booleanType(),
    default: false,
    env: "RECOLLECT_SHARE_WORKTREES",
    flags: [{ name: "--share-worktrees" }],
    trust: "outside",
    why: "reads and writes the memories of another folder, the main worktree",
    reaches: (raw) => raw === true,
    description: "Whether a git worktree uses the memories of the main worktree.",
  },
  "limits.document_bytes": {
    type: integerType(kibibyte, 16 * mebibyte),
    default: mebibyte,
    env: "RECOLLECT_DOCUMENT_BYTES",
    flags: [{ name: "--document-bytes" }],
    trust: "safe",
    description: "How many bytes one document may have.",
  },
  "agent.id": {
    type: textType("one plain name, as text", agentIdText),
    default: undefined,
    env: "RECOLLECT_AGENT_ID",
    flags: [{ name: "--agent-id" }],
    trust: "user",
    why: "says whose private memory is opened",
    description: "The agent whose own files are served.",
  },
  "agent.app_cache_dir": {
    type: placeType(),
    default: inDatabase("agents", ({ dataFolder }) => dataFolder),
    env: "RECOLLECT_APP_CACHE_DIR",
    flags: [{ name: "--app-cache-dir" }],
    trust: "user",
    why: "says where the private memory of all agents lies",
    description: "Folder that holds agent_memory; by default your data folder.",
  },
  tools: {
    type: choicesType(toolSets),
    default: ({ isSet }: DefaultContext): ToolSet[] => [
      ...ownTools,
      ...(isSet("bank.memory_path") ? (["bank", "files"] as const) : []),
      ...(isSet("agent.id") ? (["agent"] as const) : []),
    ],
    env: "RECOLLECT_TOOLS",
    flags: [{ name: "--tools" }],
    trust: "outside",
    why: "gives agents tools that you did not choose",
    reaches: (raw) => Array.isArray(raw) && raw.some((set) => !ownTools.includes(set)),
    description: "Tool sets that are served; by default those that the rest of the configuration calls for.",
  },
  ...serveSettings,
  log_level: {
    type: choiceType(logLevels),
    default: undefined,
    env: "RECOLLECT_LOG_LEVEL",
    flags: [{ name: "--log-level" }],
    trust: "user",
    why: "could hide what you are to be told",
    description: "Log to stderr from this level on.",
  },
} as const satisfies SettingTable;

export type SettingKey = keyof typeof settings;

type ValueOf<One> = One extends { readonly type: SettingType<infer _Raw, infer Value>; readonly default: infer Default }
  ? Value | MaybeMissing<Default>
  : never;
type MaybeMissing<Default> = Default extends (context: DefaultContext) => infer Made
  ? Extract<Made, undefined>
  : Extract<Default, undefined>;

/** The value of every setting, under its dotted key. */
export type SettingValues = { readonly [Key in SettingKey]: ValueOf<(typeof settings)[Key]> };

/** `--memories-folder` and so on: every flag that sets a setting. */
export type SettingFlagName = (typeof settings)[SettingKey]["flags"][number]["name"];

export const settingKeys = Object.keys(settings) as readonly SettingKey[];

export function settingOf(key: SettingKey): Setting {
  return settings[key];
}

/** A value as it may be shown: without a password. */
export function shownValue(key: SettingKey, value: unknown): unknown {
  const { type } = settingOf(key);
  return value === undefined || !type.shown ? value : type.shown(value);
}

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(settings, key);
}
