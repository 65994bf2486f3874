export function lossSays(time: string): string {
  return `A part of history was lost, as was found at ${time}. Whoever knows of it: recollect verify --accept-loss`;
}
