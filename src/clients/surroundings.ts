/** What the setup of clients is told of the machine; only the command line reads it from the process. */
export interface Surroundings {
  readonly cwd: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** The folders of PATH. */
  readonly searchPath: readonly string[];
  /** The folder of this copy of recollect, its package.json in it. */
  readonly packageFolder: string;
  /** The variables by which users move folders of clients. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}
