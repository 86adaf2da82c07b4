// Owns what a grid is planned with, read from the core's tables: who invests how much, fees, the market's bounds. Changes nothing.
import { type GridBasis, type GridKind, type GridPlan, isSpotGrid } from "@clockwork/kit/grid/plan";
import { A_OWNER, U_RATES } from "../ledger/ledger.ts";
import {
  M_BUY_MIN,
  M_FEE_GROUP,
  M_QUOTE,
  M_SELL_MAX,
  M_SETTLE,
  MF_MIN_LOTS,
  MF_MIN_NOTIONAL,
  MF_TICK_LOT_UNITS,
} from "../market/markets.ts";
import { contractOf } from "../perp/margin/equity.ts";
import { CTF_FACTOR } from "../perp/state/records.ts";
import { BOT_KINDS } from "../protocol/names.ts";
import { REJECT } from "../protocol/rejection.ts";
import type { Core } from "../state/core.ts";

/** Who invests what, by the numbers of the core. */
export interface Invested {
  readonly source: number;
  readonly market: number;
  readonly kind: number;
  readonly leverage: number;
  readonly quoteUnits: number;
  readonly baseLots: number;
}

export function quoteAsset(core: Core, market: number): number {
  return core.markets.word(market, core.perps.isPerp(market) ? M_SETTLE : M_QUOTE);
}

/** The dearer fee: a bot's orders may take. */
function takerRate(core: Core, account: number, market: number): number {
  const owner = core.ledger.accountWord(account, A_OWNER);
  const own = core.ledger.ownerWord(owner, U_RATES + (core.perps.isPerp(market) ? 3 : 1));
  return own !== 0 ? own - 1 : (core.feeGroups.i32[core.markets.word(market, M_FEE_GROUP) * 2 + 1] as number);
}

export function basisOf(core: Core, invested: Invested): GridBasis {
  const { source, market, kind, quoteUnits, baseLots, leverage } = invested;
  const holdsCoins = isSpotGrid(BOT_KINDS[kind] as GridKind);
  return {
    kind: BOT_KINDS[kind] as GridKind,
    feeRate: takerRate(core, source, market),
    tickLotUnits: holdsCoins
      ? core.markets.double(market, MF_TICK_LOT_UNITS)
      : core.perps.contractDouble(market, CTF_FACTOR),
    minLots: core.markets.double(market, MF_MIN_LOTS),
    minNotionalUnits: core.markets.double(market, MF_MIN_NOTIONAL),
    quoteUnits: BigInt(quoteUnits),
    baseLots,
    leverage,
    ...(holdsCoins ? {} : { contract: contractOf(core, market) }),
  };
}

/** Every line could be laid today. */
export function checkBand(core: Core, market: number, { lines }: GridPlan): number {
  core.markets.refreshBand(market, core.now);
  const high = core.markets.word(market, M_SELL_MAX);
  const low = core.markets.word(market, M_BUY_MIN);
  if (high !== 0 && (lines.at(-1) as number) > high) return core.refuse(REJECT.GRID_OUTSIDE_BAND, high);
  return (lines[0] as number) < low ? core.refuse(REJECT.GRID_OUTSIDE_BAND, low) : 0;
}
