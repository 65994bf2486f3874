import { execFileSync } from "node:child_process";
import { chownSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

/** Where a hostile file is set up: in the folder of the agent `own`, beside `sibling`, with `outside` beyond the root. */
export interface Ground {
  readonly own: string;
  readonly sibling: string;
  readonly outside: string;
}

/** Something on disk that is no document, though its name is a proper one (KER-2). */
export interface HostileFile {
  readonly what: string;
  /** What the attacker asks for. */
  readonly path: string;
  /** The remark under which a listing shows it; undefined where it must not show at all. */
  readonly remark: string | undefined;
  /** Also what a write would have to replace is refused; false where only reading meets it. */
  readonly missing?: boolean;
  readonly needsRoot?: boolean;
  readonly setUp: (ground: Ground) => unknown;
}

/** A second name of a file whose owner does not own the folder that the name is in. */
function linkOfAnotherUser(file: string, name: string): void {
  chownSync(file, 65_534, 65_534);
  linkSync(file, name);
}

export const hostileFiles: readonly HostileFile[] = [
  {
    what: "a link to a file outside",
    path: "bait.md",
    remark: "link",
    setUp: ({ own, outside }) => symlinkSync(join(outside, "secret.md"), join(own, "bait.md")),
  },
  {
    what: "a relative link to a file outside",
    path: "bait.md",
    remark: "link",
    setUp: ({ own }) => symlinkSync("../../../outside/secret.md", join(own, "bait.md")),
  },
  {
    what: "a link to /etc/passwd",
    path: "bait.md",
    remark: "link",
    setUp: ({ own }) => symlinkSync("/etc/passwd", join(own, "bait.md")),
  },
  {
    what: "a link to the file of a sibling agent",
    path: "bait.md",
    remark: "link",
    setUp: ({ own }) => symlinkSync("../agent2/secret.md", join(own, "bait.md")),
  },
  {
    what: "a link to a document of the same agent",
    path: "bait.md",
    remark: "link",
    setUp: ({ own }) => symlinkSync("own.md", join(own, "bait.md")),
  },
  {
    what: "a dangling link to a place outside",
    path: "bait.md",
    remark: "link",
    setUp: ({ own, outside }) => symlinkSync(join(outside, "made-by-attack.md"), join(own, "bait.md")),
  },
  {
    what: "a link to itself",
    path: "bait.md",
    remark: "link",
    setUp: ({ own }) => symlinkSync("bait.md", join(own, "bait.md")),
  },
  {
    what: "two links in a loop",
    path: "bait.md",
    remark: "link",
    setUp: ({ own }) => {
      symlinkSync("other.md", join(own, "bait.md"));
      symlinkSync("bait.md", join(own, "other.md"));
    },
  },
  {
    what: "a linked folder outside",
    path: "folder/secret.md",
    remark: undefined,
    setUp: ({ own, outside }) => symlinkSync(outside, join(own, "folder")),
  },
  {
    what: "a new file in a linked folder outside",
    path: "folder/new.md",
    remark: undefined,
    setUp: ({ own, outside }) => symlinkSync(outside, join(own, "folder")),
  },
  {
    what: "a new folder in a linked folder outside",
    path: "folder/deeper/new.md",
    remark: undefined,
    setUp: ({ own, outside }) => symlinkSync(outside, join(own, "folder")),
  },
  {
    what: "a linked folder of a sibling agent",
    path: "folder/secret.md",
    remark: undefined,
    setUp: ({ own }) => symlinkSync("../agent2", join(own, "folder")),
  },
  {
    what: "a linked folder that is the agent's own",
    path: "folder/own.md",
    remark: undefined,
    setUp: ({ own }) => symlinkSync(".", join(own, "folder")),
  },
  {
    what: "a linked folder deep inside",
    path: "real/folder/secret.md",
    remark: undefined,
    setUp: ({ own, outside }) => {
      mkdirSync(join(own, "real"));
      symlinkSync(outside, join(own, "real", "folder"));
    },
  },
  {
    what: "a dangling linked folder",
    path: "folder/new.md",
    remark: undefined,
    setUp: ({ own, outside }) => symlinkSync(join(outside, "made-by-attack"), join(own, "folder")),
  },
  {
    what: "a linked folder in a loop",
    path: "folder/new.md",
    remark: undefined,
    setUp: ({ own }) => symlinkSync("folder", join(own, "folder")),
  },
  {
    what: "a hard link to a file of another user outside",
    path: "bait.md",
    remark: "hard-link",
    needsRoot: true,
    setUp: ({ own, outside }) => linkOfAnotherUser(join(outside, "secret.md"), join(own, "bait.md")),
  },
  {
    what: "a hard link to the file of a sibling agent that another user runs",
    path: "bait.md",
    remark: "hard-link",
    needsRoot: true,
    setUp: ({ own, sibling }) => linkOfAnotherUser(join(sibling, "secret.md"), join(own, "bait.md")),
  },
  {
    what: "a named pipe",
    path: "bait.md",
    remark: "special",
    setUp: ({ own }) => execFileSync("mkfifo", [join(own, "bait.md")]),
  },
  {
    what: "a named pipe in the place of a folder",
    path: "bait/new.md",
    remark: undefined,
    setUp: ({ own }) => execFileSync("mkfifo", [join(own, "bait")]),
  },
  {
    what: "a socket",
    path: "bait.md",
    remark: "special",
    setUp: ({ own }) => createServer().listen(join(own, "bait.md")),
  },
  {
    what: "a folder in the place of a file",
    path: "bait.md",
    remark: undefined,
    setUp: ({ own }) => mkdirSync(join(own, "bait.md")),
  },
  {
    what: "a file in the place of a folder",
    path: "own.md/new.md",
    remark: undefined,
    missing: true,
    setUp: () => {},
  },
  {
    what: "a character device",
    path: "bait.md",
    remark: "special",
    needsRoot: true,
    setUp: ({ own }) => execFileSync("mknod", [join(own, "bait.md"), "c", "1", "5"]),
  },
  {
    what: "a block device",
    path: "bait.md",
    remark: "special",
    needsRoot: true,
    setUp: ({ own }) => execFileSync("mknod", [join(own, "bait.md"), "b", "7", "250"]),
  },
];

/** The store's own folder, crafted by somebody else: it may break the operation, but never lead it outside. */
export interface CraftedAuxiliary {
  readonly what: string;
  readonly setUp: (auxiliary: string, ground: Ground) => void;
}

const lockName = "lock".padEnd(252, "_");

const ownFiles = [
  lockName,
  "entrance".padEnd(252, "_"),
  "turns",
  "journal",
  "journal-1",
  "journal-draft",
  "intent",
  "intent-draft",
  "new-0",
];

export const craftedAuxiliaries: readonly CraftedAuxiliary[] = [
  {
    what: "the auxiliary folder is a link to a folder outside",
    setUp: (auxiliary, { outside }) => symlinkSync(outside, auxiliary),
  },
  {
    what: "the auxiliary folder is a link to that of a sibling agent",
    setUp: (auxiliary) => symlinkSync("../agent2/.recollect", auxiliary),
  },
  { what: "the auxiliary folder is a file", setUp: (auxiliary) => writeFileSync(auxiliary, "") },
  ...ownFiles.flatMap((name): CraftedAuxiliary[] => [
    {
      what: `${name} is a link to a file outside`,
      setUp: (auxiliary, { outside }) => {
        mkdirSync(auxiliary);
        symlinkSync(join(outside, "secret.md"), join(auxiliary, name));
      },
    },
    {
      what: `${name} is a dangling link to a place outside`,
      setUp: (auxiliary, { outside }) => {
        mkdirSync(auxiliary);
        symlinkSync(join(outside, "made-by-attack"), join(auxiliary, name));
      },
    },
    {
      what: `${name} is a hard link to a file outside`,
      setUp: (auxiliary, { outside }) => {
        mkdirSync(auxiliary);
        linkSync(join(outside, "secret.md"), join(auxiliary, name));
      },
    },
    {
      what: `${name} is a named pipe`,
      setUp: (auxiliary) => {
        mkdirSync(auxiliary);
        execFileSync("mkfifo", [join(auxiliary, name)]);
      },
    },
    {
      what: `${name} is a folder`,
      setUp: (auxiliary) => mkdirSync(join(auxiliary, name), { recursive: true }),
    },
  ]),
  {
    what: "a hot SQLite journal lies beside the lock",
    setUp: (auxiliary) => {
      mkdirSync(auxiliary);
      writeFileSync(join(auxiliary, "lock-journal"), Buffer.from("d9d505f920a163d7", "hex"));
    },
  },
  ...["../agent2", "../../../outside", "/etc", "..", ".git"].map(
    (folder): CraftedAuxiliary => ({
      what: `an intent names ${folder} as a folder of its operation`,
      setUp: (auxiliary) => {
        mkdirSync(auxiliary);
        const steps = [{ name: "secret.md", was: "0".repeat(32), fresh: 0 }];
        const intent = { recollect: "intent", format: 1, batch: "b", coordinator: folder, folders: [folder], steps };
        writeFileSync(join(auxiliary, "intent"), JSON.stringify({ ...intent, records: [] }));
      },
    }),
  ),
  ...["../agent2/secret.md", "../../../outside/secret.md", ".recollect", "/etc/passwd"].map(
    (name): CraftedAuxiliary => ({
      what: `an intent names ${name} as a document of its operation`,
      setUp: (auxiliary) => {
        mkdirSync(auxiliary);
        writeFileSync(join(auxiliary, "new-0"), "overwritten by an attack");
        const steps = [{ name, rev: "0".repeat(32), fresh: 0 }];
        const intent = {
          recollect: "intent",
          format: 1,
          batch: "b",
          coordinator: "",
          folders: [""],
          steps,
          records: [],
        };
        writeFileSync(join(auxiliary, "intent"), JSON.stringify(intent));
      },
    }),
  ),
];
