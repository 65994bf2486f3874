import type { ApiChanged } from "../../api/contract/events.ts";
import type { ApiEntry, ApiTopics } from "../../api/contract/topics.ts";
import { rootNamed, useApp } from "../app-context.ts";
import { Badge, Command, Empty, Title } from "../parts/basics.tsx";
import { NoteText } from "../parts/note-text.tsx";
import { Ready } from "../parts/trouble.tsx";
import { linkTo, linkToPlace, type Route } from "../route.ts";
import { useLoaded, useReloadOnChange } from "../use-loaded.ts";
import { usePages } from "../use-pages.ts";
import { formatDay, plural } from "../wording.ts";

/** What was learned, as a timeline; of all topics, of one, or of one part of it. */
export function TopicsScreen({ route }: { route: Route }) {
  const { api } = useApp();
  const topics = useLoaded((signal) => api.topics(signal), []);
  useReloadOnChange(topics.reload, useInTopics());
  const [topic, subtopic] = route.parts;
  const isArchive = route.query["archive"] === "1";
  return (
    <>
      <Title note="What was learned, by day; the oldest entries move into the archive by themselves">
        {topic === undefined ? "Topics" : [topic, subtopic].filter((part) => part !== undefined).join(" / ")}
      </Title>
      <Ready of={topics} rows={6}>
        {(data) => (
          <>
            {data.warning === undefined ? null : <p class="note warn">{data.warning}</p>}
            {data.topics.length === 0 ? (
              <NoTopics />
            ) : (
              <div class="topics">
                <TopicList topics={data.topics} route={route} />
                <div>
                  <nav class="switch" aria-label="Which entries">
                    <a href={linkTo("topics", route.parts)} {...(isArchive ? {} : { "aria-current": "true" })}>
                      Current
                    </a>
                    <a
                      href={linkTo("topics", route.parts, { archive: "1" })}
                      {...(isArchive ? { "aria-current": "true" } : {})}
                    >
                      Archive
                    </a>
                  </nav>
                  <Timeline topic={topic} subtopic={subtopic} isArchive={isArchive} />
                </div>
              </div>
            )}
          </>
        )}
      </Ready>
    </>
  );
}

function TopicList({ topics, route }: { topics: ApiTopics["topics"]; route: Route }) {
  const query = { archive: route.query["archive"] };
  const current = JSON.stringify(route.parts);
  const link = (parts: readonly string[], text: string) => (
    <a href={linkTo("topics", parts, query)} {...(JSON.stringify(parts) === current ? { "aria-current": "true" } : {})}>
      {text}
    </a>
  );
  return (
    <nav class="topic-list" aria-label="Topics">
      <ul>
        <li>{link([], "All topics")}</li>
        {topics.map(({ topic, subtopics }) => (
          <li key={topic}>
            {link([topic], topic)}
            <ul>
              {subtopics.map(({ subtopic, entries }) => (
                <li key={subtopic}>
                  {link([topic, subtopic], subtopic)} <span class="muted">{entries}</span>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Timeline(props: { topic: string | undefined; subtopic: string | undefined; isArchive: boolean }) {
  const { api } = useApp();
  const { topic, subtopic, isArchive } = props;
  const inTopics = useInTopics();
  const pages = usePages(
    async (after, signal) => {
      const query = { topic, subtopic, after, archive: isArchive ? "1" : undefined };
      const { entries, next } = await api.entries(query, signal);
      return { items: isArchive ? entries.filter((entry) => entry.isArchived) : entries, next };
    },
    [topic ?? "", subtopic ?? "", String(isArchive)],
    { name: "topics", keyOf: keyOfEntry },
  );
  useReloadOnChange(pages.reload, inTopics);
  return (
    <>
      <Ready of={pages} rows={6}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty title={isArchive ? "Nothing was archived yet." : "No entries here."}>
              <p>
                {isArchive
                  ? "Entries move here once a file has more than ten of them, or more than 5 KB."
                  : "Choose another topic, or look into the archive."}
              </p>
            </Empty>
          ) : (
            byDay(entries).map(([date, ofDay]) => (
              <section key={date} class="day" aria-label={formatDay(date)}>
                <h2>{formatDay(date)}</h2>
                <p class="muted hidden">{plural(ofDay.length, "entry", "entries")}</p>
                {ofDay.map((entry, index) => (
                  <Entry key={`${entry.path} ${entry.title} ${index}`} entry={entry} />
                ))}
              </section>
            ))
          )
        }
      </Ready>
      {pages.hasMore ? (
        <button type="button" disabled={pages.isLoading} onClick={pages.loadMore}>
          Show older
        </button>
      ) : null}
    </>
  );
}

/** Whether a change is one of topics: what is written to notes changes nothing here. */
function useInTopics(): (change: ApiChanged) => boolean {
  const { session } = useApp();
  return ({ root }) => rootNamed(session, root)?.kind === "topics";
}

/** One entry is the same as long as its file, day and title are; of two alike in these the text tells. */
function keyOfEntry({ path, date, title, text }: ApiEntry): string {
  return JSON.stringify([path, date, title, text]);
}

function Entry({ entry }: { entry: ApiEntry }) {
  return (
    <article class="entry">
      <h3>{entry.title}</h3>
      <p class="muted">
        <a href={linkToPlace("read", entry)} data-row="">
          {entry.topic} / {entry.subtopic}
        </a>{" "}
        {entry.isArchived ? <Badge>archived</Badge> : null}
      </p>
      <NoteText text={entry.text} below={3} breaks />
    </article>
  );
}

function byDay(entries: readonly ApiEntry[]): [string, ApiEntry[]][] {
  const days = new Map<string, ApiEntry[]>();
  for (const entry of entries) {
    const date = entry.date.slice(0, 10);
    days.set(date, [...(days.get(date) ?? []), entry]);
  }
  return [...days];
}

function NoTopics() {
  return (
    <Empty title="Nothing was stored in topics yet.">
      <p>
        Agents store what they learned with <code>store_in_memory</code>. You can too:{" "}
        <Command>recollect topics store build cache --title "What happened"</Command>.
      </p>
    </Empty>
  );
}
