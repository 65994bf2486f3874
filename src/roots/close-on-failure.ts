/** Goes on with something that is open; where that fails, it is closed first: a command must not linger for it. */
export async function closeOnFailure<Result>(
  open: { close(): Promise<void> } | undefined,
  goOn: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await goOn();
  } catch (error) {
    // What failed first is what the user has to know.
    await open?.close().catch(() => {});
    throw error;
  }
}
