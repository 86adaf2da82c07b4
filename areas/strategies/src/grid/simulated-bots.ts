// A few grids and baskets of simulated users in the default run, so that the ranking is not empty: marked wherever they
// are shown, paid from the reserves as all test money is. Created once; a restart finds them.
import { RESERVES_ACCOUNT, SIMULATED_USER_MAX } from "@clockwork/core/protocol/names";
import { readPriceTicks } from "@clockwork/kit/instrument";
import { parseUnits, toCoreUnits } from "@clockwork/kit/money";
import { HOUR_MS } from "@clockwork/kit/time";
import type { PartContext } from "@clockwork/trading/context";
import type { BackTestService } from "./back-test-service.ts";

const TRY_MS = 5_000;
/** Pairs and whole USDT of each. */
const BOTS = [
  ["BTC_USDT", "6000"],
  ["ETH_USDT", "3000"],
  ["SOL_USDT", "1200"],
  ["BTC_USDT", "2400"],
] as const;

/** Coins with their weights, whole USDT, and the rule. */
const BASKETS = [
  { coins: { BTC_USDT: 5_000, ETH_USDT: 3_000, SOL_USDT: 2_000 }, amount: "5000", thresholdBps: 300, intervalMs: 0 },
  { coins: { BTC_USDT: 6_000, ETH_USDT: 4_000 }, amount: "2500", thresholdBps: 0, intervalMs: 4 * HOUR_MS },
] as const;
/** Simulated users of baskets come below those of grids. */
const BASKET_USERS = SIMULATED_USER_MAX - 100;

type Context = Pick<PartContext, "engine" | "ledger" | "market" | "clock" | "log">;

/** Retries until the markets trade; the returned function stops it. */
export function startSimulatedBots(context: Context, tests: BackTestService): () => void {
  const { clock, log } = context;
  const left = new Set<() => Promise<boolean>>([
    ...BOTS.map((_, at) => () => make(context, tests, at)),
    ...BASKETS.map((_, at) => () => makeBasket(context, at)),
  ]);
  let isTrying = false;
  const stop = clock.every(TRY_MS, () => {
    if (isTrying) return;
    isTrying = true;
    tryAll(left)
      .catch((error: unknown) => log.warn("grid.simulated.failed", { error }))
      .finally(() => {
        isTrying = false;
        if (left.size === 0) stop();
      });
  });
  return stop;
}

async function tryAll(left: Set<() => Promise<boolean>>): Promise<void> {
  for (const one of left) if (await one()) left.delete(one);
}

/** A reference used for something else is of an earlier start. */
const isThere = (ack: { readonly done: boolean; readonly code?: string }): boolean =>
  ack.done || ack.code === "REFERENCE_REUSED";

async function makeBasket({ engine, ledger, market }: Context, at: number): Promise<boolean> {
  const { coins, amount, thresholdBps, intervalMs } = BASKETS[at] as (typeof BASKETS)[number];
  const pairs = Object.entries(coins).map(([pairCode, weightBps]) => ({
    pair: market.pairs.findPair(pairCode),
    weightBps,
  }));
  const targets = pairs.flatMap(({ pair, weightBps }) =>
    pair?.status === "TRADING" && market.pairs.lastTicks(pair.market) > 0 ? [{ market: pair.market, weightBps }] : [],
  );
  const quote = pairs[0]?.pair?.quote;
  if (quote === undefined || targets.length !== pairs.length) return false;
  const account = await ledger.accounts.open(BASKET_USERS - at, "spot");
  const units = parseUnits(amount, quote.scale);
  if (account === undefined || !units.done) return false;
  const quoteUnits = toCoreUnits(units.value);
  const paid = await fund(engine, account, quote.asset, quoteUnits, `simbasket:fund:${at}`);
  if (!paid) return false;
  const made = await engine.submit({
    kind: "createRebalancer",
    account,
    thresholdBps,
    intervalMs,
    quoteUnits,
    coins: targets,
    reference: `simbasket:${at}`,
  });
  return isThere(made);
}

async function fund(
  engine: Context["engine"],
  account: number,
  asset: number,
  units: number,
  reference: string,
): Promise<boolean> {
  const paid = await engine.submit({
    kind: "transfer",
    account: RESERVES_ACCOUNT,
    to: account,
    asset,
    business: "faucet",
    units,
    reference,
  });
  return paid.done;
}

async function make({ engine, ledger, market }: Context, tests: BackTestService, at: number): Promise<boolean> {
  const [pairCode, amount] = BOTS[at] as (typeof BOTS)[number];
  const pair = market.pairs.findPair(pairCode);
  if (pair === undefined || pair.status !== "TRADING" || market.pairs.lastTicks(pair.market) === 0) return false;
  const suggested = await tests.suggest("spot", pairCode, at === BOTS.length - 1 ? 7 : 30);
  const account = await ledger.accounts.open(SIMULATED_USER_MAX - at, "spot");
  const units = parseUnits(amount, pair.quote.scale);
  if (!suggested.done || account === undefined || !units.done) return false;
  const quoteUnits = toCoreUnits(units.value);
  const paid = await fund(engine, account, pair.quote.asset, quoteUnits, `simbot:fund:${at}`);
  const { lower, upper, count, spacing } = suggested.value;
  const [lowTicks, highTicks] = [readPriceTicks(pair, lower), readPriceTicks(pair, upper)];
  if (!paid || lowTicks === undefined || highTicks === undefined) return false;
  const made = await engine.submit({
    kind: "createBot",
    account,
    market: pair.market,
    grid: "spot",
    spacing,
    lowTicks,
    highTicks,
    cells: count,
    quoteUnits,
    reference: `simbot:${at}`,
  });
  return isThere(made);
}
