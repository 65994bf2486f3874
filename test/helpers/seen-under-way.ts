/**
 * Begins what takes a while, and anew until it was seen under way: on a busy machine it may be over before anybody gets
 * to look.
 */
export async function seenUnderWay<Answer>(
  begin: () => Promise<Answer>,
  isSeen: () => Promise<boolean>,
): Promise<{ readonly ended: Promise<Answer> }> {
  for (;;) {
    let isOver = false;
    const ended = begin().finally(() => {
      isOver = true;
    });
    ended.catch(() => {});
    while (!isOver) if (await isSeen()) return { ended };
  }
}
