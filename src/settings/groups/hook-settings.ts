import type { Setting, SettingTable } from "../setting.ts";
import { booleanType, choiceType } from "../setting-types.ts";

const ofTheUser = {
  trust: "user",
  why: "decides what is put before your agents, and what you are shown",
} as const;

function onOff<const Name extends string>(name: Name, description: string) {
  return {
    type: booleanType(),
    default: true,
    env: `RECOLLECT_HOOKS_${name.toUpperCase() as Uppercase<Name>}`,
    flags: [],
    ...ofTheUser,
    description,
  } as const satisfies Setting;
}

const askModes = ["attended", "always", "never"] as const;
type AskMode = (typeof askModes)[number];

/** What hooks of clients do by themselves (USE-4 to USE-7, USE-14, USE-15). */
export const hookSettings = {
  "hooks.enabled": {
    ...onOff("enabled", "Whether hooks do anything at all; RECOLLECT_HOOKS=off switches them off for one run."),
    env: "RECOLLECT_HOOKS",
  },
  "hooks.session_start": onOff(
    "session_start",
    "Whether a session begins with a line about the last one and recent titles.",
  ),
  "hooks.prompt": onOff("prompt", "Whether the records that fit a prompt are put beside it."),
  "hooks.errors": onOff("errors", "Whether a failed command whose error is on record is answered with that record."),
  "hooks.compaction": onOff("compaction", "Whether records that a session was given come back after a compaction."),
  "hooks.subagents": onOff("subagents", "Whether subagents are given the records of their session."),
  "hooks.ask": {
    type: choiceType(askModes),
    default: "attended" satisfies AskMode as AskMode,
    env: "RECOLLECT_HOOKS_ASK",
    flags: [],
    ...ofTheUser,
    description:
      "Whether the agent is asked once, at the end of a turn, to store what was learned: attended (only where a person sits at the session), always or never.",
  },
  "hooks.sessions": onOff("sessions", "Whether the last sessions are remembered, on this machine and for 14 days."),
  "hooks.notices": onOff("notices", "Whether you see a line when something was recalled or stored."),
} as const satisfies SettingTable;
