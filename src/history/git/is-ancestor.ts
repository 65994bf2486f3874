import type { Git } from "./run-git.ts";

const timeoutMs = 10 * 60_000;

/** Whether one commit is another, or comes before it. False where one of them cannot be read. */
export async function isAncestor(one: string, of: string, git: Git): Promise<boolean> {
  return one === of || (await git.attempt(["merge-base", "--is-ancestor", one, of], { timeoutMs })).code === 0;
}
