import type { Database, Row } from "../../../src/backends/postgres/database.ts";

/** A database that takes its time: others do something right after the first statement that holds the text. */
export function slowLook(database: Database, text: string, others: () => Promise<unknown>): Database {
  let isSprung = false;
  return {
    ...database,
    read: async (spaces, ...statements) => {
      const answers: (readonly Row[])[] = [];
      for (const statement of statements) {
        answers.push(...(await database.read(spaces, statement)));
        if (isSprung || !statement.text.includes(text)) continue;
        isSprung = true;
        await others();
      }
      return answers;
    },
  };
}
