import { agentRoot } from "../notes/agents/agent-root.ts";
import { bankRoots } from "../notes/bank/bank-roots.ts";
import { everyRoot, parseTokenScope, type TokenScope } from "./token-scopes.ts";
import type { NewToken } from "./tokens.ts";

/** What `*` does not mean. */
const byNameAlone: readonly string[] = [bankRoots.project, agentRoot];

/**
 * Which scopes grant nothing, and why, as sentences for whoever makes a token. None of that is wrong in itself: tokens
 * are the user's, and another project may have such a root. Roots are those of the project; undefined where none is known.
 */
export function idleScopes(
  { scopes: texts, agentId }: Pick<NewToken, "scopes" | "agentId">,
  roots: readonly string[] | undefined,
): string[] {
  const scopes = texts.map((text) => ({ text, ...parseTokenScope(text) }));
  return scopes.flatMap((scope) => {
    if (roots && !isKnown(scope, roots)) {
      return [
        `There is no root “${scope.root}” in this project, which has ${roots.join(", ")}: “${scope.text}” grants nothing here.`,
      ];
    }
    if (scope.root === agentRoot && agentId === undefined) {
      return [`“${scope.text}” is about an agent's own files: it grants nothing to a token without an agent id.`];
    }
    if (scope.root === agentRoot || scopes.some((other) => other.operations.has("read") && meets(other, scope)))
      return [];
    const says = `What cannot be read does not exist for a token: “${scope.text}” grants nothing without read.`;
    return [`${says} Write ${scope.root}:read,${scope.text.slice(scope.root.length + 1)}`];
  });
}

function isKnown({ root }: TokenScope, roots: readonly string[]): boolean {
  return root === everyRoot || byNameAlone.includes(root) || roots.includes(root);
}

/** Whether there can be a root that both mean. */
function meets(one: TokenScope, other: TokenScope): boolean {
  const names = [one.root, other.root];
  return one.root === other.root || (names.includes(everyRoot) && !names.some((name) => byNameAlone.includes(name)));
}
