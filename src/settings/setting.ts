import type { SettingType } from "./setting-types.ts";

/**
 * What a value in a project's own file may do, since that file comes with a clone (CFG-2):
 * `safe` takes effect; `outside` does where it stays inside of the project, or after `recollect trust`;
 * `user` never does, it belongs to the person and not to the project.
 */
export type TrustClass = "safe" | "outside" | "user";

interface SettingFlag {
  readonly name: `--${string}`;
  /** The text is one element of the list, commas and all; the flag is repeated for more. */
  readonly oneElement?: boolean;
}

/** What stands for the project's name in a path (ONE-4). */
export const projectMark = "{project}";

export interface DefaultContext {
  readonly project: string | undefined;
  readonly dataFolder: string;
  /** Whether a source other than the default gave that key a value. */
  isSet(key: string): boolean;
  /** What such a source said, as it stands there. */
  given(key: string): unknown;
  /** Whether the user said `recollect embeddings enable`. */
  isLocalModelEnabled(): boolean;
}

interface SettingBasics {
  readonly type: SettingType<unknown, unknown>;
  /** Values of earlier builds, each with what to tell a user who still gives it. */
  readonly withdrawn?: Readonly<Record<string, string>>;
  /** As it would stand in a file, or a function of DefaultContext that says so; undefined where there is none. */
  readonly default: unknown;
  /** The command by which the user chose the default that holds; undefined where it is nobody's choice. */
  chosenBy?(context: DefaultContext): string | undefined;
  /** Whether `{project}` in it stands for the name of the project. */
  readonly namesProject?: boolean;
  readonly env: `RECOLLECT_${string}`;
  readonly flags: readonly SettingFlag[];
  readonly description: string;
}

/** `why` completes “has no effect, since it …”. Folders need none: where they lead is looked up. */
export type Setting = SettingBasics &
  (
    | { readonly trust: "safe" }
    | { readonly trust: "user"; readonly why: string }
    | {
        readonly trust: "outside";
        readonly why?: string;
        /** Whether this very value reaches outside; without it every value does. Not asked about folders. */
        reaches?(raw: unknown, context: DefaultContext): boolean;
      }
  );

/** Settings by their dotted keys. */
export type SettingTable = Readonly<Record<string, Setting>>;
