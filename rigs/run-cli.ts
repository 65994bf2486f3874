// The command line of the sources that RIG_SOURCE names, so that a broken build can be run as well.
import { pathToFileURL } from "node:url";
import type * as Process from "../src/cli/process.ts";

const { runProcess }: typeof Process = await import(pathToFileURL(`${process.env["RIG_SOURCE"]}/cli/process.ts`).href);
await runProcess();
