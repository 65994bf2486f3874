import { CLIENT_INFO_META_KEY, type JSONRPCMessage } from "@modelcontextprotocol/server";

/** What clients add to the name that people know them by. */
const additions = /-(?:mcp-client|mcp|client)$/;
/** Names of which people know another form. */
const knownAs: Readonly<Record<string, string>> = { "cursor-vscode": "cursor", "visual-studio-code": "vscode" };
const mostChars = 64;

/**
 * Who writes for a client, as history names it: `agent:claude-code`. The name is what a program says of itself, so only
 * small letters, digits and single dashes of it are kept, and no more than fits into a line.
 */
export function clientAuthor(clientName: string | undefined): string {
  const words =
    (clientName ?? "")
      .slice(0, 1024)
      .normalize("NFKC")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const name = words.join("-").slice(0, mostChars).replace(/-$/, "");
  const plain = name.replace(additions, "");
  return `agent:${knownAs[plain] ?? (plain || "unknown")}`;
}

/** The client that a message names: in the greeting of the era with sessions, in every request of the one without. */
export function clientNameIn(message: JSONRPCMessage): string | undefined {
  if (!("method" in message)) return undefined;
  const params = message.params as Record<string, unknown> | undefined;
  const meta = params?.["_meta"] as Record<string, unknown> | undefined;
  const info = message.method === "initialize" ? params?.["clientInfo"] : meta?.[CLIENT_INFO_META_KEY];
  const name = typeof info === "object" && info !== null && "name" in info ? info.name : undefined;
  return typeof name === "string" ? name : undefined;
}
