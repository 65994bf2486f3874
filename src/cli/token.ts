import { Command, InvalidArgumentError } from "commander";
import { idleScopes, isRecollectError, type ListedToken, openWorkspace, type Token, withUserRecords } from "../app.ts";
import { dayOf } from "./local-time.ts";
import { exitCodes, type Io, print, printable } from "./output.ts";
import { type RecordOptions, recordsOf, withRecordOptions } from "./record-options.ts";
import { collect, tellWarnings } from "./workspace-options.ts";

interface CreateOptions extends RecordOptions {
  readonly agentId?: string;
  readonly scope?: readonly string[];
  readonly admin?: boolean;
  readonly expires?: number;
}

/** `recollect token`: the credentials of `recollect serve` (WEB-2). */
export function tokenCommand(io: Io, setExitCode: (code: number) => void): Command {
  const token = new Command("token").description("tokens for recollect serve: who may do what");
  withRecordOptions(token.command("create"))
    .description("make a token, and show it this once")
    .argument("<name>", "what it is for, or whose it is")
    .option("--scope <root:operations>", "what it may do; repeatable (default: *:read)", collect)
    .option("--agent-id <id>", "the agent it is for: history names it, and its own files are reached")
    .option("--admin", "may do everything: sees doctor, guard and metrics, and makes tokens of any scope")
    .option("--expires <days>", "after how many days it ends (default: never)", parseDays)
    .option("--json", "answer with one JSON object")
    .action((name: string, options: CreateOptions) => create(io, name, options));
  withRecordOptions(token.command("list"))
    .description("show the tokens there are; never what they are")
    .option("--json", "answer with one JSON object")
    .action(async (options: RecordOptions) => {
      const tokens = await withUserRecords(recordsOf(io, options), ({ tokens: kept }) => kept.list());
      print(io, options.json === true, tokens.map(toLine).map(printable).join("\n") || "There are no tokens yet.", {
        tokens,
      });
    });
  withRecordOptions(token.command("revoke"))
    .description("end a token; a running server refuses it from its next request on")
    .argument("<id>", "as recollect token list shows it")
    .option("--json", "answer with one JSON object")
    .action(async (id: string, options: RecordOptions) => {
      const revoked = await withUserRecords(recordsOf(io, options), ({ tokens }) => tokens.revoke(id));
      if (!revoked) setExitCode(exitCodes.notFound);
      print(
        io,
        options.json === true,
        revoked ? "Revoked." : "There is no token of that id. Look with: recollect token list",
        {
          revoked,
        },
      );
    });
  for (const command of [token, ...token.commands]) command.addHelpText("after", help);
  return token;
}

const help = `
A scope is ROOT:operations. ROOT is a folder as recollect config show names it, * for all that hold memory, or project
for the project's own files, which * does not mean. Operations: list, read, write, append, delete, move; read means list
as well, all means all. A token reaches nothing that no scope names, and an agent's token always its own files. One of an
admin can make itself another one that reaches everything: give --admin to whom you would give all of it.

Examples:
  $ recollect token create ada --scope '*:all'
  $ recollect token create reviewer --agent-id reviewer --scope '*:read' --scope 'memory:read,write'
  $ recollect token create ci --scope '.serena/memories:read' --expires 30 --json
  $ recollect token list
  $ recollect token revoke 3f9a2c1b7d5e8f60
  $ recollect token create ada --scope '*:all' --database-url postgres://memory@db/recollect --database-space shop`;

async function create(io: Io, name: string, options: CreateOptions): Promise<void> {
  const { agentId, scope: scopes = ["*:read"], admin: isAdmin = false, expires, json = false } = options;
  const { token, secret } = await withUserRecords(recordsOf(io, options), ({ tokens }) =>
    tokens.create({ name, agentId, scopes, isAdmin, expiresInDays: expires }),
  );
  const says = [
    secret,
    "",
    `It is shown this once. ${describe(token)}`,
    `Take it back with: recollect token revoke ${token.id}`,
  ];
  print(io, json, says.map(printable).join("\n"), { ...token, secret });
  tellWarnings(io, json, idleScopes(token, await rootsFor(io, options, scopes)));
}

/** The roots of this project, where any is named; undefined outside of one: the token is for another place then. */
async function rootsFor(
  io: Io,
  options: CreateOptions,
  scopes: readonly string[],
): Promise<readonly string[] | undefined> {
  if (scopes.every((scope) => scope.startsWith("*:"))) return undefined;
  try {
    const workspace = await openWorkspace({ ...recordsOf(io, options), log: () => {} });
    try {
      return workspace.project && workspace.roots.map(({ name }) => name);
    } finally {
      await workspace.close();
    }
  } catch (error) {
    if (isRecollectError(error)) return undefined;
    throw error;
  }
}

function toLine(token: ListedToken): string {
  const used = token.lastUsed === undefined ? "never used" : `used ${dayOf(token.lastUsed)}`;
  return `${token.id}  ${dayOf(token.created)}  ${describe(token)}  (${used})`;
}

function describe({ name, author, scopes, isAdmin, expires }: Token): string {
  const until = expires === undefined ? "" : `, until ${dayOf(expires)}`;
  return `${name}: ${author} may ${scopes.join(" ")}${isAdmin ? " and administer" : ""}${until}`;
}

function parseDays(text: string): number {
  const days = Number(text);
  if (Number.isInteger(days) && days >= 1 && days <= 36_500) return days;
  throw new InvalidArgumentError("It takes a number of days from 1 to 36500.");
}
