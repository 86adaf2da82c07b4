// A client that maintains a pair's book from the socket alone, as a careful program does: snapshot, numbered updates,
// every checksum verified. For tests and soaks; can be disconnected on request and resumes where it was.

import { depthChecksum } from "@clockwork/kit/depth-checksum";
import { WebSocket } from "ws";
import type { Depth, DepthDelta } from "../markets/contract.ts";

interface SocketMessage {
  readonly event: string;
  readonly channel?: string;
  readonly sequence?: number;
  readonly snapshot?: boolean;
  readonly data?: unknown;
}

export class BookClient {
  readonly pairCode: string;
  readonly #url: string;
  readonly #bids = new Map<string, string>();
  readonly #asks = new Map<string, string>();
  #socket: WebSocket | undefined;
  sequence = 0;
  updates = 0;
  snapshots = 0;
  /** Violations: gaps, wrong checksums. */
  readonly troubles: string[] = [];

  constructor(url: string, pairCode: string) {
    this.#url = url;
    this.pairCode = pairCode;
  }

  /** Connects and resumes from its current state. */
  connect(): Promise<void> {
    const socket = new WebSocket(this.#url);
    this.#socket = socket;
    socket.on("message", (bytes) => {
      // Messages on an abandoned connection are ignored.
      if (socket === this.#socket) this.#receive(JSON.parse(bytes.toString()) as SocketMessage);
    });
    socket.on("error", () => undefined);
    return new Promise((done, fail) => {
      socket.once("error", fail);
      socket.once("open", () => {
        const resume = this.sequence === 0 ? {} : { data: { sequence: this.sequence } };
        socket.send(
          JSON.stringify({ event: "sub", channel: "depth", biz: "spot", pairCode: this.pairCode, ...resume }),
        );
        done();
      });
    });
  }

  /** Drops the connection without notice. */
  cut(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.terminate();
  }

  bids(): string[][] {
    return sortLevels(this.#bids, -1);
  }

  asks(): string[][] {
    return sortLevels(this.#asks, 1);
  }

  #receive(message: SocketMessage): void {
    if (message.event !== "data" || message.channel !== "depth" || message.data === null) return;
    if (message.snapshot === true) this.#load(message.data as Depth);
    else this.#apply(message.data as DepthDelta);
  }

  #load(depth: Depth): void {
    this.snapshots += 1;
    this.#bids.clear();
    this.#asks.clear();
    for (const [price = "", quantity = ""] of depth.bids) this.#bids.set(price, quantity);
    for (const [price = "", quantity = ""] of depth.asks) this.#asks.set(price, quantity);
    this.sequence = depth.sequence;
    this.#verify(depth.checksum);
  }

  #apply(delta: DepthDelta): void {
    if (delta.last <= this.sequence) return;
    if (delta.first > this.sequence + 1) this.troubles.push(`gap: ${delta.first} after ${this.sequence}`);
    this.updates += 1;
    put(this.#bids, delta.bids);
    put(this.#asks, delta.asks);
    this.sequence = delta.last;
    this.#verify(delta.checksum);
  }

  #verify(checksum: number): void {
    const own = depthChecksum(this.bids(), this.asks());
    if (own !== checksum) this.troubles.push(`checksum ${own} instead of ${checksum} at ${this.sequence}`);
  }
}

function put(side: Map<string, string>, levels: readonly (readonly string[])[]): void {
  for (const [price = "", quantity = ""] of levels) {
    if (quantity === "0") side.delete(price);
    else side.set(price, quantity);
  }
}

/** Prices of one pair have the same decimals, so numbers compare exactly enough to be distinct. */
function sortLevels(side: ReadonlyMap<string, string>, direction: number): string[][] {
  return [...side].sort(([left], [right]) => direction * (Number(left) - Number(right))).map((level) => [...level]);
}

export interface RebuildReport {
  readonly compared: number;
  readonly differences: readonly string[];
  readonly cuts: number;
  readonly updates: number;
  readonly snapshots: number;
}

/**
 * Watches books for a while with random disconnects, comparing each with the plain call whenever both are at the same
 * sequence. The random source is an argument, so that a run can be repeated.
 */
export async function rebuildBooks(options: {
  readonly socketUrl: string;
  readonly readDepth: (pairCode: string) => Promise<Depth>;
  readonly pairCodes: readonly string[];
  /** The minimum, and then until enough was observed. */
  readonly rounds: number;
  readonly isEnough?: (seen: { readonly compared: number; readonly updates: number }) => boolean;
  readonly pauseMs: number;
  readonly below: (bound: number) => number;
}): Promise<RebuildReport> {
  const clients = options.pairCodes.map((pairCode) => new BookClient(options.socketUrl, pairCode));
  await Promise.all(clients.map((client) => client.connect()));
  const differences: string[] = [];
  let compared = 0;
  let cuts = 0;
  const sum = (of: "updates" | "snapshots"): number => clients.reduce((total, client) => total + client[of], 0);
  const { isEnough = () => true } = options;
  for (let round = 0; round < options.rounds || !isEnough({ compared, updates: sum("updates") }); round += 1) {
    await new Promise((resolve) => setTimeout(resolve, options.pauseMs));
    for (const client of clients) {
      if (options.below(12) === 0) {
        cuts += 1;
        client.cut();
        // Sometimes long enough to need a snapshot, sometimes not.
        await new Promise((resolve) => setTimeout(resolve, options.below(4) * options.pauseMs));
        await client.connect();
        continue;
      }
      const before = client.sequence;
      const rest = await options.readDepth(client.pairCode);
      if (rest.sequence !== client.sequence || before === 0) continue;
      compared += 1;
      const own = JSON.stringify([client.bids().slice(0, 500), client.asks().slice(0, 500)]);
      if (own !== JSON.stringify([rest.bids, rest.asks])) differences.push(`${client.pairCode} at ${rest.sequence}`);
    }
  }
  for (const client of clients) {
    differences.push(...client.troubles);
    client.cut();
  }
  return { compared, differences, cuts, updates: sum("updates"), snapshots: sum("snapshots") };
}
