import { DatabaseSync } from "node:sqlite";
import { isStopWord } from "../../src/search/text/stop-words.ts";

/** SQLite's own text search over the same documents: any word of the question, stop words dropped, by its BM25. */
export function searchByFts5(documents: readonly string[], queries: readonly string[], limit: number): number[][] {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE VIRTUAL TABLE notes USING fts5(text, tokenize = 'porter unicode61')");
  const insert = database.prepare("INSERT INTO notes(rowid, text) VALUES (?, ?)");
  database.exec("BEGIN");
  for (const [index, text] of documents.entries()) insert.run(index, text);
  database.exec("COMMIT");
  const select = database.prepare("SELECT rowid FROM notes WHERE notes MATCH ? ORDER BY bm25(notes) LIMIT ?");
  const found = queries.map((query) => {
    const match = toMatch(query);
    return match === "" ? [] : select.all(match, limit).map(({ rowid }) => Number(rowid));
  });
  database.close();
  return found;
}

function toMatch(query: string): string {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const telling = words.filter((word) => !isStopWord(word));
  return (telling.length > 0 ? telling : words).map((word) => `"${word}"`).join(" OR ");
}
