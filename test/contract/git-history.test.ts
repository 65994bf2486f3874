import { openWorld, scratchFolder } from "../history/scratch.ts";
import { describeHistoryContract } from "./history-contract.ts";

describeHistoryContract("a history in git", async () => openWorld(scratchFolder()));
