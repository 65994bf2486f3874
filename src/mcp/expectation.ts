import * as z from "zod";
import { type Expectation, parseExpectation } from "../app.ts";

/** Optional parameters of every tool that replaces something. */
export const expectationShape = {
  if_rev: z.string().optional().describe("Only at this revision"),
  create_only: z.boolean().optional().describe("Only if new"),
};

export function toExpectation(input: { if_rev?: string | undefined; create_only?: boolean | undefined }): Expectation {
  return parseExpectation({ ifRev: input.if_rev, mustNotExist: input.create_only });
}
