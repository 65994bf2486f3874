interface WithdrawnSetting {
  readonly key: string;
  readonly env: string;
  readonly flag: string;
  /** What holds now, and what to do. */
  readonly instead: string;
}

const noReplica = "Search reads from database.url, which may name several hosts";
export const noOwnModel = "An ONNX model of your own is no longer run: set search.model to none, local or endpoint";

/** Settings of earlier builds. A file, a variable or a flag that still gives one is refused, and the error says what to do. */
const withdrawnSettings: readonly WithdrawnSetting[] = [
  {
    key: "database.replica_url",
    env: "RECOLLECT_DATABASE_REPLICA_URL",
    flag: "--database-replica-url",
    instead: noReplica,
  },
  {
    key: "database.replica_staleness_ms",
    env: "RECOLLECT_DATABASE_REPLICA_STALENESS_MS",
    flag: "--database-replica-staleness-ms",
    instead: noReplica,
  },
  {
    key: "search.model_folder",
    env: "RECOLLECT_SEARCH_MODEL_FOLDER",
    flag: "--search-model-folder",
    instead: noOwnModel,
  },
];

/** What to tell a user who still gives such a setting under this name; undefined for any other name. */
export function withdrawnSetting(by: "key" | "env" | "flag", name: string): string | undefined {
  const found = withdrawnSettings.find((one) => one[by] === name);
  return found && `${name} was withdrawn: remove it. ${found.instead}`;
}

/** The variables of withdrawn settings. */
export const withdrawnVariables: readonly string[] = withdrawnSettings.map(({ env }) => env);
