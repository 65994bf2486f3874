/** How far a copy is: first what was, then what is there now. */
export interface CopyProgress {
  readonly stage: "history" | "documents";
  readonly done: number;
  readonly total: number;
}

export type OnCopyProgress = (progress: CopyProgress) => void;

/** What a copy did. */
export interface CopyReport {
  /** How many operations were copied now; 0 where there was nothing new. */
  readonly operations: number;
  /** How many documents were put in their places, or got their times. */
  readonly documents: number;
  /** Documents that no history has, since they are too large: they stay where they are. */
  readonly leftOut: readonly string[];
}
