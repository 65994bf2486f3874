import chromium from "@sparticuz/chromium";
import { diskFolder } from "./temporary-folders.ts";

/** Unpacked once for all runs, so not where a run takes its temporary files with it. */
export async function browserProgram(): Promise<string> {
  const { TMPDIR } = process.env;
  process.env["TMPDIR"] = diskFolder;
  try {
    return await chromium.executablePath();
  } finally {
    if (TMPDIR === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = TMPDIR;
  }
}
