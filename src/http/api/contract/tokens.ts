/** GET /tokens : only for an admin. */
export interface ApiTokens {
  readonly tokens: readonly ApiToken[];
  /** Records that let nobody in, since they cannot be read. Where they lie, `recollect doctor` says. */
  readonly unreadable: readonly { readonly id: string | undefined; readonly says: string }[];
}

export interface ApiToken {
  readonly id: string;
  readonly name: string;
  /** As history names who writes. */
  readonly author: string;
  readonly agentId: string | undefined;
  /** `ROOT:operations`, such as `*:read` or `.serena/memories:read,write`. */
  readonly scopes: readonly string[];
  readonly isAdmin: boolean;
  readonly created: string;
  readonly expires: string | undefined;
  readonly lastUsed: string | undefined;
}

/** POST /tokens: ApiNewToken answers ApiCreatedToken; the secret is shown this once. DELETE /tokens?id= answers ApiTokens. */
export interface ApiNewToken {
  readonly name: string;
  readonly agentId?: string | undefined;
  readonly scopes: readonly string[];
  readonly isAdmin?: boolean | undefined;
  /** From 1 to 36500. */
  readonly expiresInDays?: number | undefined;
}

export interface ApiCreatedToken extends ApiToken {
  readonly secret: string;
  /** Scopes that grant nothing in this project, and why. */
  readonly warnings: readonly string[];
}
