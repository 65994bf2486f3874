import { expect, it } from "vitest";
import { isCorrection } from "../../src/hooks/corrections.ts";

it.each([
  "No, we use pnpm here, never npm.",
  "Don't forget: we always sign our commits.",
  "I told you: dates are in UTC.",
  "Don't edit generated files, change the template.",
  "wait, wrong region: everything of ours has to be in eu-central-1",
  "Thanks! One thing: amounts of money are integer cents everywhere in this codebase.",
  "Nein, Migrationen legen wir immer mit `make migration` an, nie von Hand.",
  "Non, chez nous on ne supprime jamais de lignes : on met toujours `deleted_at`.",
  "No, aquí siempre usamos el componente `Button`, nunca el elemento html.",
  "нет, мы здесь используем pnpm",
])("USE-7 “%s” is a correction", (prompt) => {
  expect(isCorrection(prompt)).toBe(true);
});

it.each([
  "no, not yet, first the docs",
  "No, put it on the right. And round.",
  "ok go on with the api now",
  "stop, wait",
  "Don't forget to add tests",
  "please don't forget to add tests for all of it",
  "no worries",
  "Is there always a limit, or only in production?",
  "make the save button blue",
  "yes, customer writes: “your totals must never differ from the sum of our lines”. Check that.",
  "leave style.md alone for now, Jana is working on it today",
  "",
])("USE-7 “%s” is none", (prompt) => {
  expect(isCorrection(prompt)).toBe(false);
});
