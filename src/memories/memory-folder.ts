/** A folder of memories, which is a root of the workspace. */
export interface MemoryFolder {
  /** The root's name: the folder as it was configured. */
  readonly root: string;
  readonly kind: "primary" | "additional" | "global";
  /** What prefixes of names are matched with. */
  readonly baseName: string;
  readonly readOnly: boolean;
}
