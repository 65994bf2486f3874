import * as z from "zod";
import {
  type Address,
  type ConflictChoice,
  type Conflicts,
  isRev,
  type NamedConflict,
  RecollectError,
  type Rev,
  type SeenRevisions,
  type Session,
  type UnsettledConflict,
  type UnsettledView,
} from "../../app.ts";
import type {
  ApiConflict,
  ApiConflictChoice,
  ApiConflicts,
  ApiConflictView,
  ApiSettle,
  ApiSettled,
  ApiUnsettled,
} from "./contract/conflicts.ts";
import { toRows } from "./diff-rows.ts";
import { needed, readBody, readQuery } from "./input.ts";
import { operationsOf, rootOf } from "./root-files.ts";
import type { Api } from "./services.ts";

const rev = z.custom<Rev>((given) => typeof given === "string" && isRev(given), "is no revision").nullable();

export function registerConflicts(api: Api): void {
  api.get("/conflicts", async (c) => {
    readQuery(c, {});
    const session = c.get("session");
    const { list, unsettled, look } = await session.conflicts();
    const answer: ApiConflicts = {
      conflicts: (await list()).map(toConflict),
      unsettled: (await Promise.all((await unsettled()).map(look))).map((one) => toUnsettled(session, one)),
    };
    return c.json(answer);
  });

  api.get("/conflicts/show", async (c) => {
    const place = readQuery(c, { root: needed, path: needed });
    const session = c.get("session");
    const view = await (await session.conflicts()).show(place);
    const { ours, theirs, both } = view;
    const answer: ApiConflictView = {
      ...toConflict(view),
      ours,
      theirs,
      choices: view.choices.map((choice) => toChoice(session, [view.at, view.original], choice)),
      ...toRows(ours ? ours.text : "", theirs.text),
      both,
    };
    return c.json(answer);
  });

  api.post("/conflicts/settle", async (c) => {
    const request = (await readBody(c, {
      root: needed,
      path: needed,
      decided: needed.optional(),
      keep: z.enum(["ours", "theirs", "both", "text"]),
      text: z.string().optional(),
      seen: z.strictObject({ ours: rev, theirs: rev }).optional(),
    })) satisfies ApiSettle;
    if (request.text !== undefined && request.keep !== "text") {
      throw new RecollectError("INVALID_ARGUMENT", "A text is for keep text alone.", { data: { parameter: "text" } });
    }
    const conflicts = await c.get("session").conflicts();
    const seen = request.seen && { ours: request.seen.ours ?? undefined, theirs: request.seen.theirs ?? undefined };
    const settle = request.decided === undefined ? settleBeside : settleDecided;
    return c.json(await settle(conflicts, { ...request, seen }));
  });
}

type Settling = Omit<ApiSettle, "seen"> & { readonly seen: SeenRevisions | undefined };

async function settleBeside(conflicts: Conflicts, { seen, text, ...request }: Settling): Promise<ApiSettled> {
  const view = await conflicts.show(request);
  const keep = toKeep(request.keep);
  const choice = view.choices.find((one) => one.keep === keep);
  if (choice?.deletes && !seen && view.theirs.rev !== undefined) {
    const says = `There is no “${view.original.path}”: what would be deleted is the only copy. Say what you have seen.`;
    throw new RecollectError("INVALID_ARGUMENT", says, { data: { parameter: "seen" } });
  }
  const settled = await conflicts.settle(view, { keep, text, seen });
  const { kept, rev: now } = settled;
  return { ...view.original, rev: now, ...(kept ? { kept: { root: kept.root, path: kept.path } } : {}) };
}

async function settleDecided(conflicts: Conflicts, request: Settling): Promise<ApiSettled> {
  const { root, path, decided, seen } = request;
  const isIt = ({ at, conflict }: UnsettledConflict) =>
    at.root === root && at.path === path && conflict.kind === decided;
  const found = (await conflicts.unsettled()).find(isIt);
  if (!found) {
    const says = `Nothing of “${path}” in “${root}” is left to decide: somebody changed or settled it. Look again.`;
    throw new RecollectError("NOT_FOUND", says);
  }
  await conflicts.settleUnsettled(found, { keep: toKeep(request.keep), seen });
  return { root, path, rev: (await conflicts.look(found)).seen?.ours };
}

function toKeep(keep: ApiSettle["keep"]): ConflictChoice["keep"] {
  return keep === "text" ? "merged" : keep;
}

function toConflict({ at, original, name, originalName }: NamedConflict): ApiConflict {
  return { root: at.root, path: at.path, name, original: original.path, originalName };
}

function toUnsettled(
  session: Session,
  { at, name, conflict, says, choices, byHand, seen }: UnsettledView,
): ApiUnsettled {
  return {
    ...at,
    name,
    kind: conflict.kind,
    says,
    choices: choices.map((choice) => toChoice(session, [at], choice)),
    byHand,
    seen: seen && { ours: seen.ours ?? null, theirs: seen.theirs ?? null },
  };
}

/** Settings may protect a document beyond what its root allows. */
function toChoice(
  session: Session,
  about: readonly [Address, ...Address[]],
  { keep, does, deletes, needs }: ConflictChoice,
): ApiConflictChoice {
  const allowed = operationsOf(rootOf(session, about[0].root));
  const isProtected = about.some(session.documents.isProtected);
  return {
    keep: keep === "merged" ? "text" : keep,
    does,
    deletes: deletes && { root: deletes.root, path: deletes.path },
    missing: needs.filter((one) => isProtected || !allowed.includes(one)),
  };
}
