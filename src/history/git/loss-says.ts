export function lossSays(time: string): string {
  return `A part of history was lost; this was found at ${time}. To accept the loss: recollect verify --accept-loss`;
}
