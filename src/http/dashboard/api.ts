import type { ApiAgents } from "../api/contract/agents.ts";
import type { ApiConflicts, ApiConflictView, ApiSettle, ApiSettled } from "../api/contract/conflicts.ts";
import type { ApiDocument, ApiMove, ApiMoved, ApiSave, ApiSaved } from "../api/contract/document.ts";
import type { ApiFolder } from "../api/contract/folder.ts";
import type { ApiAllow, ApiGuard } from "../api/contract/guard.ts";
import type { ApiDiff, ApiHistory, ApiRestore, ApiRestored } from "../api/contract/history.ts";
import type { ApiOverview } from "../api/contract/overview.ts";
import type { ApiPlace } from "../api/contract/place.ts";
import type { ApiSearch } from "../api/contract/search.ts";
import type { ApiSession } from "../api/contract/session.ts";
import type { ApiCreatedToken, ApiNewToken, ApiTokens } from "../api/contract/tokens.ts";
import type { ApiEntries, ApiTopics } from "../api/contract/topics.ts";
import type { ApiClient } from "./api-client.ts";

type Texts = Readonly<Record<string, string | undefined>>;

/** Every call of the API that the dashboard makes. */
export function createApi(client: ApiClient) {
  const { get, send } = client;
  return {
    session: (signal?: AbortSignal) => get<ApiSession>("/session", {}, signal),
    overview: (signal: AbortSignal) => get<ApiOverview>("/overview", {}, signal),
    folder: (root: string, folder: string, after: string | undefined, signal: AbortSignal) =>
      get<ApiFolder>("/folder", { root, folder, after }, signal),
    document: ({ root, path }: ApiPlace, signal?: AbortSignal) => get<ApiDocument>("/document", { root, path }, signal),
    save: (body: ApiSave) => send<ApiSaved>("PUT", "/document", { body }),
    remove: ({ root, path }: ApiPlace, ifRev: string) =>
      send<ApiSaved>("DELETE", "/document", { query: { root, path, ifRev } }),
    move: (body: ApiMove) => send<ApiMoved>("POST", "/document/move", { body }),
    search: (query: Texts, signal: AbortSignal) => get<ApiSearch>("/search", query, signal),
    history: (query: Texts, signal?: AbortSignal) => get<ApiHistory>("/history", query, signal),
    diff: ({ root, path }: ApiPlace, to: string, from: string | undefined, signal: AbortSignal) =>
      get<ApiDiff>("/history/diff", { root, path, to, from }, signal),
    restore: (body: ApiRestore) => send<ApiRestored>("POST", "/history/restore", { body }),
    topics: (signal: AbortSignal) => get<ApiTopics>("/topics", {}, signal),
    entries: (query: Texts, signal: AbortSignal) => get<ApiEntries>("/topics/entries", query, signal),
    conflicts: (signal: AbortSignal) => get<ApiConflicts>("/conflicts", {}, signal),
    conflict: ({ root, path }: ApiPlace, signal: AbortSignal) =>
      get<ApiConflictView>("/conflicts/show", { root, path }, signal),
    settle: (body: ApiSettle) => send<ApiSettled>("POST", "/conflicts/settle", { body }),
    guard: (signal: AbortSignal) => get<ApiGuard>("/guard", {}, signal),
    allow: (body: ApiAllow) => send<unknown>("POST", "/guard/allowed", { body }),
    disallow: (fingerprint: string) => send<unknown>("DELETE", "/guard/allowed", { query: { fingerprint } }),
    agents: (signal: AbortSignal) => get<ApiAgents>("/agents", {}, signal),
    tokens: (signal: AbortSignal) => get<ApiTokens>("/tokens", {}, signal),
    createToken: (body: ApiNewToken) => send<ApiCreatedToken>("POST", "/tokens", { body }),
    revokeToken: (id: string) => send<unknown>("DELETE", "/tokens", { query: { id } }),
  };
}

export type Api = ReturnType<typeof createApi>;
