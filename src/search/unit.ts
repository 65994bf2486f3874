/** What kind of document it is: topic files and their archives are made of dated entries. */
export const documentKinds = ["memory", "bank", "topic", "agent"] as const;
export type DocumentKind = (typeof documentKinds)[number];

/** The least thing that is found: a heading's section, or one entry of a topic. */
export interface Unit {
  /** The heading's text, the entry's title, or the document's own name. */
  readonly title: string;
  /** What stands above it: the document's title and the headings on the way, outermost first. */
  readonly breadcrumb: readonly string[];
  readonly tags: readonly string[];
  /** YYYY-MM-DD, of the entry or of the front matter. */
  readonly date: string | undefined;
  /** Where its text begins and ends in the document, as offsets into the string. */
  readonly start: number;
  readonly end: number;
}

/** A unit as the index keeps it; a pure function of its document, so that any index of the same documents is the same. */
export interface IndexedUnit {
  readonly date: string | undefined;
  /** Term → 1 to 255: the share of the greatest score that the term can have in a unit. */
  readonly terms: ReadonlyMap<string, number>;
}

export interface WeighedUnit extends IndexedUnit {
  /** Its text without the context: what its meaning is taken from. */
  readonly text: string;
}
