import type { ApiPlace } from "./place.ts";

/**
 * GET /events : a stream of server-sent events, each `data:` an ApiEvent; read with fetch, since an EventSource sends no
 * header. Only what the credential may read. It ends after some minutes: connect again, with a credential that is still
 * good.
 */
export type ApiEvent =
  /** The first one: from here on nothing is missed, so what was read before is to be read again. */
  | { readonly kind: "hello" }
  | { readonly kind: "changed"; readonly changes: readonly ApiChanged[] }
  /** Something was changed that is not known in detail: look again. */
  | { readonly kind: "stale" };

export interface ApiChanged extends ApiPlace {
  readonly rev: string | undefined;
  readonly author: string | undefined;
}
