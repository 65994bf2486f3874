import { existsSync } from "node:fs";
import { join } from "node:path";
import { serverName } from "../server-entry.ts";
import type { Approval, ApprovalPlace } from "./approval.ts";
import { readClientFiles, valueAt } from "./read-client-file.ts";

/** OpenCode asks for no trust. It installs what plugins are written against, and starts only when that is there. */
export function opencodeApprovals({ home, env, folder, hooks }: ApprovalPlace): Approval[] {
  const own = join(env["XDG_CONFIG_HOME"] ?? join(home, ".config"), "opencode");
  const names = ["opencode.json", "opencode.jsonc"];
  const settings = readClientFiles(
    home,
    [own, folder].flatMap((base) => names.map((name) => join(base, name))),
  );
  const base = hooks === "project" ? join(folder, ".opencode") : own;
  const lacksPackage = hooks !== undefined && !existsSync(join(base, "node_modules/@opencode-ai/plugin"));
  return [
    ...settings.unread,
    ...settings.files
      .filter(({ content }) => valueAt(content, "mcp", serverName, "enabled") === false)
      .map(({ shown }): Approval => {
        const remedy = `Remove “"enabled": false” from “${serverName}” in ${shown}.`;
        return { level: "problem", says: `the server is switched off in ${shown}`, remedy };
      }),
    ...(lacksPackage ? [firstStart] : []),
  ];
}

const firstStart: Approval = {
  level: "note",
  says: "its first start needs the network: it installs @opencode-ai/plugin, which every plugin needs",
  remedy: "Start “opencode” once while you are online.",
};
