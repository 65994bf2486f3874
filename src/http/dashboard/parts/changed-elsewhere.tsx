import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ApiDocument } from "../../api/contract/document.ts";
import { useLive } from "../app-context.ts";
import { Author } from "./basics.tsx";

/** Says that the note that is open was changed by somebody else. `children` says what one can do. */
export function ChangedElsewhere(props: { document: ApiDocument; onStale?: () => void; children: ComponentChildren }) {
  const { root, path, rev } = props.document;
  const [change, setChange] = useState<{ author: string | undefined; isGone: boolean } | undefined>(undefined);
  useEffect(() => setChange(undefined), [rev]);
  useLive(
    (event) => {
      if (event.kind === "stale") props.onStale?.();
      if (event.kind !== "changed") return;
      const found = event.changes.findLast((changed) => changed.root === root && changed.path === path);
      if (found !== undefined && found.rev !== rev)
        setChange({ author: found.author, isGone: found.rev === undefined });
    },
    [root, path, rev],
  );
  return (
    <div role="status">
      {change === undefined ? null : (
        <p class="note accent">
          {change.isGone ? "Deleted" : "Changed"} by <Author author={change.author} /> – {props.children}
        </p>
      )}
    </div>
  );
}
