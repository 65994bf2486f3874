import { createHash, timingSafeEqual } from "node:crypto";
import {
  isRecollectError,
  isVisibleName,
  parseAgentId,
  parseTokenScope,
  type RootPolicy,
  type Token,
  type TokenScope,
  type Tokens,
  toGrants,
} from "../app.ts";
import { inTime } from "../kernel/in-time.ts";
import { isJwt, type JwtVerdict } from "./oauth.ts";
import type { Principal } from "./principal.ts";

export type Authenticated =
  | { readonly kind: "principal"; readonly principal: Principal }
  /** Without a credential, or with one that is none: it makes no difference. */
  | { readonly kind: "unknown"; readonly wasGiven: boolean }
  | { readonly kind: "unavailable" };

export interface AuthenticateOptions {
  readonly tokens: Tokens;
  /** The secret of whoever started the server, which is kept nowhere but here. */
  readonly own: { readonly secret: string; readonly principal: Principal } | undefined;
  /** Checks tokens of an authorization server, where one is configured. */
  readonly jwt: { readonly check: (secret: string) => Promise<JwtVerdict>; readonly agentClaim: string } | undefined;
  /** The roots that hold memory: what `*` means in a scope. */
  readonly memoryRoots: readonly string[];
  /** Told why tokens cannot be looked at. */
  readonly onUnavailable: (message: string) => void;
}

/** A scope of ours in a token of an authorization server, which may hold others as well. */
const scopePrefix = "recollect:";
const adminScope = "recollect:admin";
/** It stands in history and is shown; identifiers are much shorter (OpenID Connect allows 255). */
const subChars = 255;
/** Who asks waits for it before anything is counted. */
const lookMs = 5000;

export function createAuthenticate(
  options: AuthenticateOptions,
): (authorization: string | undefined | null) => Promise<Authenticated> {
  const { tokens, own, jwt, memoryRoots, onUnavailable } = options;
  const ownHash = own && hashOf(own.secret);
  const grantsOf = (scopes: readonly TokenScope[]): ReadonlyMap<string, RootPolicy> => toGrants(scopes, memoryRoots);

  function ofToken(token: Token): Principal {
    const { id, name, author, agentId, scopes, isAdmin } = token;
    const key = `token:${id}`;
    const grants = grantsOf(scopes.map(parseTokenScope));
    return { key, credential: name, isAdmin, bearer: { author, agentId, grants } };
  }

  /** Everything that decides what it may do is part of the key: two tokens of one person may grant different things. */
  function ofClaims(
    claims: Extract<JwtVerdict, { kind: "valid" }>["claims"],
    agentClaim: string,
  ): Principal | undefined {
    const words = scopesIn(claims);
    const agentId = claims[agentClaim];
    const scopes = words.flatMap((word) => scopeIn(word) ?? []);
    const isAdmin = words.includes(adminScope);
    const author = typeof agentId === "string" ? `agent:${agentId}` : `person:${claims.sub}`;
    if (!isVisibleName(claims.sub, subChars) || (agentId !== undefined && !isAgentId(agentId))) return undefined;
    const key = `oauth:${hashOf(JSON.stringify([claims.sub, agentId, words.toSorted()])).toString("hex")}`;
    const bearer = { author, agentId, grants: grantsOf(scopes) };
    return { key, credential: author, isAdmin, bearer };
  }

  /** A place of tokens that is away or busy for a moment says nothing about one of them. */
  async function verified(secret: string): Promise<Token | "unavailable" | undefined> {
    const looked = tokens.verify(secret).catch((error: unknown) => {
      if (!isRecollectError(error)) throw error;
      onUnavailable(error.message);
      return "unavailable" as const;
    });
    return inTime(looked, lookMs, () => "unavailable");
  }

  return async (authorization) => {
    const secret = /^Bearer +([^\s]+)$/i.exec(authorization ?? "")?.[1];
    if (secret === undefined) return { kind: "unknown", wasGiven: (authorization ?? "") !== "" };
    if (own && ownHash && timingSafeEqual(hashOf(secret), ownHash))
      return { kind: "principal", principal: own.principal };
    const token = await verified(secret);
    if (token === "unavailable") return { kind: "unavailable" };
    if (token) {
      await tokens.used(token);
      return { kind: "principal", principal: ofToken(token) };
    }
    return ofAuthorizationServer(secret);
  };

  async function ofAuthorizationServer(secret: string): Promise<Authenticated> {
    if (!jwt || !isJwt(secret)) return { kind: "unknown", wasGiven: true };
    const verdict = await jwt.check(secret);
    if (verdict.kind === "unavailable") return verdict;
    const principal = verdict.kind === "valid" ? ofClaims(verdict.claims, jwt.agentClaim) : undefined;
    return principal ? { kind: "principal", principal } : { kind: "unknown", wasGiven: true };
  }
}

/** `scope` is a text of words (RFC 9068); some servers write a list, or `scp`. */
function scopesIn(claims: Readonly<Record<string, unknown>>): string[] {
  const given = claims["scope"] ?? claims["scp"] ?? "";
  const words = Array.isArray(given) ? given : String(given).split(" ");
  return words.filter((word): word is string => typeof word === "string" && word.startsWith(scopePrefix));
}

/** One that makes no sense grants nothing. */
function scopeIn(word: string): TokenScope | undefined {
  if (word === adminScope) return undefined;
  try {
    return parseTokenScope(word.slice(scopePrefix.length));
  } catch {
    return undefined;
  }
}

function isAgentId(value: unknown): value is string {
  if (typeof value !== "string") return false;
  try {
    parseAgentId(value);
    return true;
  } catch {
    return false;
  }
}

function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
