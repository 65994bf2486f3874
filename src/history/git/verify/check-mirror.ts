import { isAncestor } from "../is-ancestor.ts";
import type { Mirror } from "../mirror.ts";

export interface MirrorCheck {
  /** Whether it has everything up to the end of the history, and all of it can be read. */
  readonly isWhole: boolean;
  /** What a person should know of it, as a sentence; never an error (ONE-3). */
  readonly remark: string | undefined;
}

const timeoutMs = 60 * 60_000;

/** Whether the second copy of a history would help: `end` is where the history should end, `tip` where it does. */
export async function checkMirror(
  mirror: Mirror | undefined,
  { end, tip }: { readonly end: string | undefined; readonly tip: string | undefined },
): Promise<MirrorCheck> {
  const known = mirror?.open();
  if (!mirror || !known) return { isWhole: false, remark: mirror?.remark(tip) };
  const { code } = await known.git.attempt(["fsck", "--full", "--no-dangling", "--no-progress"], { timeoutMs });
  if (code !== 0) {
    const name = known.repository.shownAs;
    const remark = `The second copy of this history, “${name}”, is damaged. Move it away: the next recording makes a new one.`;
    return { isWhole: false, remark };
  }
  const hasAll = end !== undefined && (end === known.tip || (await isAncestor(end, known.tip, known.git)));
  return { isWhole: hasAll, remark: mirror.remark(tip) };
}
