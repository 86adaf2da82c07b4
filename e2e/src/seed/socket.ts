// The messages for a socket client other than our pages: the first data of each type of the ticker's topic.
import type { Page } from "playwright-core";

export async function listenTicker(page: Page, types: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
  const answer = await page.evaluate(
    (types) =>
      new Promise<[string, unknown][]>((done) => {
        const answer = new Map<string, unknown>();
        const socket = new WebSocket(`${location.origin.replace("http", "ws")}/ws`);
        const end = () => {
          clearTimeout(late);
          socket.close();
          done([...answer]);
        };
        const late = setTimeout(end, 30_000);
        socket.addEventListener("open", () => {
          for (const type of types) socket.send(JSON.stringify({ event: "sub", channel: "ticker", biz: "spot", type }));
        });
        socket.addEventListener("error", end);
        socket.addEventListener("message", ({ data }) => {
          const message = JSON.parse(String(data)) as { type?: string; data?: unknown };
          if (message.type !== undefined && message.data !== undefined) answer.set(message.type, message.data);
          if (!types.some((type) => !answer.has(type))) end();
        });
      }),
    types,
  );
  return new Map(answer);
}
