import { basename } from "node:path";
import type { ApiRoot, ApiSession } from "./contract/session.ts";
import { readQuery } from "./input.ts";
import { operationsOf } from "./root-files.ts";
import type { Api, ApiServices } from "./services.ts";

export function registerSession(api: Api, { workspace, version }: ApiServices): void {
  api.get("/session", (c) => {
    readQuery(c, {});
    const { credential, isAdmin } = c.get("principal");
    const { bearer, roots, topicsWarning } = c.get("session");
    const { project, settings } = workspace;
    const answer: ApiSession = {
      version,
      project: settings.values.project_name ?? (project && basename(project.folder)),
      author: bearer.author,
      credential,
      agentId: bearer.agentId,
      isAdmin,
      roots: roots.map(
        (root): ApiRoot => ({
          name: root.name,
          kind: root.kind,
          operations: operationsOf(root),
          hasHistory: root.hasHistory,
        }),
      ),
      // Of folders and settings of whoever runs the server, only they are told.
      warnings: isAdmin ? workspace.warnings : topicsWarning === undefined ? [] : [topicsWarning],
    };
    return c.json(answer);
  });
}
