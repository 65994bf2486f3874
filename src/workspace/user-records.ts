import { homedir } from "node:os";
import { openSharedRecords, type SharedRecords } from "../credentials/shared-records.ts";
import { openBackends } from "../roots/open-backends.ts";
import type { SettingValues } from "../settings/settings.ts";
import { settleProject } from "../settings/settle-project.ts";
import { userDataFolder } from "../settings/user-folders.ts";
import type { WorkspaceOptions } from "./workspace.ts";

export interface UserRecordsOptions extends Pick<WorkspaceOptions, "cwd" | "project" | "flags" | "env" | "home"> {
  /** Told once of each token's record that cannot be read. */
  readonly onUnreadable?: (message: string) => void;
}

type UserRecords = Pick<SharedRecords, "tokens" | "allowList">;

/** Tokens and what the guard lets pass, as a server that is started with the same settings has them; no more is opened. */
export async function withUserRecords<Result>(
  options: UserRecordsOptions,
  use: (records: UserRecords) => Promise<Result>,
): Promise<Result> {
  const { cwd = process.cwd(), env = process.env, home = homedir(), onUnreadable = () => {} } = options;
  const { settings } = await settleProject({ ...options, cwd, env, home });
  return withRecordsBy({ values: settings.values, dataFolder: userDataFolder({ env, home }), onUnreadable }, use);
}

/** The same by settings that are known. */
export async function withRecordsBy<Result>(
  options: {
    readonly values: SettingValues;
    readonly dataFolder: string;
    readonly onUnreadable: (message: string) => void;
  },
  use: (records: UserRecords) => Promise<Result>,
): Promise<Result> {
  // No root is opened, so there is nothing that home and environment would lead to.
  const backends = await openBackends({ ...options, env: {}, home: "" }, []);
  try {
    return await use(openSharedRecords(backends.records, options.onUnreadable));
  } finally {
    await backends.close();
  }
}
