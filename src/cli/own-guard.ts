import { createGuard, type Guard, type GuardFinding, type Workspace } from "../app.ts";

/** The guard as writes meet it: by the settings, and with what the user allowed. */
export async function ownGuard({ allowList, settings }: Pick<Workspace, "allowList" | "settings">): Promise<Guard> {
  const allowed = await allowList.list();
  return createGuard({
    policy: settings.values["guard.policy"],
    allowed: new Set(allowed.map(({ fingerprint }) => fingerprint)),
  });
}

/** How a name is shown in a list: one that came by hand or from a remote may hold what the guard refuses. */
export async function nameMask(
  workspace: Pick<Workspace, "allowList" | "settings">,
): Promise<(name: string) => string> {
  if (workspace.settings.values["guard.policy"] === "warn") return (name) => name;
  const guard = await ownGuard(workspace);
  return (name) => (guard.scanName(name).length === 0 ? name : "(name left out)");
}

/** What it would refuse in a text: with warn, nothing. */
export async function ownRefusals(
  workspace: Pick<Workspace, "allowList" | "settings">,
): Promise<(text: string) => readonly GuardFinding[]> {
  if (workspace.settings.values["guard.policy"] === "warn") return () => [];
  return (await ownGuard(workspace)).scan;
}
