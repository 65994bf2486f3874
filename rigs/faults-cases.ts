/** A change as plain data, so that it can be sent to the child as JSON. */
export type PlainChange =
  | { readonly kind: "put" | "append"; readonly path: string; readonly content: string }
  | { readonly kind: "remove"; readonly path: string }
  | { readonly kind: "move"; readonly path: string; readonly to: string };

export type Texts = Readonly<Record<string, string>>;

/** What the store has done in the folder before the operation under test. */
export type Past = "no folder" | "never written by us" | "written by us" | "journal is full" | "commit was cut off";

/** One operation under test: what is there, what is done, what must be there afterwards. */
export interface FaultCase {
  readonly name: string;
  readonly past: Past;
  readonly before: Texts;
  readonly changes: readonly PlainChange[];
  readonly after: Texts;
}

const plan = "# Plan\n\nFirst the foundation.\n";
const log = "# Log\n\n- one\n";
const other = "# Other\n\nIn another folder.\n";
const documents: Texts = { "plan.md": plan, "log.md": log, "there/other.md": other };
const renewed = "# Plan\n\nFirst the foundation, then the walls.\n";

export const severalChanges: readonly PlainChange[] = [
  { kind: "put", path: "plan.md", content: renewed },
  { kind: "append", path: "there/other.md", content: "More.\n" },
  { kind: "put", path: "there/new.md", content: "new there\n" },
  { kind: "remove", path: "log.md" },
];

const severalAfter: Texts = {
  "plan.md": renewed,
  "there/other.md": `${other}More.\n`,
  "there/new.md": "new there\n",
};

export const faultCases: readonly FaultCase[] = [
  {
    name: "create",
    past: "written by us",
    before: documents,
    changes: [{ kind: "put", path: "fresh.md", content: "fresh\n" }],
    after: { ...documents, "fresh.md": "fresh\n" },
  },
  {
    name: "create in new folders",
    past: "written by us",
    before: documents,
    changes: [{ kind: "put", path: "deep/er/fresh.md", content: "fresh\n" }],
    after: { ...documents, "deep/er/fresh.md": "fresh\n" },
  },
  {
    name: "create the root",
    past: "no folder",
    before: {},
    changes: [{ kind: "put", path: "fresh.md", content: "fresh\n" }],
    after: { "fresh.md": "fresh\n" },
  },
  {
    name: "replace",
    past: "written by us",
    before: documents,
    changes: [{ kind: "put", path: "plan.md", content: renewed }],
    after: { ...documents, "plan.md": renewed },
  },
  {
    name: "replace for the first time",
    past: "never written by us",
    before: documents,
    changes: [{ kind: "put", path: "plan.md", content: renewed }],
    after: { ...documents, "plan.md": renewed },
  },
  {
    name: "replace and begin a journal",
    past: "journal is full",
    before: documents,
    changes: [{ kind: "put", path: "plan.md", content: renewed }],
    after: { ...documents, "plan.md": renewed },
  },
  {
    name: "append",
    past: "written by us",
    before: documents,
    changes: [{ kind: "append", path: "log.md", content: "- two\n" }],
    after: { ...documents, "log.md": `${log}- two\n` },
  },
  {
    name: "remove",
    past: "written by us",
    before: documents,
    changes: [{ kind: "remove", path: "log.md" }],
    after: { "plan.md": plan, "there/other.md": other },
  },
  {
    name: "move in its folder",
    past: "written by us",
    before: documents,
    changes: [{ kind: "move", path: "plan.md", to: "moved.md" }],
    after: { "moved.md": plan, "log.md": log, "there/other.md": other },
  },
  {
    name: "move to a new folder",
    past: "written by us",
    before: documents,
    changes: [{ kind: "move", path: "plan.md", to: "archive/2025/plan.md" }],
    after: { "archive/2025/plan.md": plan, "log.md": log, "there/other.md": other },
  },
  {
    name: "several over two folders",
    past: "written by us",
    before: documents,
    changes: severalChanges,
    after: severalAfter,
  },
  {
    name: "several for the first time",
    past: "never written by us",
    before: documents,
    changes: severalChanges,
    after: severalAfter,
  },
  {
    // The cut-off commit is `severalChanges`; whoever comes next must first carry it to its end.
    name: "append after a cut-off commit",
    past: "commit was cut off",
    before: severalAfter,
    changes: [{ kind: "append", path: "plan.md", content: "And a roof.\n" }],
    after: { ...severalAfter, "plan.md": `${renewed}And a roof.\n` },
  },
];
