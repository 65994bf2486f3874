/** A note, or one lesson, as a hook puts it before a model. */
export interface MemoryRecord {
  /** Tells it from all others of the project, and finds it again. */
  readonly id: string;
  /** As every tool takes it, such as `ci/cache`. */
  readonly name: string;
  /** Of a section or a lesson; empty where it says no more than the name. */
  readonly title: string;
  readonly kind: "note" | "lesson";
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly rev: string;
  /** Of the section or the lesson alone, without its heading. */
  readonly text: string;
  /** Who wrote it through Recollect on this machine; undefined for what came another way. */
  readonly writtenBy?: string | undefined;
}
