import { once } from "node:events";
import type { Socket } from "node:net";
import { wayToDatabase } from "./way-to-database.ts";

/** What happens to the message that is waited for; the client loses its connection in each case. */
type Fate = "answer lost" | "message lost" | "message late";

export interface AmbushedWay {
  readonly url: string;
  /** Waits for a message that holds the text, once. */
  ambush(text: string, fate: Fate): void;
  /** From then on nobody gets through. */
  close(): void;
  isSprung(): boolean;
  /** Lets a message that is late arrive, and waits until the database has dealt with it. */
  deliver(): Promise<void>;
}

/** A way to the database where a connection is lost at the worst moment. */
export async function ambushedWay(databaseUrl: string): Promise<AmbushedWay> {
  let waitingFor: { readonly text: string; readonly fate: Fate } | undefined;
  let late: { readonly far: Socket; readonly bytes: Buffer } | undefined;
  let isClosed = false;
  let isSprung = false;
  const url = await wayToDatabase(databaseUrl, (near, far) => {
    if (isClosed) {
      far.destroy();
      return void near.destroy();
    }
    let isCutOff = false;
    near.on("data", (bytes) => {
      if (!waitingFor || !bytes.includes(waitingFor.text)) return void far.write(bytes);
      const { fate } = waitingFor;
      [waitingFor, isSprung, isCutOff] = [undefined, true, true];
      if (fate === "answer lost") far.once("data", () => near.destroy()).write(bytes);
      else near.destroy();
      if (fate === "message lost") far.destroy();
      if (fate === "message late") late = { far, bytes };
    });
    far.on("data", (bytes) => void (isCutOff || near.write(bytes)));
    near.on("close", () => void (isCutOff || far.destroy()));
    far.on("close", () => void near.destroy());
  });
  return {
    url: url.href,
    ambush: (text, fate) => {
      [waitingFor, isSprung] = [{ text, fate }, false];
    },
    isSprung: () => isSprung,
    close: () => {
      isClosed = true;
    },
    deliver: async () => {
      if (!late) throw new Error("No message is late.");
      const answered = once(late.far, "data");
      late.far.write(late.bytes);
      await answered;
    },
  };
}
