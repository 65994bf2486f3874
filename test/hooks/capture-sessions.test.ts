import { join } from "node:path";
import { expect, it } from "vitest";
import { playAll, readSessions } from "../../bench/hook-judgement/capture.ts";
import { temporaryFolders } from "../helpers/temporary-folders.ts";

const folders = temporaryFolders();
const sessions = readSessions(join(import.meta.dirname, "../../bench/hook-judgement/data/sessions.json"));

it("USE-7 a question comes in most sessions with a lesson, in few ordinary ones, and never twice", async () => {
  const some = sessions.filter((_, at) => at % 3 === 0);
  const played = await playAll(folders.make(), some);
  const askedIn = (label: string) => {
    const of = played.filter(({ session }) => session.label === label);
    return of.filter(({ questions }) => questions.length > 0).length / of.length;
  };
  expect(askedIn("ordinary")).toBeLessThanOrEqual(0.1);
  expect(askedIn("planted")).toBeGreaterThanOrEqual(0.85);
  expect(played.filter(({ questions }) => questions.length > 1).map(({ session }) => session.id)).toEqual([]);
});
