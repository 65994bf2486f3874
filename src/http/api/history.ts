import { parseExistingPath, parseExpectation, RecollectError, type Session, type ShownRevision } from "../../app.ts";
import { allHistory } from "./all-history.ts";
import { SaveConflict } from "./api-failure.ts";
import type { ApiDiff, ApiHistory, ApiRestore, ApiRestored } from "./contract/history.ts";
import { toRows } from "./diff-rows.ts";
import { count, needed, readBody, readQuery, text } from "./input.ts";
import { toRevision, toShown } from "./revision.ts";
import { rootOf } from "./root-files.ts";
import type { Api } from "./services.ts";

const mostRevisions = 100;
const usualRevisions = 50;

export function registerHistory(api: Api): void {
  api.get("/history", async (c) => {
    const { root, path, folder, after, limit, ...who } = readQuery(c, {
      root: needed.optional(),
      path: needed.optional(),
      folder: needed.optional(),
      author: text.optional(),
      run: text.optional(),
      after: text.optional(),
      limit: count(1, mostRevisions).optional(),
    });
    const session = c.get("session");
    const filter = { ...who, limit: limit ?? usualRevisions };
    if (root === undefined) {
      if (path !== undefined || folder !== undefined) throw needsRoot();
      return c.json(await allHistory(session, { author: who.author, run: who.run, limit: filter.limit, after }));
    }
    const history = historyOf(session, root);
    const { operations, next } = await history.log({
      root,
      ...filter,
      after,
      path: path === undefined ? undefined : parseExistingPath(path),
      folder: folder === undefined ? undefined : parseExistingPath(folder),
    });
    const answer: ApiHistory = { revisions: operations.map((one) => toRevision(one, root)), next };
    return c.json(answer);
  });

  api.get("/history/show", async (c) => {
    const { root, path, rev } = readQuery(c, { root: needed, path: needed, rev: needed.optional() });
    const history = historyOf(c.get("session"), root);
    return c.json(toShown(await history.show({ root, path: parseExistingPath(path) }, rev), root));
  });

  api.get("/history/diff", async (c) => {
    const { root, path, ...range } = readQuery(c, {
      root: needed,
      path: needed,
      from: needed.optional(),
      to: needed.optional(),
    });
    const history = historyOf(c.get("session"), root);
    const { from, to } = await history.diff({ root, path: parseExistingPath(path) }, range);
    const answer: ApiDiff = {
      from: from && toShown(from, root),
      to: toShown(to, root),
      ...toRows(textOf(from), textOf(to)),
    };
    return c.json(answer);
  });

  api.post("/history/restore", async (c) => {
    const { root, path, rev, ifRev }: ApiRestore = await readBody(c, {
      root: needed,
      path: needed,
      rev: needed,
      ifRev: text.optional(),
    });
    const session = c.get("session");
    const history = historyOf(session, root);
    const at = { root, path: parseExistingPath(path) };
    const result = await history.restore(at, rev, parseExpectation({ ifRev }));
    if (result.kind === "conflict") {
      const now = await session.documents.read(at);
      const says = `“${path}” is not as you read it: somebody changed it. Nothing was restored.`;
      throw new SaveConflict(says, now && { rev: now.rev, content: now.content });
    }
    const answer: ApiRestored = { root, path, rev: result.rev, restored: result.kind === "restored" };
    return c.json(answer);
  });
}

/** The history of a root that the session sees. One that keeps none has none of any document. */
function historyOf(session: Session, name: string) {
  if (!rootOf(session, name).hasHistory) {
    throw new RecollectError("NOT_FOUND", `No history is kept of “${name}”.`);
  }
  return session.history;
}

/** What was not there yet, or is gone, has no lines; what is no text cannot be compared. */
function textOf(shown: ShownRevision | undefined): string | undefined {
  return shown?.bytes === undefined ? "" : shown.text;
}

function needsRoot(): RecollectError {
  return new RecollectError("INVALID_ARGUMENT", "Which root? Paths and folders are those of one.", {
    data: { parameter: "root" },
  });
}
