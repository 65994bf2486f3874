import { titleSign } from "../../kernel/record-name.ts";
import { onOneLine } from "../../search/recall/one-line.ts";
import type { DocumentKind } from "../../search/unit.ts";
import { nameOfPath } from "../memories/memory-name.ts";

const titleChars = 150;

interface Printed {
  readonly root: string;
  readonly kind: DocumentKind;
  readonly path: string;
  readonly breadcrumb: readonly string[];
  readonly title: string;
}

/** The one form in which every surface names what was found: `ci/cache`, or `ci/cache › Stale cache` for a part of it. */
export function printedName({ breadcrumb, title, ...document }: Printed): string {
  const name = documentName(document);
  const last = name.split("/").at(-1)?.toLowerCase();
  // Above a lesson stands its file, and above all sections the title of the document: the name says so already.
  const above = document.kind === "topic" ? [] : breadcrumb.slice(1);
  const titles = [...above, title].map(printedTitle);
  const isPlain = titles.length === 1 && titles[0]?.toLowerCase() === last;
  return onOneLine(isPlain ? name : [name, ...titles].join(` ${titleSign} `), 4 * titleChars);
}

/** Of what is no note or lesson, folder and path. */
export function documentName({ root, kind, path }: Pick<Printed, "root" | "kind" | "path">): string {
  if (kind === "memory") return nameOfPath(path, root === "global") ?? path;
  if (kind === "topic") return path.replace(/\.md$/, "");
  return `${root}/${path}`;
}

/** Whether a title is the one that was printed so. */
export function isPrintedAs(title: string, printed: string): boolean {
  const own = printedTitle(title);
  if (own === printed || title === printed) return true;
  return printed.endsWith("…") && own.startsWith(printed.slice(0, -1));
}

function printedTitle(title: string): string {
  return onOneLine(title, titleChars).replaceAll(titleSign, ">");
}
