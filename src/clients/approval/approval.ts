/** Where a client is asked what the user has allowed it. */
export interface ApprovalPlace {
  readonly home: string;
  /** The variables by which users move the folders of clients. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where an agent would be started. */
  readonly folder: string;
  /** Whose file names our server, and whose our hooks; undefined where none does. */
  readonly server: "user" | "project" | undefined;
  readonly hooks: "user" | "project" | undefined;
}

/** What a client still wants from the user, or was told by them. Recollect reads it, and never writes it (USE-17). */
export interface Approval {
  /** A note where the client asks by itself or nobody can know; a problem where it keeps Recollect out. */
  readonly level: "problem" | "note";
  readonly says: string;
  /** In the client's own words. */
  readonly remedy?: string;
}

export type ReadApprovals = (place: ApprovalPlace) => Approval[];
