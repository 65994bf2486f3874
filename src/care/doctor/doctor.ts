import { openWorkspace } from "../../workspace/workspace.ts";
import { diagnose } from "./diagnose.ts";
import type { DiagnoseRequest } from "./diagnose-elsewhere.ts";

/** A process that looks for what is wrong with a workspace, for another one that has it open and must go on answering. */
async function serve(request: DiagnoseRequest): Promise<void> {
  const workspace = await openWorkspace({ ...request, log: () => {}, opensVanished: true });
  const findings = await diagnose(workspace);
  await workspace.close();
  process.send?.(findings);
}

process.once("disconnect", () => process.exit(1));
process.once("message", (request: DiagnoseRequest) => {
  serve(request).then(
    () => process.disconnect(),
    () => process.exit(1),
  );
});
