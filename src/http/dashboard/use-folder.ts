import { useEffect, useState } from "preact/hooks";
import { ApiError, isAborted } from "./api-error.ts";
import { useApp, useLive } from "./app-context.ts";
import { emptyFolder, type FolderContent, withChanges, withPage } from "./folder-pages.ts";

/** The content of a folder, page after page in the background, and alive. */
export function useFolder(root: string, folder: string) {
  const { api } = useApp();
  const [content, setContent] = useState<FolderContent | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const [turn, setTurn] = useState(0);

  useEffect(() => setContent(undefined), [root, folder]);
  useEffect(() => {
    const controller = new AbortController();
    const load = async () => {
      let loaded = emptyFolder;
      let after: string | undefined;
      do {
        const page = await api.folder(root, folder, after, controller.signal);
        loaded = withPage(loaded, page);
        after = page.next;
        // A list that is shown already is replaced when the new one is whole.
        if (turn === 0 || loaded.isComplete) setContent(loaded);
      } while (after !== undefined && !controller.signal.aborted);
      setError(undefined);
    };
    // Where what a page ended with is gone meanwhile, there is no next one: once more from the beginning.
    const again = (failure: unknown) => {
      if (failure instanceof ApiError && failure.code === "INVALID_ARGUMENT") return load();
      throw failure;
    };
    load()
      .catch(again)
      .catch((failure: unknown) => {
        if (!isAborted(failure)) setError(failure);
      });
    return () => controller.abort();
  }, [api, root, folder, turn]);

  useLive(
    (event) => {
      if (event.kind === "stale") setTurn((count) => count + 1);
      if (event.kind !== "changed") return;
      const now = new Date().toISOString();
      setContent((last) => last && withChanges(last, { root, folder }, event.changes, now));
    },
    [root, folder],
  );
  return { content, error, reload: () => setTurn((count) => count + 1) };
}
