import { RecollectError } from "../kernel/errors.ts";
import { type Operation, operations, type RootPolicy } from "../kernel/root-policy.ts";

/** What a credential may do, in one root or, with `*`, in every one. */
export interface TokenScope {
  readonly root: string;
  readonly operations: RootPolicy;
}

export const everyRoot = "*";
/** Words for several operations. To see that something is there and to read it belong together. */
const bundles = new Map<string, readonly Operation[]>([
  ["all", operations],
  ["read", ["list", "read"]],
]);

/** `ROOT:operations`, such as `*:read` or `.serena/memories:read,write`. */
export function parseTokenScope(text: string): TokenScope {
  const colon = text.lastIndexOf(":");
  const root = text.slice(0, Math.max(colon, 0));
  const words = text.slice(colon + 1).split(",");
  const meant = words.map((word) => bundles.get(word) ?? operations.filter((one) => one === word));
  if (root !== "" && meant.every((some) => some.length > 0)) return { root, operations: new Set(meant.flat()) };
  throw new RecollectError(
    "INVALID_ARGUMENT",
    `A scope is ROOT:operations, such as *:read or .serena/memories:read,write. Operations: ${operations.join(", ")}, all.`,
  );
}

/**
 * What scopes grant: `*` in every root that holds memory, a name in that root, where it is also that of the agent's own
 * files or of the project's, which `*` does not mean. What several of them say adds up.
 */
export function toGrants(
  scopes: readonly TokenScope[],
  memoryRoots: readonly string[],
): ReadonlyMap<string, RootPolicy> {
  const named = scopes.map(({ root }) => root).filter((root) => root !== everyRoot);
  return new Map(
    [...new Set([...memoryRoots, ...named])].flatMap((root) => {
      const isMeant = (scope: TokenScope) =>
        scope.root === root || (scope.root === everyRoot && memoryRoots.includes(root));
      const policy = new Set(scopes.filter(isMeant).flatMap((scope) => [...scope.operations]));
      return policy.size > 0 ? [[root, policy] as const] : [];
    }),
  );
}
