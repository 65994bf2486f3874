import { createHmac } from "node:crypto";
import { type UserPlace, userDataFolder } from "./user-folders.ts";
import { readUserSalt } from "./user-salt.ts";

/** Short and salted: what it stands for cannot be guessed by trying. */
export type UserHash = (text: string) => string;

export function createUserHash(user: Partial<UserPlace>): UserHash {
  let salt: Buffer | undefined;
  return (text) => {
    // Nothing is made in the user's folder before it is needed.
    salt ??= readUserSalt(userDataFolder(user));
    return createHmac("sha256", salt).update(text).digest("hex").slice(0, 20);
  };
}
