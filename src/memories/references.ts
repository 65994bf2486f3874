// What may not touch a reference on either side: it would be part of another word or of a longer name.
const inName = "A-Za-z0-9_\\-/";
const isInName = new RegExp(`[${inName}]`);

/**
 * `mem:OLD` becomes `mem:NEW` for each spelling of the old name, also with `.md` after it; longer names that begin
 * alike stay. The names that memories have tell `mem:foo.bar` from `mem:foo` before a full stop.
 */
export function createReferenceRewriter(
  oldNames: ReadonlySet<string>,
  newName: string,
  names: readonly string[],
): (content: string) => string {
  const references = [...oldNames].map((oldName) => {
    const isLonger = (name: string) => name.startsWith(oldName) && !isInName.test(name[oldName.length] ?? "_");
    return referenceTo(oldName, names.filter(isLonger));
  });
  return (content) => references.reduce((text, reference) => text.replace(reference, () => `mem:${newName}`), content);
}

/** The names that a text refers to, each once; what is no known name, as far as the text around it tells. */
export function referencesIn(content: string, isKnown: (name: string) => boolean = () => false): string[] {
  const names = [...content.matchAll(new RegExp(`(?<![${inName}])mem:(?=[^\\s:])`, "g"))].map(({ index }) => {
    const after = content.slice(index + "mem:".length, index + maxReferenceLength).split("\n", 1)[0] ?? "";
    return knownAt(after, isKnown) ?? guessAt(after);
  });
  return [...new Set(names.filter((name) => name !== ""))];
}

const maxReferenceLength = 300;

/** The longest known name that the text begins with, as far as no other name is meant. */
function knownAt(text: string, isKnown: (name: string) => boolean): string | undefined {
  for (let length = text.length; length > 0; length -= 1) {
    const name = text.slice(0, length);
    if (!isInName.test(text[length] ?? "") && isKnown(name)) return name;
  }
  return undefined;
}

function guessAt(text: string): string {
  const [name = ""] = /^[\p{L}\p{N}_\-/.]+/u.exec(text) ?? [];
  return name.replace(/[./]+$/, "").replace(/\.md$/, "");
}

function referenceTo(name: string, longer: readonly string[]): RegExp {
  const others = longer.map((other) => `(?!${literally(other)}(?![${inName}]))`).join("");
  return new RegExp(`(?<![${inName}])mem:${others}${literally(name)}(?![${inName}])`, "g");
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
