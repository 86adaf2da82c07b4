// A served exchange with tradable contracts, for tests: all users are verified and have funds in their futures
// accounts, and marks are set by hand.
import type { Command } from "@clockwork/core/protocol/command";
import type { ProjectedEngine } from "@clockwork/server/engine/projected-engine";
import type { Answer, Visitor } from "@clockwork/server/process/account-fixture";
import { startTradingServer, type TradingServer } from "../spot/spot-fixture.ts";

export interface FuturesServer extends TradingServer {
  readonly linear: number;
  readonly inverse: number;
  /** Sets the mark (and index) of a market, in ticks. */
  mark(market: number, ticks: number): Promise<void>;
  /** A verified user with the given USDT in the linear and BTC in the inverse account. */
  player(usdt?: string, btc?: string): Promise<Visitor>;
  submit(command: Command): Promise<void>;
  /** Cancels every order of every player. */
  sweep(): Promise<void>;
  marketOf(symbol: string): Promise<number>;
}

let transfers = 0;

export async function startFuturesServer(
  environment: Readonly<Record<string, string>> = {},
  aheadMs?: number,
): Promise<FuturesServer> {
  const server = await startTradingServer(environment, undefined, aheadMs);
  const { engine } = server;
  const submit = async (command: Command): Promise<void> => {
    const ack = await engine.submit(command);
    if (!ack.done) throw new Error(`${command.kind} was refused: ${ack.code}`);
  };
  const [linear, inverse] = [await findMarket(engine, "BTC_USDT-PERP"), await findMarket(engine, "BTC_USD")];
  const mark = (market: number, ticks: number) =>
    submit({ kind: "setReferencePrice", market, markTicks: ticks, indexTicks: ticks });
  for (const market of [linear, inverse]) {
    await mark(market, 500_000);
    await submit({ kind: "setMarketStatus", market, status: "TRADING" });
  }
  const players: Visitor[] = [];
  return {
    ...server,
    linear,
    inverse,
    mark,
    submit,
    marketOf: (symbol) => findMarket(engine, symbol),
    async sweep() {
      for (const player of players.splice(0)) {
        for (const biz of ["futures", "delivery"]) await player.futures("/v1/futuresc/orders/clear", { biz });
      }
    },
    player: async (usdt = "10000", btc = "0") => {
      const visitor = await server.trader({
        ...(usdt === "0" ? {} : { USDT: usdt }),
        ...(btc === "0" ? {} : { BTC: btc }),
      });
      const given = await visitor.dev("/identity", { level: 1 });
      if (given.status !== 200) throw new Error(`no level: ${given.message}`);
      if (usdt !== "0") await move(visitor, "USDT", usdt, "3");
      if (btc !== "0") await move(visitor, "BTC", btc, "4");
      players.push(visitor);
      return visitor;
    },
  };
}

async function move(visitor: Visitor, asset: string, amount: string, to: string): Promise<void> {
  transfers += 1;
  const body = { asset, amount, from: "1", to, clientId: `f${transfers}` };
  const moved = await visitor.post("/asset/v1/api/wallet/transfer", body);
  if (moved.status !== 200) throw new Error(`could not move ${asset}: ${moved.message}`);
}

async function findMarket(engine: ProjectedEngine, symbol: string): Promise<number> {
  const found = (await engine.readListing())?.markets.find((market) => market.symbol === symbol);
  if (found === undefined) throw new Error(`${symbol} is not listed`);
  return found.market;
}

/** An order on the linear contract, unless specified otherwise. */
export function order(visitor: Visitor, body: Readonly<Record<string, unknown>>): Promise<Answer> {
  return visitor.futures("/v1/futuresc/orders", { pairCode: "BTC_USDT", type: "limit", ...body });
}

/** Opens a position against another user; both sides trade at the price. */
export async function meet(buyer: Visitor, seller: Visitor, body: Readonly<Record<string, unknown>>): Promise<void> {
  const sold = await order(seller, { ...body, side: "sell" });
  if (sold.status !== 200) throw new Error(`the seller was refused: ${sold.message}`);
  const bought = await order(buyer, { ...body, side: "buy" });
  if (bought.status !== 200) throw new Error(`the buyer was refused: ${bought.message}`);
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
export async function positionsOf(visitor: Visitor, biz = "futures"): Promise<any[]> {
  return (await visitor.futures(`/v1/futuresc/positions?biz=${biz}`)).data;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
export async function accountOf(visitor: Visitor, biz = "futures"): Promise<any> {
  return (await visitor.futures(`/v1/futuresc/accounts?biz=${biz}`)).data[0];
}
