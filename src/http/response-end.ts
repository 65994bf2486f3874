/** Whether there is more to come after the head of an answer. */
export function isEventStream(response: Response): boolean {
  // The type first: whoever looks at the body has a stream made of a plain text.
  return response.headers.get("content-type")?.startsWith("text/event-stream") === true && response.body !== null;
}

/**
 * The same answer, of which is told when its body is over, however that came about, and which can be ended from here.
 * What it was made from is cancelled then, so that whoever fills it stops.
 */
export function withEnd(
  response: Response,
  over: () => void,
): { readonly response: Response; readonly end: () => void } {
  const reader = response.body?.getReader();
  let isOver = false;
  let close = () => {};
  const finish = () => {
    if (isOver) return;
    isOver = true;
    over();
  };
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      close = () => controller.close();
    },
    pull: async (controller) => {
      try {
        const part = await reader?.read();
        if (isOver) return;
        if (part?.value) return controller.enqueue(part.value);
        finish();
        controller.close();
      } catch (error) {
        finish();
        controller.error(error);
      }
    },
    cancel: async (reason) => {
      finish();
      await reader?.cancel(reason);
    },
  });
  return {
    response: new Response(body, { status: response.status, headers: response.headers }),
    end: () => {
      if (isOver) return;
      finish();
      close();
      void reader?.cancel().catch(() => {});
    },
  };
}
