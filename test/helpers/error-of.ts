/** What an operation throws; undefined where it does not. For tests that look at more than the class. */
export async function errorOf(run: () => unknown): Promise<unknown> {
  try {
    await run();
    return undefined;
  } catch (error) {
    return error;
  }
}
