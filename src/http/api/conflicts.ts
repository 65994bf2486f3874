import * as z from "zod";
import type { Conflicts, NamedConflict, Rev, UnsettledConflict } from "../../index.ts";
import type { ApiConflict, ApiConflicts, ApiConflictView, ApiSettle } from "./contract/conflicts.ts";
import type { ApiSaved } from "./contract/document.ts";
import { toRows } from "./diff-rows.ts";
import { needed, readBody, readQuery, text } from "./input.ts";
import type { Api } from "./services.ts";

export function registerConflicts(api: Api): void {
  api.get("/conflicts", async (c) => {
    readQuery(c, {});
    const { list, unsettled } = await c.get("session").conflicts();
    const answer: ApiConflicts = {
      conflicts: (await list()).map(toConflict),
      unsettled: (await unsettled()).map(({ at, name, says, choices, byHand }) => ({
        ...at,
        name,
        says,
        choices,
        byHand,
      })),
    };
    return c.json(answer);
  });

  api.get("/conflicts/show", async (c) => {
    const { name } = readQuery(c, { name: needed });
    const view = await (await c.get("session").conflicts()).show(name);
    const { ours, theirs, both } = view;
    const answer: ApiConflictView = {
      ...toConflict(view),
      ours,
      theirs,
      ...toRows(ours ? ours.text : "", theirs.text),
      both,
    };
    return c.json(answer);
  });

  api.post("/conflicts/settle", async (c) => {
    const request: ApiSettle = await readBody(c, {
      name: needed,
      keep: z.enum(["ours", "theirs", "both", "text"]),
      text: z.string().optional(),
      seen: z.strictObject({ ours: text.nullable(), theirs: text.nullable() }).optional(),
    });
    const keep = request.keep === "text" ? "merged" : request.keep;
    const { documents, ...session } = c.get("session");
    const conflicts = await session.conflicts();
    const unsettled = await findUnsettled(conflicts, request.name);
    if (unsettled) {
      await conflicts.settleUnsettled(unsettled, keep);
      const done: ApiSaved = { ...unsettled.at, rev: (await documents.read(unsettled.at))?.rev };
      return c.json(done);
    }
    const view = await conflicts.show(request.name);
    const settled = await conflicts.settle(view, {
      keep,
      text: request.text,
      seen: request.seen && { ours: revOf(request.seen.ours), theirs: revOf(request.seen.theirs) },
    });
    const answer: ApiSaved = { root: view.original.root, path: view.original.path, rev: settled.rev };
    return c.json(answer);
  });
}

/** Named by its place, which no document that lies beside another has. */
async function findUnsettled(conflicts: Conflicts, name: string): Promise<UnsettledConflict | undefined> {
  const isBeside = (await conflicts.list()).some(({ at }) => `${at.root}/${at.path}` === name);
  if (isBeside) return undefined;
  return (await conflicts.unsettled()).find(({ at }) => `${at.root}/${at.path}` === name);
}

function toConflict({ at, original, name, originalName }: NamedConflict): ApiConflict {
  return { root: at.root, path: at.path, name, original: original.path, originalName };
}

/** One that is written wrongly is the revision of nothing, which is just what it will be told. */
function revOf(given: string | null): Rev | undefined {
  return given === null ? undefined : (given as Rev);
}
