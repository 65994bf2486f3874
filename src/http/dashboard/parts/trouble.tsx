import type { ComponentChildren } from "preact";
import { adviceFor, isOffline, messageOf } from "../api-error.ts";
import type { Loaded } from "../use-loaded.ts";
import { Waiting } from "./basics.tsx";
import { Words } from "./words.tsx";

/** A failure in words, with what to do. */
export function Trouble(props: { error: unknown; onRetry?: (() => void) | undefined; retry?: string }) {
  const { error, onRetry, retry = "Try again" } = props;
  return (
    <div class={`note ${isOffline(error) ? "warn" : "danger"}`} role="alert">
      <p>
        <strong>{messageOf(error)}</strong>
      </p>
      <p>
        <Words text={adviceFor(error)} />
      </p>
      {onRetry === undefined ? null : (
        <button type="button" onClick={onRetry}>
          {retry}
        </button>
      )}
    </div>
  );
}

/** What was loaded, or that it is on its way, or why it is not. */
export function Ready<T>(props: { of: Loaded<T>; rows?: number; children: (data: T) => ComponentChildren }) {
  const { data, error, reload } = props.of;
  return (
    <>
      {error === undefined ? null : <Trouble error={error} onRetry={reload} />}
      {data !== undefined ? props.children(data) : error === undefined ? <Waiting rows={props.rows ?? 4} /> : null}
    </>
  );
}
