export const logLevels = ["debug", "info", "warning", "error"] as const;

export type LogLevel = (typeof logLevels)[number];

/** Structured logging: an event and its fields. Never a secret, never the content of a document. */
export type Log = (level: LogLevel, event: string, fields?: Readonly<Record<string, unknown>>) => void;

export const noLog: Log = () => {};
