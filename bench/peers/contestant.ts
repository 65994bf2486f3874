import type { NoteSet } from "./notes.ts";
import type { ServerCommand, StdioClient } from "./stdio-client.ts";

/** One server in the words of its own tools. What it has no tool for is left out. */
export interface Contestant {
  readonly name: string;
  /** What npm installs, and under which name it then lies there. */
  readonly spec: string;
  readonly packageName: string;
  /** It has native code that is compiled here. */
  readonly isCompiled?: boolean;
  /** `folder` is the package, `store` an empty folder for all that it keeps. */
  command(folder: string, store: string): ServerCommand;
  /** Puts notes where there is no tool to write them. */
  prepare?(folder: string, store: string, notes: NoteSet["notes"]): void;
  write?(client: StdioClient, name: string, content: string): Promise<unknown>;
  /** Names of notes, best first. */
  search?(client: StdioClient, query: string, limit: number): Promise<readonly string[]>;
  /** Text in which those of the names are found that are kept. */
  kept?(client: StdioClient, names: readonly string[]): Promise<string>;
}
