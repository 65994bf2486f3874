import { Command } from "commander";
import { counted, RecollectError, type SessionRecord, type SessionRecords } from "../app.ts";
import { minuteOf } from "./local-time.ts";
import { type Io, print, printable } from "./output.ts";
import { type WorkspaceOptions, withWorkspace } from "./workspace-options.ts";

const mostListed = 50;
/** Enough to tell the sessions of two weeks apart. */
const idChars = 8;
const titleChars = 90;

type SessionsOptions = WorkspaceOptions & { readonly forget?: boolean };

/** `recollect sessions`: what agents last did in this project, as their hooks kept it (USE-14). */
export function sessionsCommand(io: Io): Command {
  return new Command("sessions")
    .description("show what agents last did in this project, in any client")
    .argument("[id]", "one session in full, by the beginning of its id")
    .option("--project <folder>", "the project (default: the nearest one here or above)")
    .option("--forget", "delete the record of this session, or of all sessions of the project")
    .option("--json", "answer with one JSON object")
    .action((id: string | undefined, options: SessionsOptions) =>
      withWorkspace(io, options, async ({ sessionRecords }) => {
        if (options.forget) forget(io, options, sessionRecords, id);
        else if (id === undefined) list(io, options, sessionRecords);
        else show(io, options, sessionRecords, id);
      }),
    )
    .addHelpText(
      "after",
      `
Where hooks are set up, each session leaves a record on this machine for 14 days: client, time, first prompt, changed
files and the beginning of the last answer, but nothing in which the guard finds a secret. The setting hooks.sessions
switches that off.

Examples:
  $ recollect sessions              the last sessions, the latest first
  $ recollect sessions 3f9a2c1b     one of them in full
  $ recollect sessions --forget     delete all of them`,
    );
}

function list(io: Io, { json = false }: SessionsOptions, records: SessionRecords): void {
  const sessions = records.list(mostListed);
  const none = "No sessions are on record. They are kept where hooks are set up: recollect init";
  print(io, json, sessions.map(lineOf).map(printable).join("\n") || none, { sessions });
}

function lineOf({ id, client, time, prompt, files }: SessionRecord): string {
  const said = prompt.length > titleChars ? `${prompt.slice(0, titleChars - 1)}…` : prompt;
  const changed = files.length === 0 ? "" : `  (changed ${counted(files.length, "file")})`;
  return `${id.slice(0, idChars)}  ${minuteOf(time)}  ${client}  ${said || "(a prompt that is not kept)"}${changed}`;
}

function show(io: Io, { json = false }: SessionsOptions, records: SessionRecords, id: string): void {
  const found = records.list(Number.POSITIVE_INFINITY).filter((one) => one.id.startsWith(id));
  const [session] = found;
  if (session === undefined) throw unknownSession(id);
  if (found.length > 1) {
    throw new RecollectError("INVALID_ARGUMENT", `The ids of ${found.length} sessions begin so. Give more of it.`);
  }
  const { client, begun, time, prompt, files, answer } = session;
  const parts = [
    `${session.id}  ${client}, ${minuteOf(begun)} to ${minuteOf(time)}`,
    `First prompt: ${prompt || "not kept"}`,
    ...(files.length === 0 ? [] : [`Changed: ${files.join(", ")}`]),
    ...(answer === "" ? [] : [`Last answer: ${answer}`]),
  ];
  print(io, json, parts.map(printable).join("\n"), { session });
}

function forget(io: Io, { json = false }: SessionsOptions, records: SessionRecords, id?: string): void {
  const forgotten = records.forget(id);
  if (forgotten === 0 && id !== undefined) throw unknownSession(id);
  print(io, json, forgotten === 0 ? "No sessions are on record." : `Forgot ${counted(forgotten, "session")}.`, {
    forgotten,
  });
}

function unknownSession(id: string): RecollectError {
  return new RecollectError("NOT_FOUND", `No session's id begins with “${id}”. Look with: recollect sessions`);
}
