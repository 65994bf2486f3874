import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose";

/** Who may give out credentials for this server, and for whom they must be meant. */
export interface OAuthOptions {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUri: string;
  readonly algorithms: readonly string[];
  /** The claim that names an agent. */
  readonly agentClaim: string;
}

export type JwtVerdict =
  | { readonly kind: "valid"; readonly claims: JWTPayload & { readonly sub: string } }
  | { readonly kind: "invalid" }
  /** The keys of the issuer cannot be had: neither yes nor no. */
  | { readonly kind: "unavailable" };

const jwtForm = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const mostChars = 16_384;
const clockToleranceSeconds = 5;
const fetchMs = 5000;

export function isJwt(secret: string): boolean {
  return secret.length <= mostChars && jwtForm.test(secret);
}

/**
 * Checks access tokens of an OAuth 2.1 authorization server: signature by its published keys, issuer, expiry, and that
 * the token was meant for us. One that was meant for another service is refused, and ours are passed on to nobody.
 */
export function createJwtCheck(options: OAuthOptions, keys?: JWTVerifyGetKey): (secret: string) => Promise<JwtVerdict> {
  const { issuer, audience, algorithms } = options;
  const published = keys ?? createRemoteJWKSet(new URL(options.jwksUri), { timeoutDuration: fetchMs });
  return async (secret) => {
    try {
      const { payload } = await jwtVerify(secret, published, {
        issuer,
        audience,
        // Named one by one: a token must not choose how it is checked, nor that it is not.
        algorithms: [...algorithms],
        clockTolerance: clockToleranceSeconds,
        requiredClaims: ["exp", "sub"],
      });
      const { sub } = payload;
      return typeof sub === "string" && sub !== ""
        ? { kind: "valid", claims: { ...payload, sub } }
        : { kind: "invalid" };
    } catch (error) {
      return { kind: isRefusal(error) ? "invalid" : "unavailable" };
    }
  };
}

const refusals = [
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
  errors.JWKSMultipleMatchingKeys,
  errors.JWKSNoMatchingKey,
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JWTClaimValidationFailed,
  errors.JWTExpired,
  errors.JWTInvalid,
];

function isRefusal(error: unknown): boolean {
  return refusals.some((refusal) => error instanceof refusal);
}
