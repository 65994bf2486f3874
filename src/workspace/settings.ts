import { createHash } from "node:crypto";
import { basename } from "node:path";
import { logLevels } from "../core/log.ts";
import { syncStrategies } from "../sync/follow-sync.ts";
import { realPathOf } from "./real-path.ts";
import {
  agentIdText,
  booleanType,
  choicesType,
  choiceType,
  databaseType,
  daysType,
  endpointText,
  folderType,
  globsType,
  integerType,
  numberType,
  originsType,
  ownSpaceText,
  placesType,
  placeType,
  projectNameText,
  type SettingType,
  spacePlace,
  textType,
  variableText,
} from "./setting-types.ts";

/**
 * What a value in a project's own file may do, since that file comes with a clone (CFG-2):
 * `safe` takes effect; `outside` does where it stays inside of the project, or after `recollect trust`;
 * `user` never does, it belongs to the person and not to the project.
 */
export type TrustClass = "safe" | "outside" | "user";

interface SettingFlag {
  readonly name: `--${string}`;
  /** The text is one element of the list, commas and all; the flag is repeated for more. */
  readonly oneElement?: boolean;
}

export interface DefaultContext {
  readonly project: string | undefined;
  readonly dataFolder: string;
  /** Whether a source other than the default gave that key a value. */
  isSet(key: string): boolean;
  /** What such a source said, as it stands there. */
  given(key: string): unknown;
  /** Whether the user said `recollect embeddings enable`. */
  isLocalModelEnabled(): boolean;
}

interface SettingBasics {
  readonly type: SettingType<unknown, unknown>;
  /** As it would stand in a file, or a function of DefaultContext that says so; undefined where there is none. */
  readonly default: unknown;
  /** The command by which the user chose the default that holds; undefined where it is nobody's choice. */
  chosenBy?(context: DefaultContext): string | undefined;
  readonly env: `RECOLLECT_${string}`;
  readonly flags: readonly SettingFlag[];
  readonly description: string;
}

/** `why` completes “has no effect, since it …”. Folders need none: where they lead is looked up. */
export type Setting = SettingBasics &
  (
    | { readonly trust: "safe" }
    | { readonly trust: "user"; readonly why: string }
    | {
        readonly trust: "outside";
        readonly why?: string;
        /** Whether this very value reaches outside; without it every value does. Not asked about folders. */
        reaches?(raw: unknown, context: DefaultContext): boolean;
      }
  );

export const toolSets = ["memories", "topics", "search", "bank", "files", "agent"] as const;
export type ToolSet = (typeof toolSets)[number];
/** Served without being asked for: they reach nothing but memory. */
const ownTools: readonly ToolSet[] = ["memories", "topics", "search"];

const searchModels = ["none", "local", "onnx", "endpoint"] as const;
export type SearchModel = (typeof searchModels)[number];

/** Signatures by a key of which only the other half is published. */
const oauthAlgorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
] as const;

/** Too many for a folder in a clone whose name was chosen so that it has those of another project. */
const placeDigits = 16;
/** So many leave room for the digits in a part of a space's name. */
const mostNameCharacters = 40;

const kibibyte = 1024;
const mebibyte = kibibyte * kibibyte;

/** Every setting there is. A new one is one entry here; files, environment, flags and schema follow from it. */
const settings = {
  project_name: {
    type: textType("one plain name, as text", projectNameText),
    default: projectNameOf,
    env: "RECOLLECT_PROJECT_NAME",
    flags: [{ name: "--project-name" }],
    trust: "outside",
    why: "chooses which project's part of the bank is read and written",
    reaches: (raw, context) => raw !== projectNameOf(context),
    description: "Name of the project's part of the bank; by default the name of the project's folder.",
  },
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
  "database.replica_url": {
    type: databaseType(),
    default: undefined,
    env: "RECOLLECT_DATABASE_REPLICA_URL",
    flags: [{ name: "--database-replica-url" }],
    trust: "user",
    why: "says from which database your memory is read",
    description: "Address of a replica of that database, from which search reads while it is fresh enough.",
  },
  "database.replica_staleness_ms": {
    type: integerType(100, 600_000),
    default: 5000,
    env: "RECOLLECT_DATABASE_REPLICA_STALENESS_MS",
    flags: [{ name: "--database-replica-staleness-ms" }],
    trust: "user",
    why: "says how old an answer of your search may be",
    description: "How far a replica may be behind before search reads from the database itself.",
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
  "memories.folder": {
    type: placeType(),
    default: inDatabase("memories", ".serena/memories"),
    env: "RECOLLECT_MEMORIES_FOLDER",
    flags: [{ name: "--memories-folder" }],
    trust: "outside",
    description: "Folder of the project's memories.",
  },
  "memories.additional_folders": {
    type: placesType(),
    default: [],
    env: "RECOLLECT_ADDITIONAL_FOLDERS",
    flags: [{ name: "--additional-folders" }, { name: "--additional-folder", oneElement: true }],
    trust: "outside",
    description: "More folders with memories, searched in this order; :ro at the end makes one read-only.",
  },
  "memories.read_only": {
    type: globsType(),
    default: [],
    env: "RECOLLECT_READ_ONLY",
    flags: [{ name: "--read-only", oneElement: true }],
    trust: "safe",
    description: "Patterns of memory names that nobody may change.",
  },
  "memories.global_folder": {
    type: placeType(),
    default: inDatabase("global", "~/.serena/memories/global"),
    env: "RECOLLECT_GLOBAL_FOLDER",
    flags: [{ name: "--global-folder" }],
    trust: "user",
    why: "says where your own memories lie, which all your projects share",
    description: "Folder of your own memories, which all projects share as global/NAME.",
  },
  "memories.global_writable": {
    type: booleanType(),
    default: false,
    env: "RECOLLECT_GLOBAL_WRITABLE",
    flags: [{ name: "--global-writable" }],
    trust: "user",
    why: "would let this project's agents change what all your projects read",
    description: "Whether agents may change your own memories (global/NAME).",
  },
  "bank.memory_path": {
    type: placeType(),
    default: undefined,
    env: "RECOLLECT_MEMORY_PATH",
    flags: [{ name: "--memory-path" }],
    trust: "outside",
    description: "Base folder of the central memory bank, with a folder for each project and one of templates.",
  },
  memory_path: {
    type: placeType(),
    default: inDatabase("topics", "memory"),
    env: "RECOLLECT_TOPICS_FOLDER",
    flags: [{ name: "--topics-folder" }],
    trust: "outside",
    description: "Folder of the project's topics: dated entries, newest first.",
  },
  "memory_configuration.external_memory_enabled": {
    type: booleanType(),
    default: false,
    env: "RECOLLECT_EXTERNAL_MEMORY",
    flags: [{ name: "--external-memory" }],
    trust: "outside",
    why: "keeps this project's topics outside of it",
    reaches: (raw) => raw === true,
    description: "Whether topics lie in memory_configuration.memory_path instead of the project.",
  },
  "memory_configuration.memory_path": {
    type: textType("a folder, or the address of a git repository, as text"),
    default: undefined,
    env: "RECOLLECT_EXTERNAL_MEMORY_PATH",
    flags: [{ name: "--external-memory-path" }],
    trust: "outside",
    why: "says where outside of the project its topics lie",
    description:
      "Folder of the topics where external memory is enabled; with git_repo also an address (https, ssh, file).",
  },
  "memory_configuration.memory_type": {
    type: choiceType(["local_dir", "git_repo"]),
    default: "local_dir",
    env: "RECOLLECT_EXTERNAL_MEMORY_TYPE",
    flags: [{ name: "--external-memory-type" }],
    trust: "outside",
    why: "would send your external memory to a remote",
    reaches: (raw) => raw === "git_repo",
    description:
      "What the external memory is: local_dir (a folder), or git_repo (a folder that is a git repository, or the address of one).",
  },
  "memory_configuration.sync_strategy": {
    type: choiceType(syncStrategies),
    default: "on_write",
    env: "RECOLLECT_SYNC_STRATEGY",
    flags: [{ name: "--sync-strategy" }],
    trust: "outside",
    why: "says when your external memory is sent to its remote",
    reaches: (raw) => raw !== "manual",
    description:
      "When a git_repo is synced with its remote: on_write (some seconds after), interval (by a server), manual (recollect sync).",
  },
  "memory_configuration.sync_interval_minutes": {
    type: integerType(1, 10_080),
    default: 10,
    env: "RECOLLECT_SYNC_INTERVAL_MINUTES",
    flags: [{ name: "--sync-interval-minutes" }],
    trust: "safe",
    description: "How often a server syncs a git_repo, with sync_strategy: interval.",
  },
  "memory_configuration.on_external_failure": {
    type: choiceType(["fallback", "fail"]),
    default: "fallback",
    env: "RECOLLECT_ON_EXTERNAL_FAILURE",
    flags: [{ name: "--on-external-failure" }],
    trust: "safe",
    description: "Where the external memory cannot be used: go on in the project's folder, with a warning, or fail.",
  },
  "guard.policy": {
    type: choiceType(["standard", "strict", "warn"]),
    default: "standard",
    env: "RECOLLECT_GUARD_POLICY",
    flags: [{ name: "--guard-policy" }],
    trust: "outside",
    why: "weakens the guard against secrets in notes",
    reaches: (raw) => raw === "warn",
    description:
      "What is refused: standard (secrets), strict (also every suspicious word), warn (nothing, but it is logged).",
  },
  "history.keep": {
    type: daysType(),
    default: "all",
    env: "RECOLLECT_HISTORY_KEEP",
    flags: [{ name: "--history-keep" }],
    trust: "outside",
    why: "drops older revisions of what you wrote",
    reaches: (raw) => raw !== "all",
    description: "How long revisions are kept: all, or a number of days.",
  },
  "history.commit_to_project": {
    type: booleanType(),
    default: false,
    env: "RECOLLECT_COMMIT_TO_PROJECT",
    flags: [{ name: "--commit-to-project" }],
    trust: "outside",
    why: "makes commits of your notes on the branch that you work on",
    reaches: (raw) => raw === true,
    description:
      "Whether memory that lies in the project's git repository is committed there, on the current branch, after it was recorded.",
  },
  "search.meaning": {
    type: booleanType(),
    default: true,
    env: "RECOLLECT_SEARCH_MEANING",
    flags: [{ name: "--search-meaning" }],
    trust: "safe",
    description: "Whether search also goes by meaning: by the table that comes with the package, or by search.model.",
  },
  "search.model": {
    type: choiceType(searchModels),
    default: ({ isLocalModelEnabled }: DefaultContext): SearchModel => (isLocalModelEnabled() ? "local" : "none"),
    chosenBy: ({ isLocalModelEnabled }) => (isLocalModelEnabled() ? "recollect embeddings enable" : undefined),
    env: "RECOLLECT_SEARCH_MODEL",
    flags: [{ name: "--search-model" }],
    trust: "user",
    why: "chooses which model is loaded, or where your notes are sent",
    description:
      "The larger model that search goes by: none, local (recollect embeddings enable), onnx (search.model_folder) or endpoint (search.endpoint).",
  },
  "search.model_folder": {
    type: folderType(),
    default: undefined,
    env: "RECOLLECT_SEARCH_MODEL_FOLDER",
    flags: [{ name: "--search-model-folder" }],
    trust: "user",
    why: "says from where a model and its runtime are loaded, which is code",
    description: "Folder of an ONNX model with its tokenizer, for search.model: onnx.",
  },
  "search.endpoint": {
    type: textType("an address such as http://localhost:11434/v1", endpointText),
    default: undefined,
    env: "RECOLLECT_SEARCH_ENDPOINT",
    flags: [{ name: "--search-endpoint" }],
    trust: "user",
    why: "says to where your notes and searches are sent",
    description: "Address of an OpenAI-compatible service of embeddings, for search.model: endpoint.",
  },
  "search.endpoint_model": {
    type: textType("the name of a model, as text"),
    default: undefined,
    env: "RECOLLECT_SEARCH_ENDPOINT_MODEL",
    flags: [{ name: "--search-endpoint-model" }],
    trust: "user",
    why: "says what is asked of the service that you chose",
    description: "The model that is asked for at search.endpoint.",
  },
  "search.endpoint_key_variable": {
    type: textType("the name of an environment variable, such as OPENAI_API_KEY", variableText),
    default: undefined,
    env: "RECOLLECT_SEARCH_ENDPOINT_KEY_VARIABLE",
    flags: [{ name: "--search-endpoint-key-variable" }],
    trust: "user",
    why: "says which of your environment variables is sent to the endpoint",
    description: "Name of the environment variable that holds the key for search.endpoint.",
  },
  "search.recency_weight": {
    type: numberType(0, 10),
    default: 0.05,
    env: "RECOLLECT_SEARCH_RECENCY_WEIGHT",
    flags: [{ name: "--search-recency-weight" }],
    trust: "safe",
    description: "How much a note of today gains in a search; text and meaning are at most 1 together.",
  },
  "search.recency_half_life_days": {
    type: integerType(1, 36_500),
    default: 60,
    env: "RECOLLECT_SEARCH_RECENCY_HALF_LIFE_DAYS",
    flags: [{ name: "--search-recency-half-life-days" }],
    trust: "safe",
    description: "After how many days that gain is half of it.",
  },
  "search.context_weight": {
    type: numberType(0, 10),
    default: 0.3,
    env: "RECOLLECT_SEARCH_CONTEXT_WEIGHT",
    flags: [{ name: "--search-context-weight" }],
    trust: "safe",
    description: "How much a note gains that has to do with the topic, the task and the files being worked on.",
  },
  share_worktrees: {
    type: booleanType(),
    default: false,
    env: "RECOLLECT_SHARE_WORKTREES",
    flags: [{ name: "--share-worktrees" }],
    trust: "outside",
    why: "reads and writes the memories of another folder, the main worktree",
    reaches: (raw) => raw === true,
    description: "Whether a git worktree uses the memories of the main worktree.",
  },
  "limits.document_bytes": {
    type: integerType(kibibyte, 16 * mebibyte),
    default: mebibyte,
    env: "RECOLLECT_DOCUMENT_BYTES",
    flags: [{ name: "--document-bytes" }],
    trust: "safe",
    description: "How many bytes one document may have.",
  },
  "agent.id": {
    type: textType("one plain name, as text", agentIdText),
    default: undefined,
    env: "RECOLLECT_AGENT_ID",
    flags: [{ name: "--agent-id" }],
    trust: "user",
    why: "says whose private memory is opened",
    description: "The agent whose own files are served.",
  },
  "agent.app_cache_dir": {
    type: placeType(),
    default: inDatabase("agents", ({ dataFolder }) => dataFolder),
    env: "RECOLLECT_APP_CACHE_DIR",
    flags: [{ name: "--app-cache-dir" }],
    trust: "user",
    why: "says where the private memory of all agents lies",
    description: "Folder that holds agent_memory; by default your data folder.",
  },
  tools: {
    type: choicesType(toolSets),
    default: ({ isSet }: DefaultContext): ToolSet[] => [
      ...ownTools,
      ...(isSet("bank.memory_path") ? (["bank", "files"] as const) : []),
      ...(isSet("agent.id") ? (["agent"] as const) : []),
    ],
    env: "RECOLLECT_TOOLS",
    flags: [{ name: "--tools" }],
    trust: "outside",
    why: "gives agents tools that you did not choose",
    reaches: (raw) => Array.isArray(raw) && raw.some((set) => !ownTools.includes(set)),
    description: "Tool sets that are served; by default those that the rest of the configuration calls for.",
  },
  "serve.host": {
    type: textType("a name or an address of this machine, as text"),
    default: "127.0.0.1",
    env: "RECOLLECT_SERVE_HOST",
    flags: [{ name: "--host" }],
    trust: "user",
    why: "could open your memory to the network",
    description: "On which address of this machine “recollect serve” listens; by default no other machine reaches it.",
  },
  "serve.port": {
    type: integerType(0, 65_535),
    default: 7325,
    env: "RECOLLECT_SERVE_PORT",
    flags: [{ name: "--port" }],
    trust: "user",
    why: "says under which port your memory is reached",
    description: "On which port “recollect serve” listens; 0 takes a free one.",
  },
  "serve.addresses": {
    type: originsType(),
    default: [],
    env: "RECOLLECT_SERVE_ADDRESSES",
    flags: [{ name: "--addresses" }],
    trust: "user",
    why: "says whose pages may ask for your memory",
    description: "Addresses under which others reach the server, such as https://memory.example.org behind a proxy.",
  },
  "serve.body_bytes": {
    type: integerType(kibibyte, 64 * mebibyte),
    default: 8 * mebibyte,
    env: "RECOLLECT_SERVE_BODY_BYTES",
    flags: [{ name: "--body-bytes" }],
    trust: "user",
    why: "weakens a limit of your server",
    description: "How many bytes one request may have.",
  },
  "serve.requests_per_minute": {
    type: integerType(1, 10_000_000),
    default: 6000,
    env: "RECOLLECT_SERVE_REQUESTS_PER_MINUTE",
    flags: [{ name: "--requests-per-minute" }],
    trust: "user",
    why: "weakens a limit of your server",
    description: "How often one token may ask; a sixth of it at once. More is answered 429.",
  },
  "serve.request_seconds": {
    type: integerType(1, 3600),
    default: 60,
    env: "RECOLLECT_SERVE_REQUEST_SECONDS",
    flags: [{ name: "--request-seconds" }],
    trust: "user",
    why: "weakens a limit of your server",
    description: "How long one request may take.",
  },
  "serve.requests_at_once": {
    type: integerType(1, 1000),
    default: 16,
    env: "RECOLLECT_SERVE_REQUESTS_AT_ONCE",
    flags: [{ name: "--requests-at-once" }],
    trust: "user",
    why: "weakens a limit of your server",
    description: "How many requests are worked on at once.",
  },
  "serve.requests_waiting": {
    type: integerType(0, 100_000),
    default: 256,
    env: "RECOLLECT_SERVE_REQUESTS_WAITING",
    flags: [{ name: "--requests-waiting" }],
    trust: "user",
    why: "weakens a limit of your server",
    description: "How many more may wait for their turn, for five seconds. More is answered 503.",
  },
  "serve.oauth_issuer": {
    type: textType("an address such as https://login.example.org", endpointText),
    default: undefined,
    env: "RECOLLECT_SERVE_OAUTH_ISSUER",
    flags: [{ name: "--oauth-issuer" }],
    trust: "user",
    why: "says who may let others in",
    description: "The authorization server whose tokens are accepted, as their iss says it.",
  },
  "serve.oauth_audience": {
    type: textType("an address such as https://memory.example.org/mcp, as text"),
    default: undefined,
    env: "RECOLLECT_SERVE_OAUTH_AUDIENCE",
    flags: [{ name: "--oauth-audience" }],
    trust: "user",
    why: "says which tokens let others in",
    description: "For whom such a token must be meant, as its aud says it: the address of this server.",
  },
  "serve.oauth_jwks_uri": {
    type: textType("an address such as https://login.example.org/jwks.json", endpointText),
    default: undefined,
    env: "RECOLLECT_SERVE_OAUTH_JWKS_URI",
    flags: [{ name: "--oauth-jwks-uri" }],
    trust: "user",
    why: "says whose keys let others in",
    description: "Where the authorization server publishes the keys that it signs with.",
  },
  "serve.oauth_algorithms": {
    type: choicesType(oauthAlgorithms),
    default: ["RS256", "ES256", "EdDSA"],
    env: "RECOLLECT_SERVE_OAUTH_ALGORITHMS",
    flags: [{ name: "--oauth-algorithms" }],
    trust: "user",
    why: "weakens how tokens are checked",
    description: "The ways of signing that are accepted.",
  },
  "serve.oauth_agent_claim": {
    type: textType("the name of a claim, as text"),
    default: "agent_id",
    env: "RECOLLECT_SERVE_OAUTH_AGENT_CLAIM",
    flags: [{ name: "--oauth-agent-claim" }],
    trust: "user",
    why: "says whose private memory a token opens",
    description: "The claim of such a token that names the agent whose own files it reaches.",
  },
  log_level: {
    type: choiceType(logLevels),
    default: undefined,
    env: "RECOLLECT_LOG_LEVEL",
    flags: [{ name: "--log-level" }],
    trust: "user",
    why: "could hide what you are to be told",
    description: "Log to stderr from this level on.",
  },
} as const satisfies Readonly<Record<string, Setting>>;

export type SettingKey = keyof typeof settings;

type ValueOf<One> = One extends { readonly type: SettingType<infer _Raw, infer Value>; readonly default: infer Default }
  ? Value | MaybeMissing<Default>
  : never;
type MaybeMissing<Default> = Default extends (context: DefaultContext) => infer Made
  ? Extract<Made, undefined>
  : Extract<Default, undefined>;

/** The value of every setting, under its dotted key. */
export type SettingValues = { readonly [Key in SettingKey]: ValueOf<(typeof settings)[Key]> };

/** `--memories-folder` and so on: every flag that sets a setting. */
export type SettingFlagName = (typeof settings)[SettingKey]["flags"][number]["name"];

export const settingKeys = Object.keys(settings) as readonly SettingKey[];

export function settingOf(key: SettingKey): Setting {
  return settings[key];
}

/** A value as it may be shown: without a password. */
export function shownValue(key: SettingKey, value: unknown): unknown {
  const { type } = settingOf(key);
  return value === undefined || !type.shown ? value : type.shown(value);
}

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(settings, key);
}

/** Where a database is configured, roots lie in a space of it unless somebody said otherwise. */
function inDatabase(part: string, otherwise: string | ((context: DefaultContext) => string)) {
  return (context: DefaultContext): string => {
    if (context.isSet("database.url")) {
      const space = context.given("database.space") ?? databaseSpaceOf(context);
      return spacePlace(`${space}/${part}`);
    }
    return typeof otherwise === "string" ? otherwise : otherwise(context);
  };
}

/** Anybody can call a folder as another project is called, and a clone is called as its owner likes. */
function databaseSpaceOf({ project }: DefaultContext): string {
  if (project === undefined) return "default";
  const folder = realPathOf(project);
  const place = createHash("sha256").update(folder).digest("hex").slice(0, placeDigits);
  const short = [...basename(folder)].slice(0, mostNameCharacters).join("");
  return ownSpaceText.safeParse(`${short}-${place}`).data ?? `project-${place}`;
}

/** A folder may have a name that no part of a bank can have; then the bank needs a name by configuration. */
function projectNameOf({ project }: DefaultContext): string | undefined {
  return projectNameText.safeParse(basename(project ?? "")).data;
}
