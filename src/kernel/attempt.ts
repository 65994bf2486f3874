/** What the system gives; undefined where it refuses, since what is asked for is not there or may not be looked at. */
export function attempt<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
