import type { Command } from "commander";
import { type Expectation, parseExpectation } from "../app.ts";

export interface ExpectationOptions {
  readonly ifRev?: string;
  readonly createOnly?: boolean;
}

export function withIfRev(command: Command): Command {
  return command.option("--if-rev <rev>", "only if this is still its revision");
}

export function expectationOf({ ifRev, createOnly }: ExpectationOptions): Expectation {
  return parseExpectation({ ifRev, mustNotExist: createOnly });
}
