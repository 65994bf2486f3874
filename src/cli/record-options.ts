import type { Command } from "commander";
import type { UserRecordsOptions } from "../app.ts";
import { type Io, printable } from "./output.ts";
import { flagsOf, type WorkspaceOptions, withSettings } from "./workspace-options.ts";

export type RecordOptions = WorkspaceOptions;

/** Whose records are meant: those of the user, or those of a space of the database. */
const keys = ["database.url", "database.space"] as const;

export function withRecordOptions(command: Command): Command {
  command.option(
    "--project <folder>",
    "the project, for its part of a database (default: the nearest one here or above)",
  );
  return withSettings(command, keys);
}

export function recordsOf(io: Io, options: RecordOptions): UserRecordsOptions {
  return {
    ...io.place,
    flags: flagsOf(options, keys),
    ...(options.project === undefined ? {} : { project: options.project }),
    onUnreadable: (message) => io.err(`recollect: ${printable(message)}\n`),
  };
}
