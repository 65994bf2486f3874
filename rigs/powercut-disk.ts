import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const fileSystems = ["ext4", "xfs"] as const;

export type FileSystem = (typeof fileSystems)[number];

/** A file system on a loop device, whose power can be cut. */
export interface Disk {
  readonly folder: string;
  mount(): void;
  /** Made ready beforehand, so that the cut itself comes at once and in the middle of things. */
  prepareCut(): PowerSwitch;
  unmount(): void;
  remove(): void;
}

export interface PowerSwitch {
  /** Nothing that the file system has not yet made durable gets to the disk, its log included. */
  cut(): Promise<void>;
}

/** Why the rig cannot run here; undefined where it can. */
export function reasonToSkip(): string | undefined {
  if (process.platform !== "linux") return "it needs Linux";
  if (process.getuid?.() !== 0) return "it must be root to mount loop devices";
  for (const [tool, from] of Object.entries({ "mkfs.ext4": "e2fsprogs", "mkfs.xfs": "xfsprogs", xfs_io: "xfsprogs" })) {
    if (spawnSync(tool, ["-V"]).error) return `${tool} is missing (Debian: apt-get install ${from})`;
  }
  if (spawnSync("losetup", ["--find"]).status !== 0) return "there are no loop devices";
  return undefined;
}

export function createDisk(kind: FileSystem, workspace: string): Disk {
  const [image, folder] = [join(workspace, `${kind}.img`), join(workspace, kind)];
  const options = kind === "ext4" ? ["-q", "-F"] : ["-q", "-f"];
  writeFileSync(image, "");
  truncateSync(image, (kind === "ext4" ? 64 : 320) * 1024 * 1024);
  mkdirSync(folder);
  run(`mkfs.${kind}`, [...options, image]);
  let mounted = false;
  return {
    folder,
    mount: () => {
      run("mount", ["-o", "loop", "-t", kind, image, folder]);
      mounted = true;
    },
    prepareCut: () => {
      const shell = spawn("xfs_io", ["-x", folder], { stdio: ["pipe", "ignore", "inherit"] });
      const ended = once(shell, "exit");
      return {
        cut: async () => {
          // Without -f: the log is not flushed, as in a power cut.
          shell.stdin.end("shutdown\nquit\n");
          await ended;
        },
      };
    },
    unmount: () => {
      if (!mounted) return;
      run("umount", [folder]);
      mounted = false;
    },
    remove: () => {
      // Lazily, since this also runs where something went wrong and a process is still inside.
      if (mounted) spawnSync("umount", ["-l", folder]);
      mounted = false;
      rmSync(image, { force: true });
    },
  };
}

function run(command: string, options: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, options, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${options.join(" ")}: ${stderr || error?.message}`);
}
