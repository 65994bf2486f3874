import { mkdirSync, symlinkSync } from "node:fs";
import { join, posix, win32 } from "node:path";
import { describe, expect, it } from "vitest";
import {
  checkExternalPath,
  type ExternalPlace,
  externalPathError,
  keyFolders,
  type PathViolation,
  systemFolders,
} from "../../src/guard/external-path.ts";
import { realPathOf } from "../../src/settings/real-path.ts";
import { diskFolder, temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders(diskFolder);

function placeOf(more: Partial<ExternalPlace> = {}): ExternalPlace {
  return {
    homes: ["/home/me"],
    isWindows: false,
    realPath: (path) => path,
    resolve: (path) => posix.resolve("/work/project", path),
    ...more,
  };
}

const windows = placeOf({
  homes: ["C:\\Users\\me"],
  isWindows: true,
  resolve: (path) => win32.resolve("C:\\work\\project", path),
});

const violationOf = (given: string, place = placeOf()) => {
  const checked = checkExternalPath(given, place);
  return "violation" in checked ? checked.violation : checked;
};

describe("an external memory path", () => {
  it.each<[string, string]>([
    ["/variable", "/variable"],
    ["/variable/x", "/variable/x"],
    ["/usr2", "/usr2"],
    ["/data/etc", "/data/etc"],
    ["/home/me/notes", "/home/me/notes"],
    ["~/notes", "/home/me/notes"],
    ["~/notes/", "/home/me/notes"],
    ["~", "/home/me"],
    ["~/.sshnotes", "/home/me/.sshnotes"],
    ["notes", "/work/project/notes"],
    ["./notes", "/work/project/notes"],
    ["a..b/c", "/work/project/a..b/c"],
    ["notes~", "/work/project/notes~"],
  ])("TOP-8 %s passes", (given, path) => {
    expect(checkExternalPath(given, placeOf())).toEqual({ path });
  });

  it.each<[string, PathViolation]>([
    ["..", "traversal"],
    ["../x", "traversal"],
    ["a/../b", "traversal"],
    ["a/..", "traversal"],
    ["/data/../etc", "traversal"],
    ["~/../../etc", "traversal"],
    ["..\\x", "traversal"],
    ["a\\..\\b", "traversal"],
    ["/", "root"],
    ["//", "root"],
    ["/.", "root"],
    ["/etc", "system"],
    ["/etc/", "system"],
    ["/etc/.", "system"],
    ["//etc", "system"],
    ["/./etc", "system"],
    ["/var/x", "system"],
    ["/usr/local/share", "system"],
    ["/proc/self/root/home/me", "system"],
    ["/dev/shm/x", "system"],
    ["~/.ssh", "system"],
    ["~/.ssh/x", "system"],
    ["~/.gnupg", "system"],
    ["~/.config/gh", "system"],
    ["~other/x", "access"],
    ["~other", "access"],
    ["~+/x", "access"],
    ["", "access"],
    ["  ", "access"],
    ["a\0b", "access"],
  ])("TOP-8 %j does not, for its %s", (given, violation) => {
    expect(violationOf(given)).toBe(violation);
  });

  it.each(systemFolders.posix)("TOP-8 %s and what lies below does not pass", (folder) => {
    expect(violationOf(folder)).toBe("system");
    expect(violationOf(`${folder}/deep/er`)).toBe("system");
    expect(violationOf(`${folder}x`)).toEqual({ path: `${folder}x` });
  });

  it("TOP-8 has all folders of the seed and of SPEC in its list", () => {
    const asked = "/bin /sbin /usr /etc /var /sys /proc /boot /dev /lib /lib32 /lib64 /run";
    expect(systemFolders.posix).toEqual(expect.arrayContaining(asked.split(" ")));
  });

  it.each<[PathViolation, string]>([
    ["system", "Security violation: Cannot use system directory for memory storage"],
    ["root", "Security violation: Cannot use root directory for memory storage"],
    ["traversal", "Security violation: Path traversal not allowed in memory path"],
    ["access", "Path validation failed: Cannot access configured memory path"],
  ])("TOP-8 says of %s what the seed says", (violation, words) => {
    const error = externalPathError(violation, new Error("EACCES: /secret/place"));
    expect(error).toMatchObject({ code: "NOT_ALLOWED", message: `${words}.`, data: { violation } });
    expect(error.message).not.toContain("/secret");
  });

  it("TOP-8 asks for traversal, then the root, then a system folder, then access", () => {
    const broken = placeOf({
      realPath: () => {
        throw Object.assign(new Error("loop"), { code: "ELOOP" });
      },
    });
    expect(violationOf("/etc/../..", broken)).toBe("traversal");
    expect(violationOf("~other/../\0", broken)).toBe("traversal");
    expect(violationOf("/", broken)).toBe("root");
    expect(violationOf("/etc", broken)).toBe("system");
    expect(violationOf("/data", broken)).toBe("access");
    expect(violationOf("/var/link", placeOf({ realPath: () => "/" }))).toBe("root");
  });

  it("TOP-8 follows links: to a system folder, to the root, to one that is not there, and within the home", () => {
    const base = folders.make();
    const home = join(base, "home");
    mkdirSync(join(home, ".ssh"), { recursive: true });
    const link = (name: string, target: string) => symlinkSync(target, join(base, name));
    link("to-usr", "/usr");
    link("to-root", "/");
    link("to-missing", "/etc/not-there");
    link("to-keys", join(home, ".ssh"));
    link("to-notes", join(base, "notes"));
    link("loop", "loop");
    symlinkSync("/etc", join(home, "inside"));
    const place = placeOf({ homes: [home], realPath: realPathOf });
    expect(violationOf(join(base, "to-usr"), place)).toBe("system");
    expect(violationOf(join(base, "to-usr/local/x"), place)).toBe("system");
    expect(violationOf(join(base, "to-root"), place)).toBe("root");
    expect(violationOf(join(base, "to-root/etc"), place)).toBe("system");
    expect(violationOf(join(base, "to-missing/x"), place)).toBe("system");
    expect(violationOf(join(base, "to-keys"), place)).toBe("system");
    expect(violationOf("~/inside/x", place)).toBe("system");
    expect(violationOf(join(base, "loop"), place)).toBe("access");
    expect(violationOf(join(base, "to-notes"), place)).toEqual({ path: join(base, "to-notes") });
    expect(violationOf(join(base, "not/there/yet"), place)).toEqual({ path: join(base, "not/there/yet") });
  });

  it("TOP-8 lets a home below /var/home pass, under both of its names, but not its keys nor its neighbours", () => {
    const place = placeOf({
      homes: ["/home/me", "/var/home/me"],
      realPath: (path) => path.replace(/^\/home\//, "/var/home/"),
    });
    expect(violationOf("~/notes", place)).toEqual({ path: "/home/me/notes" });
    expect(violationOf("/var/home/me/notes", place)).toEqual({ path: "/var/home/me/notes" });
    for (const folder of keyFolders) {
      expect(violationOf(`~/${folder}`, place), folder).toBe("system");
      expect(violationOf(`/var/home/me/${folder}/x`, place), folder).toBe("system");
    }
    expect(violationOf("/var/home/you/notes", place)).toBe("system");
    expect(violationOf("/var/home/me2", place)).toBe("system");
    expect(violationOf("/var/home", place)).toBe("system");
  });

  it.each(["", "/", "//", "/usr", "/var/", "relative", "."])(
    "TOP-8 takes no home of %j, as services have them, for a way into the system",
    (home) => {
      const place = placeOf({ homes: [home, home] });
      for (const given of ["/etc", "/usr/share", "/var/x"]) expect(violationOf(given, place)).toBe("system");
      expect(violationOf("~/etc", place)).toBe("access");
      expect(violationOf("/", place)).toBe("root");
    },
  );

  it("TOP-7 TOP-8 needs a home for ~", () => {
    expect(violationOf("~/notes", placeOf({ homes: [] }))).toBe("access");
    expect(violationOf("/data", placeOf({ homes: [] }))).toEqual({ path: "/data" });
  });

  it("TOP-8 folds case where the system does", () => {
    const mac = placeOf({ homes: ["/Users/me"], foldsCase: true });
    for (const given of ["/ETC", "/Private/Etc", "/library/x", "/USERS/ME/.SSH"]) {
      expect(violationOf(given, mac), given).toBe("system");
    }
    expect(violationOf("/Users/me/Notes", mac)).toEqual({ path: "/Users/me/Notes" });
    expect(violationOf("/Etc")).toEqual({ path: "/Etc" });
  });

  it.each<[string, PathViolation]>([
    ["C:\\Windows", "system"],
    ["c:\\windows\\system32", "system"],
    ["C:/Windows/Temp", "system"],
    ["\\Windows", "system"],
    ["C:\\Windows.", "system"],
    ["C:\\Windows \\x", "system"],
    ["\\\\?\\C:\\Windows", "system"],
    ["\\\\.\\C:\\Windows", "system"],
    ["C:\\Program Files\\x", "system"],
    ["C:\\", "root"],
    ["D:\\", "root"],
    ["\\\\?\\C:\\", "root"],
    ["~\\.ssh", "system"],
    ["C:\\Users\\ME\\.SSH\\x", "system"],
    ["C:\\work\\..\\Windows", "traversal"],
  ])("TOP-8 on Windows %s does not pass, for its %s", (given, violation) => {
    expect(violationOf(given, windows)).toBe(violation);
  });

  it.each(["C:\\Windows2", "D:\\notes", "~\\notes", "\\\\server\\share\\notes", "notes"])(
    "TOP-8 on Windows %s passes",
    (given) => {
      expect(checkExternalPath(given, windows)).toHaveProperty("path");
    },
  );

  it("TOP-8 the keys of the account's home are refused, and the rest of it is judged as any other place", () => {
    const place = placeOf({ accountHomes: ["/usr/sbin", "/root", "/"] });
    for (const given of ["/root/.ssh/x", "/usr/sbin/.gnupg", "/.ssh"]) expect(violationOf(given, place)).toBe("system");
    expect(violationOf("/usr/sbin/notes", place)).toBe("system");
    expect(checkExternalPath("/root/notes", place)).toEqual({ path: "/root/notes" });
    expect(violationOf("~/.ssh", place)).toBe("system");
  });
});
