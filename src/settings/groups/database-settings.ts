import { databaseSpaceOf } from "../made-defaults.ts";
import type { SettingTable } from "../setting.ts";
import { databaseType, integerType, ownSpaceText, textType } from "../setting-types.ts";

/** Which database there is, and how it is used. */
export const databaseSettings = {
  "database.url": {
    type: databaseType(),
    default: undefined,
    env: "RECOLLECT_DATABASE_URL",
    flags: [{ name: "--database-url" }],
    trust: "user",
    why: "says to which database your memory is sent",
    description:
      "Address of a PostgreSQL database. With it, memories, topics and the files of agents lie there unless a folder is set.",
  },
  "database.space": {
    type: textType("the name of a space, as text", ownSpaceText),
    default: databaseSpaceOf,
    env: "RECOLLECT_DATABASE_SPACE",
    flags: [{ name: "--database-space" }],
    trust: "user",
    why: "says whose part of the database is read and written",
    description:
      "What the spaces of this project begin with in the database: the same for all who share a memory. By default the name of its folder and a hash of where that lies, so that no two share one by accident.",
  },
  "database.connections": {
    type: integerType(1, 1000),
    default: 10,
    env: "RECOLLECT_DATABASE_CONNECTIONS",
    flags: [{ name: "--database-connections" }],
    trust: "user",
    why: "weakens a limit of your server",
    description: "How many connections to the database one process opens at most.",
  },
  "database.statement_seconds": {
    type: integerType(1, 3600),
    default: 30,
    env: "RECOLLECT_DATABASE_STATEMENT_SECONDS",
    flags: [{ name: "--database-statement-seconds" }],
    trust: "user",
    why: "weakens a limit of your server",
    description: "How long one statement may take, or wait for others.",
  },
} as const satisfies SettingTable;
