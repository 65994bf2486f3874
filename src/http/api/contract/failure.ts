/**
 * What the JSON API takes and answers, for the server and for the dashboard alike. Types alone: nothing here runs.
 *
 * Every path is below `/api` and wants `Authorization: Bearer TOKEN`. A failure is an `ApiFailure` with a fitting status.
 * What a credential may not see answers 404 like what does not exist (WEB-2).
 */

export interface ApiFailure {
  readonly error: {
    /** A code of `RecollectError`, or one of the server's own, such as UNAUTHORIZED. */
    readonly code: string;
    readonly message: string;
    readonly data?: Readonly<Record<string, unknown>>;
  };
}
