import { RecollectError, type SettingValues } from "../app.ts";
import type { OAuthOptions } from "./oauth.ts";
import type { ServeOptions } from "./serve.ts";
import { isLoopback } from "./served-origins.ts";

/** What the settings say about a server. */
export function serveSettings(
  values: SettingValues,
): Pick<ServeOptions, "host" | "port" | "addresses" | "limits" | "oauth"> {
  return {
    host: values["serve.host"],
    port: values["serve.port"],
    addresses: values["serve.addresses"],
    limits: {
      bodyBytes: values["serve.body_bytes"],
      requestsPerMinute: values["serve.requests_per_minute"],
      requestMs: values["serve.request_seconds"] * 1000,
      atOnce: values["serve.requests_at_once"],
      mostWaiting: values["serve.requests_waiting"],
    },
    oauth: oauthOf(values),
  };
}

/** All of it, or none: half of a check is none. */
function oauthOf(values: SettingValues): OAuthOptions | undefined {
  const issuer = values["serve.oauth_issuer"];
  const audience = values["serve.oauth_audience"];
  const jwksUri = values["serve.oauth_jwks_uri"];
  if (issuer === undefined && audience === undefined && jwksUri === undefined) return undefined;
  if (issuer === undefined || audience === undefined || jwksUri === undefined) {
    const says = "Tokens of an authorization server need all of serve.oauth_issuer, oauth_audience and oauth_jwks_uri.";
    throw new RecollectError("INVALID_ARGUMENT", says);
  }
  const { protocol, hostname } = new URL(jwksUri);
  if (protocol !== "https:" && !isLoopback(hostname.replace(/^\[|\]$/g, ""))) {
    // Whoever is on the way could put keys of their own there.
    throw new RecollectError("INVALID_ARGUMENT", "serve.oauth_jwks_uri is an address of https, or of this machine.");
  }
  const [algorithms, agentClaim] = [values["serve.oauth_algorithms"], values["serve.oauth_agent_claim"]];
  return { issuer, audience, jwksUri, algorithms, agentClaim };
}
