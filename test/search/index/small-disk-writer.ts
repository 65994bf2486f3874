import { IndexFailure } from "../../../src/search/index/index-failure.ts";
import { openIndexFile } from "../../../src/search/index/open-index.ts";
import { documentOf } from "./index-fixture.ts";

/** Run as a process that may write only so much: indexes until it fails, and tells what it then has. */
process.on("SIGXFSZ", () => undefined);
const [file = ""] = process.argv.slice(2);
const opened = openIndexFile({ file, version: "test" });
const batch = 100;
let written = 0;
let failure = opened.kind === "open" ? "" : opened.reason;
while (opened.kind === "open" && failure === "" && written < 20_000) {
  const put = Array.from({ length: batch }, (_, number) =>
    documentOf(`${written}-${number}.md`, [`w${written} x${number}`]),
  );
  try {
    opened.index.apply({ put, remove: [] });
    written += put.length;
  } catch (error) {
    if (!(error instanceof IndexFailure)) throw error;
    failure = error.kind;
  }
}
const kept = opened.kind === "open" ? opened.index.dump().length : 0;
// What failed may have been the merging after a batch that was written.
const isWhole = kept === written || kept === written + batch;
process.stdout.write(JSON.stringify({ opened: opened.kind, failure, isWhole, hasSome: kept > 0 }));
