// The account coupons and bonuses are paid from. In the default run it is funded once, at the beginning; elsewhere
// somebody has to. What it does not have cannot be given: the core refuses the transfer.
import { HOUSE_BOOKS } from "@clockwork/core/protocol/names";
import { parseUnits, toCoreUnits, units } from "@clockwork/kit/money";
import { CATALOGUE_PAIRS } from "../market/catalogue.ts";
import type { Part, PartContext } from "../part.ts";

export const TREASURY_ACCOUNT = HOUSE_BOOKS.indexOf("reserves");

/** What the default run begins with of each coin, in USDT at the price the catalogue begins with. */
const GENESIS_USDT = 1_000_000n;

export function treasuryPart(context: PartContext): Part {
  return context.isTestMoney ? { start: () => fund(context) } : {};
}

/** A coin the treasury has or once had is not made again. */
async function fund({ engine, market, clock }: PartContext): Promise<void> {
  const view = await engine.cache?.open(TREASURY_ACCOUNT, clock());
  if (view === undefined) return;
  for (const { asset, symbol, scale } of market.pairs.assets) {
    if (view.balances.has(asset)) continue;
    const amount = parseUnits(String(GENESIS_USDT / firstPriceUsdt(symbol)), scale);
    if (!amount.done) continue;
    const reference = `genesis:treasury:${symbol}`;
    const given = { asset, business: "deposit", units: toCoreUnits(units(amount.value)), reference } as const;
    await engine.submit({ kind: "mint", account: TREASURY_ACCOUNT, ...given });
  }
}

/** Whole dollars, at least one: the treasury's size need not be exact. */
function firstPriceUsdt(symbol: string): bigint {
  const pair = CATALOGUE_PAIRS.find(({ base, quote }) => base === symbol && quote === "USDT");
  const whole = BigInt(pair?.firstPrice.split(".")[0] ?? "1");
  return whole === 0n ? 1n : whole;
}
