// A complete listening exchange with a running engine for tests: visitors sign up, receive funds and trade.

import type { Log } from "@clockwork/host/log";
import type { ProjectedEngine } from "@clockwork/server/engine/projected-engine";
import { type Answer, startTestServer, type TestServer, Visitor } from "@clockwork/server/process/account-fixture";
import { startEngineWithTables } from "@clockwork/server/projectors/start";

export interface TradingServer extends TestServer {
  readonly engine: ProjectedEngine;
  /** A new account with the given coins, at a device of its own or at this one. */
  trader(funds?: Readonly<Record<string, string>>, device?: string): Promise<Visitor>;
}

let traders = 0;

/** `aheadMs` is set only by tests whose clients read the machine's own clock. */
export async function startTradingServer(
  environment: Readonly<Record<string, string>> = {},
  log?: Log,
  aheadMs?: number,
): Promise<TradingServer> {
  const held: { engine?: ProjectedEngine } = {};
  const place = await startTestServer(
    { CW_RATE_WEIGHT_PER_MINUTE: "0", ...environment },
    async (options) => {
      held.engine = await startEngineWithTables({ ...options, segmentBytes: 1 << 20 });
      return held.engine;
    },
    "listed",
    undefined,
    log,
    aheadMs,
  );
  const { engine } = held;
  if (engine === undefined) throw new Error("the engine did not start");
  return {
    ...place,
    engine,
    trader: async (funds = {}, device = crypto.randomUUID()) => {
      const visitor = new Visitor(place, { cwDeviceId: device });
      traders += 1;
      const signed = await visitor.signUp(`trader-${traders}@example.com`);
      if (signed.code !== 0) throw new Error(`could not sign up: ${String(signed.code)}`);
      for (const [asset, amount] of Object.entries(funds)) {
        const given = await visitor.faucet(asset, amount);
        if (given.status !== 200) throw new Error(`the faucet gave no ${asset}: ${given.message}`);
      }
      return visitor;
    },
  };
}

export type { Answer };

/** What the account has of a coin: available, frozen. */
export async function holds(visitor: Visitor, asset: string): Promise<readonly [string, string]> {
  const { data } = await visitor.get("/v1/spot/balance");
  const row = (data as { asset: string; available: string; frozen: string }[]).find((one) => one.asset === asset);
  return [row?.available ?? "0", row?.frozen ?? "0"];
}

export function place(visitor: Visitor, order: Readonly<Record<string, unknown>>): Promise<Answer> {
  return visitor.post("/v1/spot/orders", { pairCode: "BTC_USDT", type: "limit", ...order });
}

/** Sets a coin's value in whole USDT: the index of its market, which counts for a minute. */
export async function setIndex(
  { engine }: Pick<TradingServer, "engine">,
  symbol: string,
  price: number,
): Promise<void> {
  const { assets, markets } = (await engine.readListing()) ?? { assets: [], markets: [] };
  const find = (named: string) => assets.find((one) => one.symbol === named);
  const [base, quote] = [find(symbol), find("USDT")];
  const isPair = (one: (typeof markets)[number]) => one.base === base?.asset && one.quote === quote?.asset;
  const market = markets.find((one) => one.marketKind === "spot" && isPair(one));
  if (base === undefined || quote === undefined || market === undefined) throw new Error(`no market of ${symbol}`);
  const lot = (price * 10 ** quote.scale * market.stepUnits) / 10 ** base.scale;
  await engine.submit({
    kind: "setReferencePrice",
    market: market.market,
    indexTicks: Math.round(lot / market.tickLotUnits),
  });
}

/** Makes a user owe units of a coin: a deposit was reversed. */
export async function owes(
  { engine }: Pick<TradingServer, "engine">,
  visitor: Visitor,
  symbol: string,
  units: number,
): Promise<void> {
  const asset = (await engine.readListing())?.assets.find((one) => one.symbol === symbol)?.asset ?? 0;
  const user = Number((await visitor.post("/v2/users/top-info")).data.id);
  const owed = await engine.submit({ kind: "owe", user, asset, units, reference: `owe:${user}:${symbol}` });
  if (!owed.done) throw new Error(`nobody owes: ${owed.code}`);
}
