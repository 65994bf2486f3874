import type { ApiPlace } from "./place.ts";

/** GET /guard : only for an admin. What the guard finds in all documents, and what it lets pass. */
export interface ApiGuard {
  readonly policy: string;
  readonly flagged: readonly (ApiPlace & { readonly findings: readonly ApiGuardFinding[] })[];
  readonly allowed: readonly { readonly fingerprint: string; readonly reason: string; readonly allowedAt: string }[];
  /** True where not all documents were looked at yet. */
  readonly isPartial: boolean;
}

export interface ApiGuardFinding {
  readonly rule: string;
  readonly line: number;
  readonly column: number;
  readonly fingerprint: string;
}

/** POST /guard/allowed: ApiAllow. DELETE /guard/allowed?fingerprint= : both answer ApiGuard. */
export interface ApiAllow {
  readonly fingerprint: string;
  readonly reason: string;
}
