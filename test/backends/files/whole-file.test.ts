import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isUnfinished } from "../../../src/backends/files/auxiliary.ts";
import { bestOpenDirectory, type Directory } from "../../../src/backends/files/directory.ts";
import { makeWholeFile } from "../../../src/backends/files/whole-file.ts";
import { errorOf } from "../../helpers/error-of.ts";
import { scratchFolder } from "./scratch.ts";

const content = Buffer.from("all of it");

function open(folder: string): Directory {
  const directory = bestOpenDirectory()(folder);
  onTestFinished(() => directory.close());
  return directory;
}

/** The folder, where somebody acts before each draft is done, which is when its folder is asked for its mode. */
function meanwhile(folder: string, act: (draft: number) => void): Directory {
  const directory = open(folder);
  let drafts = 0;
  const stat = () => {
    const about = directory.stat();
    drafts += 1;
    act(drafts);
    return about;
  };
  return { ...directory, stat };
}

describe("a file that is made whole", () => {
  it("KER-5 is made where a recovery takes its draft for one that was left behind", () => {
    const folder = scratchFolder();
    const sweep = (draft: number) => {
      if (draft > 3) return;
      for (const name of readdirSync(folder).filter(isUnfinished)) rmSync(join(folder, name));
    };
    makeWholeFile(meanwhile(folder, sweep), "lock", content);
    expect(readdirSync(folder)).toEqual(["lock"]);
    expect(readFileSync(join(folder, "lock"))).toEqual(content);
  });

  it("KER-5 is not made in a folder that was deleted, and not tried for ever", async () => {
    const folder = scratchFolder();
    const remove = () => rmSync(folder, { recursive: true, force: true });
    const error = await errorOf(() => makeWholeFile(meanwhile(folder, remove), "lock", content));
    expect(error).toMatchObject({ code: "ENOENT" });
  });

  it("KER-5 is an error that passes where its drafts are always taken away", async () => {
    const folder = scratchFolder();
    const sweep = () => {
      for (const name of readdirSync(folder)) rmSync(join(folder, name));
    };
    const error = await errorOf(() => makeWholeFile(meanwhile(folder, sweep), "lock", content));
    expect(error).toMatchObject({ code: "ESTALE" });
  });

  it("KER-5 leaves the file of whoever was quicker", () => {
    const folder = scratchFolder();
    makeWholeFile(open(folder), "lock", content);
    makeWholeFile(open(folder), "lock", Buffer.from("another"));
    expect(readdirSync(folder)).toEqual(["lock"]);
    expect(readFileSync(join(folder, "lock"))).toEqual(content);
  });
});
