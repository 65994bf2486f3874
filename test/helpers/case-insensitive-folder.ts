import { execFileSync } from "node:child_process";
import { closeSync, existsSync, ftruncateSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export type CaseInsensitiveFolder =
  | { readonly folder: string; readonly unmount: () => void }
  | { readonly skipped: string };

interface Maker {
  readonly name: string;
  readonly image: string;
  readonly mount: (image: string, folder: string) => void;
}

const run = (command: string, ...args: string[]) => void execFileSync(command, args, { stdio: "ignore" });

const makers: readonly Maker[] = [
  { name: "vfat", image: "mkfs.vfat", mount: (image, folder) => run("mount", "-o", "loop", image, folder) },
  {
    name: "ext4 with casefold",
    image: "mkfs.ext4 -q -O casefold -E encoding=utf8",
    mount: (image, folder) => {
      run("mount", "-o", "loop", image, folder);
      run("rmdir", join(folder, "lost+found"));
      run("chattr", "+F", folder);
    },
  },
  {
    name: "tmpfs with casefold",
    image: "true",
    mount: (_, folder) => run("mount", "-t", "tmpfs", "-o", "casefold", "t", folder),
  },
];

/** A real file system that ignores case, in a small image, where root may mount one and the kernel knows one. */
export function mountCaseInsensitive(parent: string): CaseInsensitiveFolder {
  if (process.platform !== "linux") return ownFileSystem(parent);
  if (process.getuid?.() !== 0) return { skipped: "mounting an image needs root" };
  for (const maker of makers) {
    const folder = join(parent, maker.name.replaceAll(" ", "-"));
    mkdirSync(folder);
    try {
      const image = makeImage(`${folder}.img`, maker.image);
      maker.mount(image, folder);
      writeFileSync(join(folder, "Probe"), "");
      if (existsSync(join(folder, "pROBE"))) return { folder, unmount: () => run("umount", folder) };
      run("umount", folder);
    } catch {
      // The tool or the kernel lacks this one; the next may do.
    }
  }
  return { skipped: `neither ${makers.map((maker) => maker.name).join(" nor ")} can be mounted here` };
}

function makeImage(path: string, command: string): string {
  const descriptor = openSync(path, "w");
  ftruncateSync(descriptor, 16 * 1024 * 1024);
  closeSync(descriptor);
  const [tool = "", ...args] = command.split(" ");
  run(tool, ...args, path);
  return path;
}

function ownFileSystem(parent: string): CaseInsensitiveFolder {
  writeFileSync(join(parent, "Probe"), "");
  if (existsSync(join(parent, "pROBE"))) return { folder: parent, unmount: () => {} };
  return { skipped: "this file system tells case apart" };
}
