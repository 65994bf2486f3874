/** How many milliseconds of the processor something takes; the clock would count what else runs on the machine. */
export function processorTime(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
