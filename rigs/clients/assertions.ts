import { askingAssertions } from "./assert-asking.ts";
import { costAssertions } from "./assert-cost.ts";
import { personAssertions } from "./assert-person.ts";
import { quietAssertions } from "./assert-quiet.ts";
import { recallAssertions } from "./assert-recall.ts";
import { sessionAssertions } from "./assert-sessions.ts";
import { toolAssertions } from "./assert-tools.ts";
import { trustAssertions } from "./assert-trust.ts";
import type { Assertion } from "./assertion.ts";

export const assertions: readonly Assertion[] = [
  ...toolAssertions,
  ...costAssertions,
  ...recallAssertions,
  ...sessionAssertions,
  ...trustAssertions,
  ...quietAssertions,
  ...askingAssertions,
  ...personAssertions,
];
