/** GET /folder?root=&folder=&after= : the direct children, folders first. Without `folder` those of the root itself. */
export interface ApiFolder {
  readonly root: string;
  readonly folder: string;
  readonly folders: readonly string[];
  readonly documents: readonly ApiListed[];
  /** Pass it as `after` for the next page; pages have 200 folders and documents. */
  readonly next: string | undefined;
}

export interface ApiListed {
  readonly path: string;
  readonly size: number;
  /** ISO 8601. */
  readonly modified: string;
  /** Where it is known without reading the document, as in a database. */
  readonly rev: string | undefined;
  readonly readOnly: boolean;
  /** Why it is no ordinary document. */
  readonly remark: string | undefined;
}
