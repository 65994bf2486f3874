import type { Finding } from "../../src/guard/finding.ts";
import type { GuardOptions } from "../../src/guard/guard.ts";
import type { ExistingPath } from "../../src/kernel/document-path.ts";
import { isRecollectError } from "../../src/kernel/errors.ts";
import { createContentGuard } from "../../src/workspace/content-guard.ts";

interface Written {
  readonly name: string;
  readonly nameBefore?: string;
  readonly before?: string;
  readonly after: string;
}

/** What a write of one document is refused for, asked where every write passes. */
export async function openJudge({ policy, allowed }: GuardOptions): Promise<(written: Written) => Finding[]> {
  const check = await createContentGuard({ policy, allowed: () => allowed, log: () => {} })();
  return ({ name, nameBefore, before = "", after }) => {
    try {
      check([{ at: { root: "memory", path: name as ExistingPath }, nameBefore, before, after }]);
      return [];
    } catch (error) {
      if (!isRecollectError(error)) throw error;
      return error.data["findings"] as Finding[];
    }
  };
}
