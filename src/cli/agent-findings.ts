import {
  allowsRecall,
  clients,
  examineClients,
  type Finding,
  isRecollectError,
  openSessionRecords,
  type UserPlace,
} from "../app.ts";
import { readSwitches } from "../hooks/switches.ts";
import { minuteOf } from "./local-time.ts";
import type { SetupHost } from "./setup-host.ts";

/** What keeps agents from Recollect, and their hooks from the notes of this project. */
export async function agentFindings(project: string | undefined, { surroundings }: SetupHost): Promise<Finding[]> {
  const { findings, hasHooks } = await examineClients(project, surroundings);
  if (project === undefined || !hasHooks) return [...findings];
  const user = { ...surroundings, env: surroundings.env ?? {} };
  return [
    ...findings,
    ...(await switchFindings(project, user)),
    recallFinding(project, user),
    sessionFinding(project, user),
  ];
}

async function switchFindings(project: string, user: UserPlace): Promise<Finding[]> {
  try {
    const { enabled } = await readSwitches(project, user);
    const says = "are switched off by RECOLLECT_HOOKS or hooks.enabled in your settings";
    return enabled ? [] : [{ level: "note", about: "hooks", says }];
  } catch (error) {
    // Broken settings are among the findings already.
    if (isRecollectError(error)) return [];
    throw error;
  }
}

function recallFinding(project: string, user: UserPlace): Finding {
  const about = "recall";
  if (allowsRecall(project, user)) return { level: "fine", about, says: "hooks may recall all notes of this project" };
  const says = "hooks recall only notes written on this machine";
  return { level: "note", about, says, remedy: "recollect trust" };
}

/** Of each client the latest session, which is when a hook of it last ran here. */
function sessionFinding(project: string, user: UserPlace): Finding {
  const about = "sessions";
  try {
    // Nothing is old at that time, so nothing is deleted.
    const records = openSessionRecords(project, user, () => 0).list(Number.POSITIVE_INFINITY);
    const latest = clients.flatMap(({ name, title }) => {
      const time = records.find(({ client }) => client === name)?.time;
      return time === undefined ? [] : [`${title} ${minuteOf(time)}`];
    });
    const says = latest.length === 0 ? "none on record here yet" : `last ones here: ${latest.join(", ")}`;
    return { level: "fine", about, says };
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return { level: "note", about, says: `the records of hooks cannot be read (${String(error.code)})` };
  }
}
