import { randomInt } from "node:crypto";

/**
 * For a document that must be looked at again: no survey has it. Another one each time, so that two processes that
 * index the same document notice each other.
 */
export function unsettledStamp(): number {
  return -randomInt(1, 2 ** 47);
}
