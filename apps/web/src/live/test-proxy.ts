// A TCP proxy that misbehaves on demand: cuts connections, delays, drops and swaps chunks.
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

export interface ProxyFaults {
  /** Milliseconds every chunk waits. */
  delayMs: number;
  /** From the server's chunks: drop every n-th, swap every n-th with the next; 0 is never. */
  dropEvery: number;
  swapEvery: number;
  /** Cuts the server's chunks into pieces of this size first, so that faults hit the middle of frames; 0 is never. */
  pieceBytes: number;
  /** New connections are refused at once. */
  refuse: boolean;
}

export class FaultyProxy {
  readonly faults: ProxyFaults = { delayMs: 0, dropEvery: 0, swapEvery: 0, pieceBytes: 0, refuse: false };
  accepted = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #targetPort: number;
  #chunks = 0;

  private constructor(targetPort: number) {
    this.#targetPort = targetPort;
    this.#server = createServer((client) => this.#accept(client));
  }

  static async start(targetPort: number): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(targetPort);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get openCount(): number {
    return this.#sockets.size;
  }

  /** Cuts everything that goes through now, as a pulled cable would: reset, no farewell. */
  cutAll(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async close(): Promise<void> {
    this.cutAll();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #accept(client: Socket): void {
    this.accepted += 1;
    if (this.faults.refuse) {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(this.#targetPort, "127.0.0.1");
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.#sockets.add(from);
      from.setNoDelay(true);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        this.#sockets.delete(from);
        to.destroy();
      });
    }
    client.on("data", (chunk) => this.#pass([chunk], upstream));
    let held: Buffer | undefined;
    const spoil = (chunk: Buffer) => {
      this.#chunks += 1;
      const { dropEvery, swapEvery } = this.faults;
      if (dropEvery > 0 && this.#chunks % dropEvery === 0) return;
      if (swapEvery > 0 && held === undefined && this.#chunks % swapEvery === 0) {
        held = chunk;
        return;
      }
      this.#pass(held === undefined ? [chunk] : [chunk, held], client);
      held = undefined;
    };
    upstream.on("data", (chunk) => {
      for (const piece of cutPieces(chunk, this.faults.pieceBytes)) spoil(piece);
    });
  }

  #pass(chunks: readonly Buffer[], to: Socket): void {
    const write = () => {
      for (const chunk of chunks) if (!to.destroyed) to.write(chunk);
    };
    if (this.faults.delayMs > 0) setTimeout(write, this.faults.delayMs);
    else write();
  }
}

function cutPieces(chunk: Buffer, pieceBytes: number): Buffer[] {
  if (pieceBytes === 0) return [chunk];
  const pieces: Buffer[] = [];
  for (let at = 0; at < chunk.length; at += pieceBytes) pieces.push(chunk.subarray(at, at + pieceBytes));
  return pieces;
}
