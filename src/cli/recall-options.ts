import type { HookClient } from "../hooks/dialect.ts";
import type { WorkspaceOptions } from "./workspace-options.ts";

export type RecallOptions = WorkspaceOptions & {
  readonly maxTokens?: number;
  readonly maxItems?: number;
  readonly task?: string;
  readonly file?: readonly string[];
  readonly hook?: HookClient;
};

export function limitsOf({ maxTokens, maxItems, task, file }: RecallOptions) {
  return {
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(maxItems === undefined ? {} : { maxItems }),
    ...(task === undefined ? {} : { task }),
    ...(file === undefined ? {} : { files: file }),
  };
}
