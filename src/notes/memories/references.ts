/** Where a text refers to a memory: the part after `mem:`, and the name that it means. */
interface Reference {
  readonly from: number;
  readonly name: string;
  /** False where the name is a guess from the text: no known name stands there as it is. */
  readonly isKnown: boolean;
}

/** The references of a text from its beginning to its end, each as often as it stands there. */
export type ReferenceFinder = (content: string) => Iterable<Reference>;

/** Makes references to a memory lead to its new name. */
export interface ReferenceRewriter {
  /** By how many bytes the text grows, or shrinks; undefined where it does not refer to the memory. */
  growth(content: string): number | undefined;
  rewrite(content: string): string;
}

/** Names as a tree, one step for each piece of a name: where a piece ends, a reference may end. */
interface NameNode {
  isName: boolean;
  next: Map<string, NameNode> | undefined;
}

const marker = "mem:";
/** How much of an unknown name is told. */
const maxGuess = 300;

/**
 * One pass over the text, whatever is in it and however many names there are: a clone can bring megabytes that are
 * made to be searched again and again. So that looks hardly overlap, a reference ends where the next one begins.
 */
export function createReferenceFinder(names: Iterable<string>): ReferenceFinder {
  const tree: NameNode = { isName: false, next: undefined };
  for (const name of names) addName(tree, name);
  return function* find(content) {
    for (let from = nextReference(content, 0); from !== undefined; ) {
      const next = nextReference(content, from);
      const end = next === undefined ? content.length : next - marker.length;
      // A name may end with `mem`, before a colon.
      const known = knownAt(tree, content, from, next === undefined ? end : next - 1);
      const name = known ?? guessAt(content.slice(from, Math.min(end, from + maxGuess)));
      if (name !== "") yield { from, name, isKnown: known !== undefined };
      from = next;
    }
  };
}

/**
 * `mem:OLD` becomes `mem:NEW` for each spelling of the old name, also with `.md` after it; longer names that begin
 * alike stay. The names that memories have tell `mem:foo.bar` from `mem:foo` before a full stop.
 */
export function createReferenceRewriter(
  oldNames: ReadonlySet<string>,
  newName: string,
  names: Iterable<string>,
): ReferenceRewriter {
  const find = createReferenceFinder([...names, ...oldNames]);
  const grows = new Map([...oldNames].map((name) => [name, Buffer.byteLength(newName) - Buffer.byteLength(name)]));
  return {
    growth: (content) => {
      let growth: number | undefined;
      for (const { name, isKnown } of find(content)) {
        const grown = isKnown ? grows.get(name) : undefined;
        if (grown !== undefined) growth = (growth ?? 0) + grown;
      }
      return growth;
    },
    rewrite: (content) => {
      const pieces: string[] = [];
      let copied = 0;
      for (const { from, name, isKnown } of find(content)) {
        if (!isKnown || !oldNames.has(name)) continue;
        pieces.push(content.slice(copied, from), newName);
        copied = from + name.length;
      }
      return pieces.join("") + content.slice(copied);
    },
  };
}

/** The place after the next `mem:` that no other word or name ends with. */
function nextReference(content: string, from: number): number | undefined {
  for (let at = content.indexOf(marker, from); at !== -1; at = content.indexOf(marker, at + marker.length)) {
    if (at === 0 || !isInName(content.charCodeAt(at - 1))) return at + marker.length;
  }
  return undefined;
}

function addName(tree: NameNode, name: string): void {
  let node = tree;
  for (let [from, end] = [0, 0]; from < name.length; from = end) {
    end = pieceEnd(name, from, name.length);
    const piece = name.slice(from, end);
    node.next ??= new Map();
    const next = node.next.get(piece) ?? { isName: false, next: undefined };
    node.next.set(piece, next);
    node = next;
  }
  node.isName = true;
}

/** The longest known name that the text has here, as far as no other name is meant. */
function knownAt(tree: NameNode, content: string, from: number, end: number): string | undefined {
  let node: NameNode | undefined = tree;
  let longest: number | undefined;
  for (let at = from; node?.next && at < end; ) {
    const to = pieceEnd(content, at, end);
    node = node.next.get(content.slice(at, to));
    at = to;
    if (node?.isName && (at === content.length || !isInName(content.charCodeAt(at)))) longest = at;
  }
  return longest === undefined ? undefined : content.slice(from, longest);
}

/** A piece is a run of characters that may not touch a reference, or one other character. */
function pieceEnd(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && isInName(text.charCodeAt(at))) at += 1;
  return at === from ? from + 1 : at;
}

/** What may not touch a reference on either side, [A-Za-z0-9_\-/]: it would be part of another word or name. */
function isInName(unit: number): boolean {
  if (unit >= 0x61) return unit <= 0x7a;
  if (unit >= 0x41) return unit <= 0x5a || unit === 0x5f;
  return unit === 0x2d || (unit >= 0x2f && unit <= 0x39);
}

function guessAt(text: string): string {
  const [name = ""] = /^[\p{L}\p{N}_\-/.]+/u.exec(text) ?? [];
  let end = name.length;
  while (end > 0 && (name[end - 1] === "." || name[end - 1] === "/")) end -= 1;
  return name.slice(0, end).replace(/\.md$/, "");
}
