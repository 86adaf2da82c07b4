// Connections between clients and a server of one process, in memory: what is sent arrives in pieces and later, and a
// line can be cut at any moment or lose what the server answers. Real HTTP and real web sockets run over it.
import type { Server } from "node:http";
import { Duplex } from "node:stream";
import type { Random } from "@clockwork/kit/random";

const HOPS_MAX = 6;
const PIECES_MAX = 3;

/** One end of a line, as http expects a socket to be. */
class End extends Duplex {
  readonly remoteAddress = "127.0.0.1";
  readonly remotePort = 1;
  readonly localAddress = "127.0.0.1";
  peer: End | undefined;
  /** Outgoing messages are dropped. */
  isMute = false;
  readonly #random: Random;
  #sending: Promise<void> = Promise.resolve();

  constructor(random: Random) {
    super();
    this.#random = random;
    this.on("error", () => undefined);
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const pieces = cut(chunk, this.#random.between(1, PIECES_MAX));
    const hops = this.#random.below(HOPS_MAX);
    this.#sending = this.#sending.then(async () => {
      for (let hop = 0; hop < hops; hop++) await new Promise((next) => setImmediate(next));
      for (const piece of pieces) if (!this.isMute && this.peer?.destroyed === false) this.peer.push(piece);
    });
    done();
  }

  override _final(done: (error?: Error | null) => void): void {
    void this.#sending.then(() => {
      if (this.peer?.destroyed === false && !this.isMute) this.peer.push(null);
      done();
    });
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    setImmediate(() => this.peer?.destroy());
    done(error);
  }

  setTimeout(): this {
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  destroySoon(): void {
    this.end(() => this.destroy());
  }
}

function cut(chunk: Buffer, count: number): Buffer[] {
  const size = Math.ceil(chunk.length / count);
  return Array.from({ length: count }, (_, index) =>
    Buffer.from(chunk.subarray(index * size, (index + 1) * size)),
  ).filter(({ length }) => length > 0);
}

export interface Line {
  readonly client: Duplex;
  /** The server receives everything; its responses are lost. */
  loseAnswers(): void;
  cut(): void;
}

export class SimulatedNetwork {
  readonly #random: Random;
  readonly #lines = new Set<Line>();
  #server: Server | undefined;

  constructor(random: Random) {
    this.#random = random;
  }

  serve(server: Server | undefined): void {
    this.#server = server;
  }

  /** Throws as a refused connection where no server listens. */
  connect(): Line {
    if (this.#server === undefined) throw new Error("nobody serves");
    const [client, server] = [new End(this.#random), new End(this.#random)];
    client.peer = server;
    server.peer = client;
    const line: Line = {
      client,
      loseAnswers: () => {
        server.isMute = true;
      },
      cut: () => {
        client.destroy();
        server.destroy();
      },
    };
    this.#lines.add(line);
    client.once("close", () => this.#lines.delete(line));
    this.#server.emit("connection", server);
    return line;
  }

  cutAll(): void {
    for (const line of this.#lines) line.cut();
    this.#lines.clear();
  }
}
