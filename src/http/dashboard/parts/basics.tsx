import type { ComponentChildren } from "preact";
import type { ApiPlace } from "../../api/contract/place.ts";
import { linkTo, linkToPlace } from "../route.ts";
import { authorParts, formatAgo, formatTime } from "../wording.ts";

/** Every screen begins with one. It takes the focus when a screen is opened, so that a screen reader begins there. */
export function Title({ children, note }: { children: ComponentChildren; note?: ComponentChildren }) {
  return (
    <div class="title">
      <h1 tabIndex={-1}>{children}</h1>
      {note === undefined ? null : <p class="muted">{note}</p>}
    </div>
  );
}

export function Ago({ time }: { time: string }) {
  return (
    <time dateTime={time} title={formatTime(time)}>
      {formatAgo(time, Date.now())}
    </time>
  );
}

export function Author({ author }: { author: string | undefined }) {
  const { kind, name } = authorParts(author ?? "somebody");
  return (
    <span class="author">
      {kind === "" ? null : <span class="author-kind">{kind}</span>} {name}
    </span>
  );
}

export function PlaceLink({ place, isRow = false }: { place: ApiPlace; isRow?: boolean }) {
  const slash = place.path.lastIndexOf("/") + 1;
  return (
    <a class="place" href={linkToPlace("read", place)} {...(isRow ? { "data-row": "" } : {})}>
      <span class="muted">{place.path.slice(0, slash)}</span>
      {place.path.slice(slash)}
    </a>
  );
}

/** The way down to a folder or a document. */
export function Crumbs({ root, path, isDocument = false }: ApiPlace & { isDocument?: boolean }) {
  const parts = path.split("/").filter((part) => part !== "");
  return (
    <nav class="crumbs" aria-label="Place">
      <ol>
        <li>
          <a href={linkTo("browse")}>Browse</a>
        </li>
        <li>
          <a href={linkTo("browse", [root])}>{root}</a>
        </li>
        {parts.map((part, index) => {
          const isLast = index === parts.length - 1;
          const href = linkTo(isLast && isDocument ? "read" : "browse", [root, ...parts.slice(0, index + 1)]);
          return (
            <li key={href}>
              <a href={href} {...(isLast ? { "aria-current": "location" } : {})}>
                {part}
              </a>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

export function Badge({ kind = "plain", children }: { kind?: string; children: ComponentChildren }) {
  return <span class={`badge ${kind}`}>{children}</span>;
}

/** What is shown where there is nothing: what it would be, and what to do next. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

export function Command({ children }: { children: string }) {
  return <code class="command">{children}</code>;
}

/** Lines where content will be; nothing for the first moment, so that what is fast does not flicker. */
export function Waiting({ rows = 4 }: { rows?: number }) {
  return (
    <div class="waiting" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} />
      ))}
    </div>
  );
}
