/** `1 entry`, `3 entries`. What several are called need only be said where it is not one more letter. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
