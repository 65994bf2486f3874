import { failure } from "./failure.ts";

/**
 * Lets pass what was sent to one of the names that we serve, and by a page of ours where a page sent it.
 *
 * A page anywhere can make a browser send requests to a port of this machine, and can make its own name lead here
 * (DNS rebinding): such a request carries that name as Host, or that page as Origin. Both are compared whole, port
 * included.
 */
export function createOriginGuard(origins: readonly string[]): (request: Request) => Response | undefined {
  const ours = new Set(origins);
  const hosts = new Set(origins.map((origin) => new URL(origin).host));
  return (request) => {
    const host = request.headers.get("host");
    // Somebody may name another host in the request line itself.
    if (host === null || !hosts.has(host) || !hosts.has(hostOf(request.url))) {
      return failure(
        403,
        "WRONG_HOST",
        "Nothing is served under this name. Who runs the server can add it to serve.addresses.",
      );
    }
    const origin = request.headers.get("origin");
    if (origin !== null && !ours.has(origin)) return failure(403, "WRONG_ORIGIN", "Pages of that origin may not ask.");
    return undefined;
  };
}

/** A browser says from where a page asks, also where it sends no Origin. Only what needs a credential asks this. */
export function isFromElsewhere(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  return site === "cross-site" || site === "same-site";
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "";
}
