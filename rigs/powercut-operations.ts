import type { Address, Change, DocumentPath, Store } from "../src/app.ts";
import type { Random } from "./random.ts";

/** The documents that an operation touches, each with its text afterwards; null is "gone". */
export type Effects = Readonly<Record<string, string | null>>;

/** One operation, with what must be true once it is acknowledged. */
export interface PlannedOperation {
  readonly effects: Effects;
  readonly changes: readonly Change[];
}

/**
 * Chooses the next operation on what the writer knows to be there. Every text names its operation, so
 * that a document can never look right by chance.
 */
export function chooseOperation(known: ReadonlyMap<string, string>, serial: number, random: Random): PlannedOperation {
  const paths = [...known.keys()];
  const pick = () => paths[Math.floor(random() * paths.length)];
  const [one, two] = [pick(), pick()];
  const dice = random();
  if (one === undefined || two === undefined || dice < 0.2) return create(serial, random);
  if (dice < 0.4) return put(one, `replaced ${serial}\n${filling(random)}`);
  if (dice < 0.55) return append(one, known.get(one) ?? "", `appended ${serial}\n`);
  if (dice < 0.65) return move(one, known.get(one) ?? "", `${folderFor(random)}/moved-${serial}.md`);
  if (dice < 0.72) return merge([remove(one)]);
  const other = two === one ? create(serial, random) : append(two, known.get(two) ?? "", `together ${serial}\n`);
  return merge([
    put(one, `together ${serial}\n${filling(random)}`),
    other,
    put(`together/${serial}.md`, `${serial}\n`),
  ]);
}

export async function perform(store: Store, { changes }: PlannedOperation): Promise<void> {
  const addresses = changes.flatMap((change) => (change.kind === "move" ? [change.from, change.to] : [change.at]));
  await store.commit(addresses.map(store.resolve), () => [...changes], { author: "powercut" });
}

export function addressOf(path: string): Address<DocumentPath> {
  return { root: "rig", path: path as DocumentPath };
}

function create(serial: number, random: Random): PlannedOperation {
  return put(newName(serial, random), `created ${serial}\n${filling(random)}`);
}

function put(path: string, content: string): PlannedOperation {
  return { effects: { [path]: content }, changes: [{ kind: "put", at: addressOf(path), content }] };
}

function append(path: string, before: string, content: string): PlannedOperation {
  return { effects: { [path]: before + content }, changes: [{ kind: "append", at: addressOf(path), content }] };
}

function remove(path: string): PlannedOperation {
  return { effects: { [path]: null }, changes: [{ kind: "remove", at: addressOf(path) }] };
}

function move(path: string, content: string, to: string): PlannedOperation {
  return {
    effects: { [path]: null, [to]: content },
    changes: [{ kind: "move", from: addressOf(path), to: addressOf(to) }],
  };
}

function merge(operations: readonly PlannedOperation[]): PlannedOperation {
  return {
    effects: Object.assign({}, ...operations.map(({ effects }) => effects)),
    changes: operations.flatMap(({ changes }) => changes),
  };
}

/** Half of the folders are new ones, three deep: each new parent must be durable too. */
function folderFor(random: Random): string {
  const number = Math.floor(random() * 1e6);
  return random() < 0.5 ? `folder-${number % 5}` : `deep-${number % 50}/er-${number % 7}/new-${number}`;
}

function newName(serial: number, random: Random): string {
  return `${folderFor(random)}/note-${serial}.md`;
}

function filling(random: Random): string {
  return "All that is remembered must be there tomorrow.\n".repeat(Math.floor(random() * 200));
}
