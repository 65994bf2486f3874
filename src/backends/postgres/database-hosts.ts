/** The hosts that an address of a database names, and what is asked of the one that is used. */
export interface DatabaseHosts {
  /** An address with one host each, in the order in which they are tried. */
  readonly urls: readonly string[];
  /** Only one that takes writes will do: a standby does not, until it is the primary. */
  readonly mustWrite: boolean;
}

const form = /^(postgres(?:ql)?:\/\/)([^@/?#]*@)?([^/?#]*)([^?#]*)(?:\?([^#]*))?/;

/** `postgres://me@one:5432,two:5432/memory?target_session_attrs=read-write`, as PostgreSQL's own clients take it. */
export function databaseHostsOf(url: string): DatabaseHosts {
  const [, scheme = "", user = "", hosts = "", path = "", query = ""] = form.exec(url) ?? [];
  const parameters = new URLSearchParams(query);
  const session = parameters.get("target_session_attrs");
  parameters.delete("target_session_attrs");
  const rest = parameters.size === 0 ? path : `${path}?${parameters}`;
  return {
    urls: scheme === "" ? [url] : hosts.split(",").map((host) => `${scheme}${user}${host}${rest}`),
    mustWrite: session === "read-write" || session === "primary",
  };
}

/** What it is called, without who reads it and how. */
export function databaseNameOf(url: string): string {
  const found = databaseHostsOf(url).urls.map((one) => new URL(one));
  return `${found.map(({ host }) => host).join(",")}${found[0]?.pathname ?? ""}`;
}
