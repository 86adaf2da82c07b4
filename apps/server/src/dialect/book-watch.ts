// A book that ccxt pro keeps while its lines are cut, compared with the plain call at the same number of the book. For
// tests and soaks: the client is the real one, the wire between is ours to cut.
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Passes bytes on to a port until asked to cut every line. */
export interface Wire {
  readonly port: number;
  /** How many lines were cut. */
  cut(): number;
  close(): Promise<void>;
}

export async function openWire(toPort: number): Promise<Wire> {
  const sockets = new Set<Socket>();
  const server = createServer((inside) => {
    const outside = connect(toPort, "127.0.0.1");
    for (const [one, other] of [
      [inside, outside],
      [outside, inside],
    ] as const) {
      sockets.add(one);
      one.on("error", () => undefined);
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const cut = (): number => {
    const count = sockets.size / 2;
    for (const one of [...sockets]) one.destroy();
    return Math.ceil(count);
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    async close() {
      cut();
      await new Promise((done) => server.close(done));
    },
  };
}

export type Levels = readonly (readonly [number, number])[];
export interface Book {
  readonly id: number;
  readonly bids: Levels;
  readonly asks: Levels;
}

interface CcxtBook {
  readonly nonce?: number | undefined;
  readonly bids: unknown;
  readonly asks: unknown;
}

export interface WatchParts {
  readonly symbols: readonly string[];
  /** As ccxt pro has it. */
  watch(symbol: string): Promise<CcxtBook>;
  /** By the plain call. */
  read(symbol: string): Promise<Book>;
  cut(): number;
  /** True when the lines should be cut after this round. */
  isCut(): boolean;
  isOver(report: Readonly<WatchReport>): boolean;
  readonly pauseMs: number;
}

export interface WatchReport {
  compared: number;
  /** The plain call answered with a number the client never had. */
  missed: number;
  cuts: number;
  updates: number;
  failures: number;
  readonly differences: string[];
}

const LEVELS = 50;
const KEPT = 400;
const WAIT_MS = 3_000;

const copyOf = (levels: unknown): Levels =>
  (levels as readonly (readonly [number, number])[])
    .slice(0, LEVELS)
    .map(([price, quantity]) => [price, quantity] as const);

/** Keeps every state a client's book was in, by its number. */
async function follow(parts: WatchParts, symbol: string, known: Map<number, Book>, report: WatchReport): Promise<void> {
  while (!parts.isOver(report)) {
    try {
      const { nonce, bids, asks } = await parts.watch(symbol);
      if (nonce === undefined) continue;
      report.updates += 1;
      known.set(nonce, { id: nonce, bids: copyOf(bids), asks: copyOf(asks) });
      for (const old of known.keys()) {
        if (known.size <= KEPT) break;
        known.delete(old);
      }
    } catch {
      // A cut line, or a gap the client detected: it restarts with the next call.
      report.failures += 1;
      await sleep(20);
    }
  }
}

async function compare(parts: WatchParts, symbol: string, known: Map<number, Book>, report: WatchReport) {
  const book = await parts.read(symbol);
  const isPast = (): boolean => [...known.keys()].some((id) => id > book.id);
  for (let waitedMs = 0; waitedMs < WAIT_MS && !known.has(book.id) && !isPast(); waitedMs += 20) await sleep(20);
  const kept = known.get(book.id);
  if (kept === undefined) {
    report.missed += 1;
    return;
  }
  report.compared += 1;
  for (const side of ["bids", "asks"] as const) {
    const wanted = JSON.stringify(copyOf(book[side]));
    if (JSON.stringify(kept[side]) !== wanted) {
      report.differences.push(`${symbol} ${side} at ${book.id}: ${JSON.stringify(kept[side]).slice(0, 200)}`);
    }
  }
}

export async function watchBooks(parts: WatchParts): Promise<WatchReport> {
  const report: WatchReport = { compared: 0, missed: 0, cuts: 0, updates: 0, failures: 0, differences: [] };
  const books = new Map(parts.symbols.map((symbol) => [symbol, new Map<number, Book>()]));
  const following = [...books].map(([symbol, known]) => follow(parts, symbol, known, report));
  while (!parts.isOver(report)) {
    for (const [symbol, known] of books) await compare(parts, symbol, known, report);
    // What a line showed before it was cut proves nothing about the one after it.
    if (parts.isCut()) {
      report.cuts += parts.cut();
      for (const known of books.values()) known.clear();
    }
    await sleep(parts.pauseMs);
  }
  await Promise.race([Promise.allSettled(following), sleep(2_000)]);
  return report;
}
