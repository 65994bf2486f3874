import { nameOfReference } from "../../api/contract/references.ts";

/** Where a link of a note may lead. Everything else is shown as text. */
export type LinkTarget =
  | { readonly kind: "web"; readonly href: string }
  /** The name of a memory, as `mem:` references give it. */
  | { readonly kind: "memory"; readonly name: string };

const allowed = ["http:", "https:", "mailto:"];

/**
 * An allow-list by what the browser's own parser makes of the address: tabs, newlines and case inside of a scheme,
 * such as `java\nscript:`, are its business, and what has no scheme of its own would lead into this page.
 */
export function linkTarget(address: string): LinkTarget | undefined {
  const memory = /^mem:(?!\/\/)(.+)$/s.exec(address.trim())?.[1];
  if (memory !== undefined) return { kind: "memory", name: nameOfReference(memory) };
  if (!URL.canParse(address)) return undefined;
  const { protocol, href } = new URL(address);
  return allowed.includes(protocol) ? { kind: "web", href } : undefined;
}
