import { CLIENT_INFO_META_KEY } from "@modelcontextprotocol/server";
import type { Bearer } from "../app.ts";

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

/** The author of what a client writes for the person who started the server: an agent that was named comes first. */
export function authorOfClient({ agentId, author }: Bearer, clientName: string | undefined): string {
  return agentId === undefined ? clientAuthor(clientName) : author;
}

/** The client that a message names: in the greeting of the era with sessions, in every request of the one without. */
export function clientNameIn(message: unknown): string | undefined {
  if (Array.isArray(message)) return message.map(clientNameIn).find((name) => name !== undefined);
  const { method, params } = fieldsOf(message);
  const { clientInfo, _meta } = fieldsOf(params);
  const { name } = fieldsOf(method === "initialize" ? clientInfo : fieldsOf(_meta)[CLIENT_INFO_META_KEY]);
  return typeof name === "string" ? name : undefined;
}

/**
 * A greeting without a part that is only information is still a greeting: the SDK would answer with an internal error
 * and its own schema.
 */
export function completeGreeting<T>(message: T): T {
  if (Array.isArray(message)) return message.map(completeGreeting) as T;
  const { method, params } = fieldsOf(message);
  if (method !== "initialize") return message;
  const { clientInfo, protocolVersion, capabilities, ...others } = fieldsOf(params);
  const { name, version, ...about } = fieldsOf(clientInfo);
  return {
    ...message,
    params: {
      ...others,
      // The server answers one that it does not know with the newest that it does.
      protocolVersion: textOr(protocolVersion, ""),
      capabilities: capabilities ?? {},
      clientInfo: { ...about, name: textOr(name, "unknown"), version: textOr(version, "") },
    },
  };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === "string" ? value : otherwise;
}
