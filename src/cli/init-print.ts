import {
  allowedTools,
  askedTools,
  findLaunch,
  instructionLines,
  programLine,
  type ServerFlags,
  serverArguments,
} from "../app.ts";
import { type Io, print } from "./output.ts";
import type { SetupHost } from "./setup-host.ts";

/** What any other client needs, for its user to put where it belongs. */
export function printForOthers(io: Io, { surroundings }: SetupHost, json: boolean, flags: ServerFlags): void {
  const [command, ...before] = programLine({ ...surroundings, launch: findLaunch(surroundings) }, "user", true);
  const server = { command, args: [...before, ...serverArguments("client", undefined, flags)] };
  const text = `Any MCP client can use Recollect. Add this server where it keeps its servers; the key around it may be
another one, such as “servers” or “context_servers”:

${JSON.stringify({ mcpServers: { recollect: server } }, null, 2)}

Recollect works on the project in which the client starts it. If that is another folder, add to the arguments:
  "--project", "FOLDER OF THE PROJECT"

Tools that read or add, which it may call without asking:
  ${allowedTools.join(", ")}
Tools that replace or delete, for which it should ask:
  ${askedTools.join(", ")}

If it has no hooks, put these lines where it reads instructions, such as AGENTS.md:

${instructionLines.join("\n")}`;
  print(io, json, text, { server, allowed: allowedTools, asked: askedTools, instructions: instructionLines });
}
