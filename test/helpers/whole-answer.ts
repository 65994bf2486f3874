/** Asks until the index is built: on a busy machine a server answers from what it has, and says so. */
export async function wholeAnswer<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (!JSON.stringify(answer).includes("is still being built")) return answer;
  }
}
