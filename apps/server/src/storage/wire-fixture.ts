// A wire to a PostgreSQL that tests can cut, stall and restore. Must never be used by the running server.
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

export interface Wire {
  readonly port: number;
  /** The same server and database, by this wire. */
  readonly url: string;
  /** As if the server were killed. */
  cut(): void;
  /** As if it were stopped: sent data is accepted and nothing is answered. */
  pause(): void;
  repair(): void;
  close(): void;
}

export async function openWire(target: URL): Promise<Wire> {
  let isCut = false;
  let isPaused = false;
  const sockets = new Set<Socket>();
  const hold = (socket: Socket): void => void socket.pause();
  const server: Server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(Number(target.port || 5432), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
    if (isPaused) hold(near);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const through = new URL(target);
  through.hostname = "127.0.0.1";
  through.port = String(port);
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    url: through.href,
    cut() {
      isCut = true;
      drop();
    },
    pause() {
      isPaused = true;
      for (const socket of sockets) hold(socket);
    },
    repair() {
      isCut = false;
      isPaused = false;
      for (const socket of sockets) socket.resume();
    },
    close() {
      server.close();
      drop();
    },
  };
}
