/** A folder of memories, which is a root of the workspace. */
export interface MemoryFolder {
  /** The root's name: the folder as it was configured. */
  readonly root: string;
  readonly kind: "primary" | "additional" | "global";
  /** What prefixes of names are matched with. */
  readonly baseName: string;
  readonly readOnly: boolean;
  /** Its absolute path, for whoever tells a person about it; a store that is no disk has none. */
  readonly path?: string;
}
