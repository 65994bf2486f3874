import { type ErrorOptions, RecollectError } from "./errors.ts";

/** The storage failed for one document; of the others of its root that says nothing. */
export class UnreadableDocument extends RecollectError {
  constructor(message: string, options: ErrorOptions) {
    super("STORAGE_FAILED", message, options);
  }
}
