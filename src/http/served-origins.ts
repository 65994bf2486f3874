const loopback = new Set(["127.0.0.1", "::1", "localhost"]);
const everywhere = new Set(["0.0.0.0", "::"]);

export function isLoopback(host: string): boolean {
  return loopback.has(host);
}

/** Every address under which a server is reached, its own first. What comes under another name is none of ours. */
export function servedOrigins(host: string, port: number, addresses: readonly string[]): string[] {
  const names = everywhere.has(host) || isLoopback(host) ? [ownName(host), "localhost"] : [host];
  // As a URL says it: without the port that goes without saying.
  const own = names.map((name) => new URL(`http://${name.includes(":") ? `[${name}]` : name}:${port}`).origin);
  return [...new Set([...own, ...addresses])];
}

function ownName(host: string): string {
  if (!everywhere.has(host)) return host;
  return host === "::" ? "::1" : "127.0.0.1";
}
