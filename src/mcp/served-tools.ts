import type { Session, ToolSet } from "../app.ts";
import type { LastSessions } from "./last-sessions.ts";
import type { McpServerOptions } from "./server.ts";

export interface ServedToolsOptions {
  readonly tools: readonly ToolSet[];
  /** Whose history can be seen. */
  readonly historyRoots: readonly string[];
  /** What every answer about topics says until the external memory works again. */
  readonly topicsWarning: () => string | undefined;
  /** Of the person who runs the server, and nobody else's to know. */
  readonly sessions?: LastSessions | undefined;
}

/** What a server offers of a workspace, or of what somebody sees of one, by the tool sets that are configured. */
export function servedTools(from: Session, options: ServedToolsOptions): Omit<McpServerOptions, "version"> {
  const { tools, historyRoots, topicsWarning, sessions } = options;
  const { memories, topics, topicsRoot, bank, bankAreas, agent } = from;
  const [own] = bankAreas?.bank ?? [];
  const areas = bankAreas && { project: own, templates: bankAreas.templates[0] };
  // Whoever loads or finds lessons reads and corrects them, too.
  const [hasTopics, canSearch] = [tools.includes("topics"), tools.includes("search")];
  const withLessons = topicsRoot !== undefined && (hasTopics || canSearch);
  return {
    ...(tools.includes("memories")
      ? {
          memories,
          records: from.records({ withLessons }),
          hasLessons: withLessons,
          history: { history: from.history, nameOf: from.nameOf, roots: historyRoots },
        }
      : {}),
    ...(hasTopics ? { topics: { topics, warning: topicsWarning } } : {}),
    ...(canSearch ? { search: { search: from.search, sessions } } : {}),
    ...(tools.includes("files") ? { files: bank } : {}),
    ...(tools.includes("bank") && own !== undefined ? { bank } : {}),
    ...(tools.some((set) => set === "bank" || set === "files") ? { bankAreas: areas } : {}),
    ...(tools.includes("agent") && agent ? { agent } : {}),
  };
}
