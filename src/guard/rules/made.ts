const alphabets = {
  mixed: "aZ3kQ9pL7xW2mB8vR5tN1cH6yD4gF0sJeUiOzKqXwTbMnPlVrYdAhCjGfSoEu",
  hex: "9f3a7c1e5b0d8264",
  digits: "7301958264",
  letters: "kqzxwvjbphtmrnld",
  capitals: "K7QX2MZB5RTW4NHC6YDGF3SJVPAEL",
} as const;

/** The random part of an example: it looks like one, is the same each time, and is written down nowhere. */
export function made(length: number, alphabet: keyof typeof alphabets = "mixed"): string {
  const letters = alphabets[alphabet];
  // The step is prime to each length, and its drift keeps the text from repeating.
  return Array.from({ length }, (_, at) => letters[(at * 7 + Math.floor(at / letters.length)) % letters.length]).join(
    "",
  );
}
