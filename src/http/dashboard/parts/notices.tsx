import { useCallback, useEffect, useState } from "preact/hooks";
import type { App } from "../app-context.ts";

interface Notice {
  readonly text: string;
  readonly link: { readonly href: string; readonly text: string } | undefined;
  readonly number: number;
}

const shownFor = 8000;

/** One short message at a time, for eyes and for screen readers. */
export function useNotices() {
  const [notice, setNotice] = useState<Notice | undefined>(undefined);
  const announce = useCallback<App["announce"]>(
    (text, link) => setNotice((last) => ({ text, link, number: (last?.number ?? 0) + 1 })),
    [],
  );
  useEffect(() => {
    if (notice === undefined) return;
    const timer = setTimeout(() => setNotice(undefined), shownFor);
    return () => clearTimeout(timer);
  }, [notice?.number]);
  const element = (
    <div class="notices" role="status">
      {notice === undefined ? null : (
        <p key={notice.number} class="notice">
          {notice.text} {notice.link === undefined ? null : <a href={notice.link.href}>{notice.link.text}</a>}
        </p>
      )}
    </div>
  );
  return { announce, element };
}
