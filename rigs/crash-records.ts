import { hash } from "node:crypto";

/** A line of a document: an identity that is used once in the whole run, filling, and a checksum over both. */
export function makeRecord(id: string): string {
  const filling = hash("sha256", id, "hex").repeat(1 + ((id.length + id.charCodeAt(id.length - 1)) % 9));
  return `- ${id} ${filling} ${checksum(`${id} ${filling}`)}\n`;
}

/** The identities in a document, or undefined where it is torn. No document is ever empty. */
export function identitiesIn(content: string): string[] | undefined {
  if (content === "" || !content.endsWith("\n")) return undefined;
  const identities: string[] = [];
  for (const line of content.slice(0, -1).split("\n")) {
    const [dash, id, filling, sum] = line.split(" ");
    if (dash !== "-" || !id || sum !== checksum(`${id} ${filling}`)) return undefined;
    identities.push(id);
  }
  return identities;
}

function checksum(text: string): string {
  return hash("sha256", text, "hex").slice(0, 16);
}

const folders = ["", "a/", "b/", "b/deep/"];
const names = ["shared.md", "other.md"];
const wanderers = ["wanderer-1.md", "wanderer-2.md", "wanderer-3.md"];

/** Documents that all workers write to, in several folders. */
export const sharedPaths: readonly string[] = folders.flatMap((folder) => names.map((name) => folder + name));
/** Places between which documents are moved. */
export const wanderingPaths: readonly string[] = folders.flatMap((folder) => wanderers.map((name) => folder + name));
