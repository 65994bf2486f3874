// Another process of the same user in the same project: does what it is told, one after the other, and says when.
import { openWorkspace, type Workspace } from "../../../src/workspace/workspace.ts";
import { type Action, perform } from "./perform.ts";

export interface PartnerPlace {
  readonly project: string;
  readonly home: string;
  readonly stays: boolean;
}

export type PartnerOrder =
  | { readonly open: PartnerPlace }
  | { readonly perform: Action }
  /** Over and over, until the process is killed. */
  | { readonly forever: readonly Action[] }
  | "close";

let at: { readonly place: PartnerPlace; readonly workspace: Workspace } | undefined;

async function follow(order: PartnerOrder): Promise<void> {
  if (order === "close") {
    await at?.workspace.close();
    at = undefined;
  } else if ("open" in order) {
    at = { place: order.open, workspace: await openWorkspace({ ...order.open, env: {} }) };
  } else {
    const { place, workspace } = at ?? fail();
    if ("perform" in order) await perform(place.project, workspace, order.perform);
    else for (;;) for (const action of order.forever) await perform(place.project, workspace, action);
  }
}

function fail(): never {
  throw new Error("nothing is open");
}

let last = Promise.resolve();
process.on("message", (order: PartnerOrder) => {
  last = last.then(() => follow(order)).then(() => void process.send?.("done"));
});
