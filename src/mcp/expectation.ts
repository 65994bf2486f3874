import * as z from "zod";
import { type Expectation, isRev, RecollectError } from "../index.ts";

/** Optional parameters of every tool that replaces something. */
export const expectationShape = {
  if_rev: z.string().optional().describe("only if this is still its revision"),
  create_only: z.boolean().optional().describe("only if it does not exist"),
};

export function expectationOf(input: { if_rev?: string | undefined; create_only?: boolean | undefined }): Expectation {
  const { if_rev, create_only } = input;
  if (if_rev !== undefined && !isRev(if_rev)) {
    throw new RecollectError(
      "INVALID_ARGUMENT",
      "if_rev is not a revision. Take it from the answer of a read or a write.",
    );
  }
  return { ...(if_rev === undefined ? {} : { ifRev: if_rev }), ...(create_only ? { mustNotExist: true } : {}) };
}
