/** What stands under our name in a client's file, whoever put it there: a clone brings such files along. */
export interface FoundEntry {
  /** Undefined where it is missing, or is none that a client could start. */
  readonly command: string | undefined;
  readonly args: readonly string[] | undefined;
  /** Its further keys with their values as they are written. */
  readonly others: readonly (readonly [key: string, source: string])[];
  /** Where it stands in the text. */
  readonly spans: readonly { readonly start: number; readonly end: number }[];
}

/** The servers of a client's file, as far as they concern us. */
export interface FoundServers {
  readonly entry?: FoundEntry;
  /** The names of servers that are Serena, whose memories lie in the same folder as ours. */
  readonly serena: readonly string[];
}

/**
 * The keys that can neither change what is run nor what it may do unasked. All others, those that nobody has heard
 * of yet included, can: `env` loads code into Node, `cwd` moves it, `trust` and `autoApprove` silence the client.
 */
const harmless = [
  "description",
  "disabled",
  "enabled",
  "timeout",
  "startup_timeout_sec",
  "startup_timeout_ms",
  "tool_timeout_sec",
  "includeTools",
  "excludeTools",
  "enabled_tools",
  "disabled_tools",
];

export function isHarmless(key: string): boolean {
  return harmless.includes(key);
}

/** The keys that are ours to write. */
export const ownKeys = ["type", "command", "args", "alwaysLoad", "tools"];

export function isSerena(name: string, source: string): boolean {
  return /^serena$/i.test(name) || /oraios\/serena|serena-mcp-server|serena-agent/.test(source);
}
