import { openTrust, resolveSettings, type UserPlace, userDataFolder } from "../app.ts";
import type { HookSwitches } from "./switches.ts";

/** The settings that concern hooks, from the user's file and the environment. */
export async function readHookSettings(cwd: string, user: UserPlace): Promise<HookSwitches> {
  const trust = openTrust({ folder: userDataFolder(user) });
  const { values } = await resolveSettings({ cwd, env: user.env, home: user.home, trust });
  return {
    enabled: values["hooks.enabled"],
    sessionStart: values["hooks.session_start"],
    prompt: values["hooks.prompt"],
    errors: values["hooks.errors"],
    compaction: values["hooks.compaction"],
    subagents: values["hooks.subagents"],
    ask: values["hooks.ask"],
    sessions: values["hooks.sessions"],
    notices: values["hooks.notices"],
    guard: values["guard.policy"],
  };
}
