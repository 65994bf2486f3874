import { createGuard, type Guard, openAllowList, type ResolvedSettings, userDataFolder } from "../index.ts";
import type { Io } from "./output.ts";

/** The guard as writes meet it: by the settings, and with what the user allowed. */
export function ownGuard(io: Io, { values }: ResolvedSettings): Guard {
  const allowed = openAllowList({ folder: userDataFolder(io.place ?? {}) }).list();
  return createGuard({
    policy: values["guard.policy"],
    allowed: new Set(allowed.map(({ fingerprint }) => fingerprint)),
  });
}
