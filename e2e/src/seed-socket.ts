// What a program that is no page is sent at the socket: the first data of each type of the ticker's topic.

const GIVE_UP_MS = 30_000;

export function openSocket(origin: string, types: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
  const told = new Map<string, unknown>();
  const socket = new WebSocket(`${origin.replace("http", "ws")}/ws`);
  return new Promise((done) => {
    const end = () => {
      clearTimeout(late);
      socket.close();
      done(told);
    };
    const late = setTimeout(end, GIVE_UP_MS);
    socket.addEventListener("open", () => {
      for (const type of types) socket.send(JSON.stringify({ event: "sub", channel: "ticker", biz: "spot", type }));
    });
    socket.addEventListener("error", end);
    socket.addEventListener("message", ({ data }) => {
      const message = JSON.parse(String(data)) as { type?: string; data?: unknown };
      if (message.type !== undefined && message.data !== undefined) told.set(message.type, message.data);
      if (types.every((type) => told.has(type))) end();
    });
  });
}
