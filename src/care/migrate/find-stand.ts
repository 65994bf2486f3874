import { RecollectError } from "../../kernel/errors.ts";
import type { OperationSource } from "../../kernel/operation-source.ts";

/**
 * Where a copy goes on: after the operation that its target ends with. Whatever ends with another one was not copied
 * from there, or was written to since.
 */
export async function findStand(source: OperationSource, last: string | undefined, target: string): Promise<number> {
  if (last === undefined) return 0;
  const position = await source.find(last);
  if (position !== undefined) return position;
  const says = `${target} holds something else already, or was written to since it was copied to.`;
  throw new RecollectError("NOT_ALLOWED", `${says} Choose an empty one, or copy the other way round.`);
}
