import { describe, expect, it } from "vitest";
import { cloneName } from "../../src/sync/make-repository.ts";
import { maskAddress, parseGitPlace } from "../../src/sync/remote-address.ts";
import { errorOf } from "../helpers/error-of.ts";

const remotes = [
  "https://git.acme.dev/team/memory.git",
  "https://git.acme.dev:8443/memory",
  "ssh://git@git.acme.dev/memory.git",
  "ssh://git.acme.dev:2222/memory.git",
  "git@git.acme.dev:team/memory.git",
  "git@[::1]:memory.git",
  "file:///srv/git/memory.git",
];

const folders = ["~/notes", "/srv/notes", "notes", "./notes:1", "C:\\notes", "../notes"];

const hostile = [
  "",
  " ",
  "-",
  "--upload-pack=touch /tmp/x",
  "-oProxyCommand=x",
  "ext::sh -c touch% /tmp/x",
  "EXT::sh",
  "fd::7",
  "transport::address",
  "http://git.acme.dev/memory.git",
  "git://git.acme.dev/memory.git",
  "ftp://git.acme.dev/memory.git",
  "javascript://x/y",
  "ssh://-oProxyCommand=touch/x",
  "ssh://-oProxyCommand=touch@host/x",
  "ssh://host/-x",
  "-git@host:x",
  "git@-oProxyCommand=x:y",
  "git@host:-x",
  "git@host:",
  "backup:notes",
  "https://ada:hunter2@git.acme.dev/memory.git",
  "https://ghp_secretsecret@git.acme.dev/memory.git",
  "ssh://git:hunter2@git.acme.dev/memory.git",
  "https://git.acme.dev/memory.git?token=hunter2",
  "https://git.acme.dev/memory.git#hunter2",
  "https:///memory.git",
  "https://git.acme.dev/",
  "https://",
  "file://host/srv/memory.git",
  "file://",
  "https://git.acme.dev/a\nb",
  "https://git.acme.dev/a b",
  "https://git.acme.dev/\u202ememory",
  "git@host:a\u0000b",
];

describe("TOP-9 the address of a repository", () => {
  it.each(remotes)("TOP-9 %s is a remote", (text) => {
    expect(parseGitPlace(text)).toEqual({ kind: "remote", url: text });
  });

  it("TOP-9 a transport in capitals is one that git knows", () => {
    expect(parseGitPlace("HTTPS://git.acme.dev/M.git")).toEqual({ kind: "remote", url: "https://git.acme.dev/M.git" });
  });

  it.each(folders)("TOP-9 %s is a folder here", (text) => {
    expect(parseGitPlace(text)).toEqual({ kind: "folder" });
  });

  it.each(hostile)("TOP-9 %j is refused, and not repeated", async (text) => {
    const error = await errorOf(() => parseGitPlace(text));
    expect(error).toMatchObject({ code: "NOT_ALLOWED" });
    expect(String(error)).not.toMatch(/hunter2|ghp_|oProxy/);
  });

  it("TOP-9 is shown without what is secret in it", () => {
    expect(maskAddress("https://ada:hunter2@git.acme.dev/x.git?token=1")).toBe("https://git.acme.dev/x.git");
    expect(maskAddress("git@git.acme.dev:x.git")).toBe("git@git.acme.dev:x.git");
  });

  it("TOP-9 names the folder of its clone", () => {
    const hash = () => "0123456789abcdef0123";
    expect(cloneName("https://git.acme.dev/team/memory.git", hash)).toBe("memory-0123456789abcdef");
    expect(cloneName("git@host:..", hash)).toBe("memory-0123456789abcdef");
    expect(cloneName("git@host:notes.git", hash)).toBe("notes-0123456789abcdef");
  });
});
