import { liveEvents } from "../live-events.ts";
import { readQuery } from "./input.ts";
import type { Api, ApiServices } from "./services.ts";

export function registerEvents(api: Api, { workspace }: ApiServices): void {
  api.get("/events", (c) => {
    readQuery(c, {});
    const session = c.get("session");
    const body = liveEvents((tell) => workspace.live.listen(session, tell));
    return c.body(body, 200, { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" });
  });
}
