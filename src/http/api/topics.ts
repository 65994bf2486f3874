import type { ApiEntries, ApiTopics } from "./contract/topics.ts";
import { flag, needed, readQuery, text } from "./input.ts";
import type { Api } from "./services.ts";

const pageSize = 50;

export function registerTopics(api: Api): void {
  api.get("/topics", async (c) => {
    readQuery(c, {});
    const session = c.get("session");
    const rows = session.topicsRoot === undefined ? [] : await session.topics.list();
    const answer: ApiTopics = {
      topics: [...Map.groupBy(rows, ({ topic }) => topic)].map(([topic, some]) => ({
        topic,
        subtopics: some.map(({ subtopic, entries }) => ({ subtopic, entries, path: `${topic}/${subtopic}.md` })),
      })),
      warning: session.topicsWarning,
    };
    return c.json(answer);
  });

  api.get("/topics/entries", async (c) => {
    const asked = readQuery(c, {
      topic: needed.optional(),
      subtopic: needed.optional(),
      archive: flag.optional(),
      after: text.optional(),
    });
    const session = c.get("session");
    const { entries, next } = await session.topics.timeline({ ...asked, limit: pageSize });
    const root = session.topicsRoot ?? "";
    const answer: ApiEntries = { entries: entries.map((entry) => ({ ...entry, root })), next };
    return c.json(answer);
  });
}
