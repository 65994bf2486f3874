const everywhere = new Set(["0.0.0.0", "::"]);

/** Whether an address or a name leads to this machine alone. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

/** What whoever starts a server should know of who reaches it, as sentences. */
export function exposureOf({
  host,
  addresses,
}: {
  readonly host: string;
  readonly addresses: readonly string[];
}): string[] {
  if (isLoopback(host)) return [];
  const open = "Others can reach this server. Tokens go in the clear unless a proxy in front of it speaks TLS.";
  if (!everywhere.has(host) || addresses.length > 0) return [open];
  const names = namesOf(host).join(", ");
  return [
    open,
    `It answers under ${names} alone. Say under which addresses others ask for it: --addresses (serve.addresses).`,
  ];
}

/** Every address under which a server is reached, its own first. What comes under another name is none of ours. */
export function servedOrigins(host: string, port: number, addresses: readonly string[]): string[] {
  // As a URL says it: without the port that goes without saying.
  const own = namesOf(host).map((name) => new URL(`http://${name.includes(":") ? `[${name}]` : name}:${port}`).origin);
  return [...new Set([...own, ...addresses])];
}

/** `::` is every address of both kinds, and which one `localhost` is, the system decides. */
function namesOf(host: string): string[] {
  switch (host) {
    case "localhost":
      return ["localhost", "127.0.0.1", "::1"];
    case "::":
      return ["::1", "127.0.0.1", "localhost"];
    case "0.0.0.0":
      return ["127.0.0.1", "localhost"];
    case "127.0.0.1":
    case "::1":
      return [host, "localhost"];
    default:
      return [host];
  }
}
