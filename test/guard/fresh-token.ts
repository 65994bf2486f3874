import { randomInt } from "node:crypto";

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Made up when it is needed, from parts: no token stands in our sources, and none was seen before. */
export function freshToken(): string {
  return ["gh", "p_", ...Array.from({ length: 36 }, () => letters[randomInt(letters.length)])].join("");
}
