import { RecollectError } from "../kernel/errors.ts";

/** What `git_repo` may name: a repository elsewhere, or a folder here (TOP-9). */
export type GitPlace = { readonly kind: "remote"; readonly url: string } | { readonly kind: "folder" };

/** The transports that git may use, in its own notation; everything else could run a command, or be read by anybody. */
export const allowedProtocols = "https:ssh:file";

const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//;
/** As in `git@host:path`. A drive of Windows has no name of a user before it. */
const scpLike = /^([^@/\\:]+)@(\[[0-9A-Fa-f:.]+\]|[^@/\\:]+):(.*)$/s;
const hidden = /[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** Refuses what is neither. No message holds the text: it may hold a password. */
export function parseGitPlace(text: string): GitPlace {
  if (text.trim() === "") throw refused("is empty");
  if (text.startsWith("-")) throw refused("begins with a dash, as an option does");
  if (hidden.test(text) || !text.isWellFormed()) throw refused("holds a character that cannot be seen");
  const [, protocol] = scheme.exec(text) ?? [];
  if (protocol !== undefined) return { kind: "remote", url: checkUrl(text, protocol.toLowerCase()) };
  const [, user, host, path] = scpLike.exec(text) ?? [];
  if (user !== undefined && host !== undefined && path !== undefined) {
    if ([user, host, path].some((part) => part.startsWith("-") || part === ""))
      throw refused("has a part like an option");
    if (/\s/.test(user + host)) throw refused("has a blank in it");
    return { kind: "remote", url: text };
  }
  // A transport such as ext::, or a host without a user; a drive of Windows is one letter.
  if (/^[^/\\]{2,}?:/.test(text))
    throw refused("names a transport that is not allowed; use https, ssh, git@host:path or file");
  return { kind: "folder" };
}

function checkUrl(text: string, protocol: string): string {
  if (!["https", "ssh", "file"].includes(protocol)) {
    throw refused("names a transport that is not allowed; use https, ssh, git@host:path or file");
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || /\s/.test(text)) throw refused("is no address");
  if (url.password !== "" || (protocol !== "ssh" && url.username !== "")) {
    throw refused("holds a name or a password; let git keep them: git help credentials");
  }
  if (protocol === "https" && (url.search !== "" || url.hash !== "")) throw refused("has a part from ? or # on");
  const parts = [decode(url.username), decode(url.hostname), decode(url.pathname).replace(/^\/+/, "")];
  if (parts.some((part) => part.startsWith("-"))) throw refused("has a part like an option");
  if (protocol !== "file" && url.hostname === "") throw refused("names no host");
  if (protocol === "file" && url.hostname !== "") throw refused("names a host; a file has none");
  if (url.pathname.replaceAll("/", "") === "") throw refused("names no repository");
  // Git knows its transports in small letters alone.
  return `${protocol}${text.slice(protocol.length)}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** An address that git has from somebody else, as it may be shown: without a name, a password or a key in it. */
export function maskAddress(text: string): string {
  const masked = text
    .replace(/^([A-Za-z][A-Za-z0-9+.-]*:\/\/)[^/@]*@/, "$1")
    .replace(/[?#].*$/s, "")
    .replace(hidden, "?");
  return masked.length > 200 ? `${masked.slice(0, 200)}…` : masked;
}

function refused(why: string): RecollectError {
  return new RecollectError("NOT_ALLOWED", `The address of the memory's git repository ${why}.`, {
    data: { setting: "memory_configuration.memory_path" },
  });
}
