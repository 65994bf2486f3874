import { type Log, type LogLevel, logLevels } from "../kernel/log.ts";

/** One JSON object a line on stderr: stdout belongs to answers and to the protocol. */
export function createStderrLog(options: { level: LogLevel; now?: () => number }): Log {
  const least = logLevels.indexOf(options.level);
  const now = options.now ?? Date.now;
  return (level, event, fields = {}) => {
    if (logLevels.indexOf(level) < least) return;
    process.stderr.write(`${JSON.stringify({ time: new Date(now()).toISOString(), level, event, ...fields })}\n`);
  };
}
