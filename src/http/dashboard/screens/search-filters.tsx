import { useApp } from "../app-context.ts";
import type { Route } from "../route.ts";
import { useLoaded } from "../use-loaded.ts";

/** Narrows a search by root, topic and dates. */
export function SearchFilters(props: {
  query: Route["query"];
  onChange: (changes: Readonly<Record<string, string>>) => void;
}) {
  const { api, session } = useApp();
  const topics = useLoaded((signal) => api.topics(signal), []);
  const { query, onChange } = props;
  const hasFilter = ["root", "topic", "since", "until"].some((name) => (query[name] ?? "") !== "");
  return (
    <fieldset class="filters">
      <legend class="hidden">Filters</legend>
      <label>
        <span>Root</span>
        <select value={query["root"] ?? ""} onChange={(event) => onChange({ root: event.currentTarget.value })}>
          <option value="">all</option>
          {session.roots.map((root) => (
            <option key={root.name} value={root.name}>
              {root.name}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>Topic</span>
        <select value={query["topic"] ?? ""} onChange={(event) => onChange({ topic: event.currentTarget.value })}>
          <option value="">all</option>
          {(topics.data?.topics ?? []).map(({ topic }) => (
            <option key={topic} value={topic}>
              {topic}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>Since</span>
        <input
          type="date"
          value={query["since"] ?? ""}
          onChange={(event) => onChange({ since: event.currentTarget.value })}
        />
      </label>
      <label>
        <span>Until</span>
        <input
          type="date"
          value={query["until"] ?? ""}
          onChange={(event) => onChange({ until: event.currentTarget.value })}
        />
      </label>
      {hasFilter ? (
        <button type="button" class="link" onClick={() => onChange({ root: "", topic: "", since: "", until: "" })}>
          Clear filters
        </button>
      ) : null}
    </fieldset>
  );
}
