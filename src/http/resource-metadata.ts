import type { OAuthOptions } from "./oauth.ts";

export const metadataPath = "/.well-known/oauth-protected-resource";

/** RFC 9728: where a client gets a token for us. It tells nothing else. */
export function resourceMetadata({ issuer, audience }: OAuthOptions): Record<string, unknown> {
  return {
    resource: audience,
    authorization_servers: [issuer],
    bearer_methods_supported: ["header"],
    resource_name: "Recollect",
  };
}

/** Where that is told: under the address that the tokens are meant for, where we are reached under it. */
export function metadataUrlOf({ audience }: OAuthOptions, origins: readonly string[]): string {
  const meant = URL.canParse(audience) ? new URL(audience).origin : undefined;
  return `${origins.find((origin) => origin === meant) ?? origins[0]}${metadataPath}/mcp`;
}

/** What a 401 says, so that a client knows where to go. */
export function challenge(metadataUrl: string | undefined, isWrong: boolean): string {
  const parts = [
    ...(isWrong ? ['error="invalid_token"'] : []),
    ...(metadataUrl === undefined ? [] : [`resource_metadata="${metadataUrl}"`]),
  ];
  return parts.length === 0 ? "Bearer" : `Bearer ${parts.join(", ")}`;
}
