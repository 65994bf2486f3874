/** GET /agents : only for an admin. Who wrote here, by history and by the folders of agents. */
export interface ApiAgents {
  readonly agents: readonly {
    readonly author: string;
    readonly changes: number;
    readonly last: string | undefined;
    readonly tokens: number;
  }[];
  /** True while changes are still being counted. */
  readonly isPartial: boolean;
}
