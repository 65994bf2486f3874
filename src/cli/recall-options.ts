import type { WorkspaceOptions } from "./workspace-options.ts";

/** The clients whose hooks are answered. */
export const hookNames = ["claude-code"] as const;

export type RecallOptions = WorkspaceOptions & {
  readonly maxTokens?: number;
  readonly maxItems?: number;
  readonly task?: string;
  readonly file?: readonly string[];
  readonly hook?: (typeof hookNames)[number];
};

export function limitsOf({ maxTokens, maxItems, task, file }: RecallOptions) {
  return {
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(maxItems === undefined ? {} : { maxItems }),
    ...(task === undefined ? {} : { task }),
    ...(file === undefined ? {} : { files: file }),
  };
}
