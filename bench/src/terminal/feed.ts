// A loud market in front of a running site: passes everything on, but answers market data and the socket itself, with a
// seeded book that changes a hundred times a second, and on a contract positions that change too. Only for measuring
// screens; nothing here trades.
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { depthChecksum } from "@clockwork/kit/depth-checksum";
import { type WebSocket, WebSocketServer } from "ws";
import { LoudPositions } from "./positions.ts";

const PAIR = "BTC_USDT";
const TICK = 0.1;
const LEVELS = 200;
const CHANGES = 8;

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Side {
  readonly levels: Map<number, number>;
  readonly way: 1 | -1;
}

const priceText = (ticks: number): string => (ticks * TICK).toFixed(1);

/** The paths of a product's calls, and the precision of its quantities. */
const PRODUCTS = {
  spot: { api: "/api/v1/spot/", decimals: 5 },
  futures: { api: "/futuresapi/v1/futuresc/", decimals: 3 },
} as const;
type LoudBiz = keyof typeof PRODUCTS;

/** A book whose middle wanders, its levels always filled, and the trades that move it. */
export class LoudMarket {
  readonly #random: () => number;
  readonly #bids: Side = { levels: new Map(), way: -1 };
  readonly #asks: Side = { levels: new Map(), way: 1 };
  #middle = 641_184;
  sequence = 1;
  #tradeId = 1;
  readonly trades: object[] = [];
  readonly #biz: LoudBiz;

  constructor(seed: number, biz: LoudBiz) {
    this.#random = createRandom(seed);
    this.#biz = biz;
    for (const side of [this.#bids, this.#asks]) {
      for (let rank = 1; rank <= LEVELS; rank += 1) side.levels.set(this.#middle + rank * side.way, this.#quantity());
    }
    for (let count = 0; count < 60; count += 1) this.trade();
  }

  #quantity(): number {
    return 1_000 + Math.floor(this.#random() ** 3 * 400_000);
  }

  #text(units: number): string {
    return (units / 100_000).toFixed(PRODUCTS[this.#biz].decimals);
  }

  /** The mark, near the middle. */
  get mark(): number {
    return (this.#middle - 3) * TICK;
  }

  #sorted(side: Side): string[][] {
    return [...side.levels]
      .sort(([left], [right]) => (left - right) * side.way)
      .map(([price, quantity]) => [priceText(price), this.#text(quantity)]);
  }

  depth(limit = LEVELS): object {
    const bids = this.#sorted(this.#bids);
    const asks = this.#sorted(this.#asks);
    return {
      pairCode: PAIR,
      sequence: this.sequence,
      bids: bids.slice(0, limit),
      asks: asks.slice(0, limit),
      checksum: depthChecksum(bids, asks),
      timeMs: Date.now(),
    };
  }

  #set(side: Side, price: number, quantity: number, into: Map<number, number>): void {
    if (quantity === 0) side.levels.delete(price);
    else side.levels.set(price, quantity);
    into.set(price, quantity);
  }

  /** Moves the middle a little and changes some levels near it; the answer is what a socket would send. */
  step(): object {
    const moved = Math.floor(this.#random() * 5) - 2;
    const changed = { bids: new Map<number, number>(), asks: new Map<number, number>() };
    this.#middle += moved;
    for (const [name, side] of [
      ["bids", this.#bids],
      ["asks", this.#asks],
    ] as const) {
      const first = this.#middle + side.way;
      for (const price of side.levels.keys()) {
        if ((price - first) * side.way < 0) this.#set(side, price, 0, changed[name]);
      }
      for (let rank = 0; rank < 3; rank += 1) {
        const price = first + rank * side.way;
        if (!side.levels.has(price)) this.#set(side, price, this.#quantity(), changed[name]);
      }
      for (let count = 0; count < CHANGES; count += 1) {
        const price = first + Math.floor(this.#random() ** 2 * 60) * side.way;
        this.#set(side, price, this.#quantity(), changed[name]);
      }
    }
    this.sequence += 1;
    const texts = (levels: Map<number, number>) =>
      [...levels].map(([price, quantity]) => [priceText(price), quantity === 0 ? "0" : this.#text(quantity)]);
    return {
      first: this.sequence,
      last: this.sequence,
      bids: texts(changed.bids),
      asks: texts(changed.asks),
      checksum: depthChecksum(this.#sorted(this.#bids), this.#sorted(this.#asks)),
      timeMs: Date.now(),
    };
  }

  trade(): object {
    const isBuy = this.#random() < 0.5;
    const trade = {
      id: this.#tradeId,
      price: priceText(this.#middle + (isBuy ? 1 : -1)),
      quantity: this.#text(this.#quantity()),
      side: isBuy ? "buy" : "sell",
      timeMs: Date.now(),
    };
    this.#tradeId += 1;
    this.trades.push(trade);
    if (this.trades.length > 200) this.trades.shift();
    return trade;
  }

  quotation(): object {
    const last = priceText(this.#middle);
    return {
      pairCode: PAIR,
      last,
      open: "63312.5",
      high: priceText(this.#middle + 3_300),
      low: priceText(this.#middle - 11_000),
      bid: priceText(this.#middle - 1),
      ask: priceText(this.#middle + 1),
      changePercent: "1.27",
      bandPrice: last,
      volume: "8339.35512",
      turnover: "531188000.12",
      timeMs: Date.now(),
      ...(this.#biz === "spot" ? {} : this.#contractFigures()),
    };
  }

  #contractFigures(): object {
    const nextFundingMs = Math.ceil(Date.now() / 288e5) * 288e5;
    const rates = { fundingRate: "0.0001", lastFundingRate: "0.0001", nextFundingMs };
    const interest = { openInterest: "8123.456", openInterestValue: "520000000" };
    return { mark: this.mark.toFixed(1), index: priceText(this.#middle - 8), isDegraded: false, ...rates, ...interest };
  }

  /** A wandering line of candles that ends at the present middle. */
  candles(lengthMs: number, limit: number, toMs: number): object[] {
    const random = createRandom(Math.floor(toMs / lengthMs) % 65_536);
    const last = Math.floor(toMs / lengthMs) * lengthMs;
    let close = this.#middle;
    const candles: object[] = [];
    for (let back = 0; back < limit; back += 1) {
      const open = close + Math.round((random() - 0.5) * 900);
      const candle = {
        timeMs: last - back * lengthMs,
        open: priceText(open),
        high: priceText(Math.max(open, close) + Math.round(random() * 300)),
        low: priceText(Math.min(open, close) - Math.round(random() * 300)),
        close: priceText(close),
        volume: this.#text(this.#quantity() * 20),
        turnover: "1000000",
        boughtVolume: "0",
        boughtTurnover: "0",
        trades: 20,
        isGenerated: true,
      };
      candles.unshift(candle);
      close = open;
    }
    return candles;
  }
}

export interface LoudRates {
  readonly depthPerSecond: number;
  readonly tradesPerSecond: number;
  /** Of a contract alone. */
  readonly positionsPerSecond: number;
}

const LENGTHS: Readonly<Record<string, number>> = { s: 1e3, m: 6e4, h: 36e5, d: 864e5, w: 6048e5, M: 2592e6 };

function lengthOf(interval: string): number {
  return (LENGTHS[interval.slice(-1)] ?? 6e4) * Number(interval.slice(0, -1));
}

function answerMarket(market: LoudMarket, name: string, url: URL): unknown {
  const limit = Number(url.searchParams.get("limit") ?? 100);
  switch (name) {
    case "depth":
      return market.depth(limit);
    case "trades":
      return market.trades.slice(-limit);
    case "quotations":
      return [market.quotation()];
    case "candles": {
      const lengthMs = lengthOf(url.searchParams.get("interval") ?? "1m");
      return market.candles(lengthMs, limit, Number(url.searchParams.get("to") ?? Date.now()));
    }
    default:
      return undefined;
  }
}

function passOn(origin: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const target = new URL(incoming.url ?? "/", origin);
  const { host } = new URL(origin);
  const requested = request(target, { method: incoming.method, headers: { ...incoming.headers, host } }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  requested.on("error", () => outgoing.writeHead(502).end());
  incoming.pipe(requested);
}

interface Topic {
  readonly channel?: string;
  readonly biz?: string;
  readonly type?: string;
  readonly pairCode?: string;
}

interface Loud {
  readonly biz: LoudBiz;
  readonly market: LoudMarket;
  readonly positions: LoudPositions;
}

/** The first message of a stream; nothing for those this market does not have. */
function firstOf({ market, positions }: Loud, { channel, type }: Topic): object | undefined {
  switch (channel) {
    case "depth":
      return { sequence: market.sequence, snapshot: true, data: market.depth() };
    case "trades":
      return { sequence: 0, snapshot: true, data: market.trades };
    case "ticker":
      return { data: type === "all" ? [market.quotation()] : market.quotation() };
    case "candles":
      return { data: market.candles(lengthOf(type ?? "1m"), 2, Date.now()) };
    case "positions":
      return { sequence: positions.sequence, snapshot: true, data: positions.all(market.mark) };
    case "account":
      return { snapshot: true, data: [positions.account(market.mark)] };
    case "orders":
    case "fills":
      return { sequence: positions.sequence, snapshot: true, data: [] };
    default:
      return undefined;
  }
}

/** One client: its subscriptions, answered and then published to. */
function serveSocket(socket: WebSocket, loud: Loud, topics: Map<string, Topic>): void {
  const begin = ({ channel, biz, type, pairCode }: Topic) => {
    const topic = {
      ...(channel && { channel }),
      ...(biz && { biz }),
      ...(type && { type }),
      ...(pairCode && { pairCode }),
    };
    // Streams of other products publish nothing.
    if (biz !== loud.biz) return;
    topics.set(JSON.stringify(topic), topic);
    const first = firstOf(loud, topic);
    if (first !== undefined) socket.send(JSON.stringify({ event: "data", ...topic, ...first }));
  };
  socket.on("message", (bytes) => {
    const message = JSON.parse(String(bytes)) as Topic & { event: string; data?: unknown };
    if (message.event === "ping") socket.send('{"event":"pong"}');
    if (message.event === "login") socket.send('{"event":"login","data":{"account":"bench"}}');
    if (message.event !== "sub") return;
    for (const topic of Array.isArray(message.data) ? (message.data as Topic[]) : [message]) begin(topic);
  });
}

export interface LoudSite {
  readonly origin: string;
  readonly sent: { depth: number; trades: number; positions: number };
  stop(): void;
}

export async function startLoudSite(origin: string, biz: LoudBiz, rates: LoudRates): Promise<LoudSite> {
  const market = new LoudMarket(7, biz);
  const positions = new LoudPositions(market.mark);
  const loud: Loud = { biz, market, positions };
  const { api } = PRODUCTS[biz];
  const sent = { depth: 0, trades: 0, positions: 0 };
  const clients = new Map<WebSocket, Map<string, Topic>>();
  const server = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url ?? "/", origin);
    const name = url.pathname.startsWith(api) ? url.pathname.slice(api.length) : "";
    const data = answerMarket(market, name, url);
    if (data === undefined) passOn(origin, incoming, outgoing);
    else outgoing.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ code: 200, data }));
  });
  const sockets = new WebSocketServer({ server, path: "/ws" });
  sockets.on("connection", (socket) => {
    const topics = new Map<string, Topic>();
    clients.set(socket, topics);
    serveSocket(socket, loud, topics);
    socket.on("close", () => clients.delete(socket));
  });
  const publish = (channel: string, partOf: (topic: Topic) => object) => {
    for (const [socket, topics] of clients)
      for (const topic of topics.values())
        if (topic.channel === channel) socket.send(JSON.stringify({ event: "data", ...topic, ...partOf(topic) }));
  };
  // A timer that comes late makes up for it: the rate is what is measured under.
  const beat = (perSecond: number, act: () => void) => {
    const startedMs = performance.now();
    let done = 0;
    return setInterval(() => {
      const due = Math.floor(((performance.now() - startedMs) * perSecond) / 1_000);
      for (; done < due; done += 1) act();
    }, 1_000 / perSecond);
  };
  const timers = [
    beat(rates.depthPerSecond, () => {
      const data = market.step();
      sent.depth += 1;
      publish("depth", () => ({ sequence: market.sequence, data }));
    }),
    beat(rates.tradesPerSecond, () => {
      const trade = market.trade();
      sent.trades += 1;
      publish("trades", () => ({ sequence: (trade as { id: number }).id, data: [trade] }));
    }),
    beat(4, () => publish("candles", ({ type }) => ({ data: market.candles(lengthOf(type ?? "1m"), 1, Date.now()) }))),
    beat(1, () =>
      publish("ticker", ({ type }) => ({ data: type === "all" ? [market.quotation()] : market.quotation() })),
    ),
  ];
  if (biz === "futures") {
    timers.push(
      beat(rates.positionsPerSecond, () => {
        const position = positions.step(market.mark);
        sent.positions += 1;
        publish("positions", () => ({ sequence: positions.sequence, data: [position] }));
      }),
      beat(5, () => publish("account", () => ({ data: [positions.account(market.mark)] }))),
    );
  }
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    stop: () => {
      for (const timer of timers) clearInterval(timer);
      sockets.close();
      for (const socket of clients.keys()) socket.terminate();
      server.close();
      server.closeAllConnections();
    },
  };
}
