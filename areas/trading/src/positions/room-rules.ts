// How much more could be ordered on a contract: the core's own checks of tier and margin, for the largest quantity that
// passes them. Pure, at current marks.

import { capOfLeverage } from "@clockwork/kit/margin";
import type { MarketPair } from "../markets/pair.ts";
import type { ContractRegistry, FuturesView } from "./account-view.ts";
import { accountFigures, exposureOf, lotCeil, marginRequired, modesOf, openLoss, size } from "./figure-rules.ts";

export interface OrderRoom {
  readonly leverageLong: number;
  readonly leverageShort: number;
  readonly freeUnits: bigint;
  readonly buyLots: bigint;
  readonly sellLots: bigint;
  readonly longCapUnits: bigint;
  readonly shortCapUnits: bigint;
  readonly priceTicks: number;
}

export interface RoomPrices {
  readonly buyTicks: number;
  readonly sellTicks: number;
  readonly maxLots: number;
}

/** Without an account no funds are free. */
export function readRoom(
  contracts: ContractRegistry,
  view: FuturesView | undefined,
  pair: MarketPair,
  prices: RoomPrices,
): OrderRoom {
  const modes = modesOf(view, pair);
  const tiers = pair.contract?.tiers ?? [];
  const freeUnits = view === undefined ? 0n : accountFigures(contracts, view, pair.settle.asset).freeUnits;
  const most = (isSell: boolean, ticks: number): bigint =>
    view === undefined || ticks === 0
      ? 0n
      : largest(BigInt(prices.maxLots), (lots) => isTaken(contracts, view, pair, freeUnits, { isSell, ticks, lots }));
  return {
    leverageLong: modes.leverageLong,
    leverageShort: modes.leverageShort,
    freeUnits,
    buyLots: most(false, prices.buyTicks),
    sellLots: most(true, prices.sellTicks),
    longCapUnits: capOfLeverage(tiers, modes.leverageLong),
    shortCapUnits: capOfLeverage(tiers, modes.isHedge ? modes.leverageShort : modes.leverageLong),
    priceTicks: prices.buyTicks,
  };
}

/** The most lots that pass, when all fewer do as well. */
function largest(max: bigint, passes: (lots: bigint) => boolean): bigint {
  let low = 0n;
  let high = max;
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    if (passes(middle)) low = middle;
    else high = middle - 1n;
  }
  return low;
}

interface Wanted {
  readonly isSell: boolean;
  readonly ticks: number;
  readonly lots: bigint;
}

function isTaken(
  contracts: ContractRegistry,
  view: FuturesView,
  pair: MarketPair,
  freeUnits: bigint,
  { isSell, ticks, lots }: Wanted,
): boolean {
  const modes = modesOf(view, pair);
  const exposure = exposureOf(view, pair);
  const own = [...view.positions.values()].filter(({ market }) => market === pair.market);
  const held = modes.isSplit
    ? undefined
    : own.find(({ side }) => !modes.isHedge || side === (isSell ? "short" : "long"));
  const heldLots = held?.lots ?? 0n;
  // Orders that only close require no margin.
  if (!modes.isHedge && heldLots !== 0n && heldLots > 0n === isSell) {
    const others = isSell ? exposure.sellLots : exposure.buyLots;
    if (size(heldLots) - others >= lots) return true;
  }
  const value = lots * lotCeil(pair, ticks);
  const cost = held?.cost_units ?? 0n;
  const adds = modes.isHedge || heldLots > 0n !== isSell;
  const before = modes.isSplit ? 0n : (isSell ? exposure.sellValue : exposure.buyValue) + (adds ? cost : -cost);
  const leverage = modes.isHedge && isSell ? modes.leverageShort : modes.leverageLong;
  if (before + value > capOfLeverage(pair.contract?.tiers ?? [], leverage)) return false;
  const then = isSell
    ? { ...exposure, sellValue: exposure.sellValue + value, sellLots: exposure.sellLots + lots }
    : { ...exposure, buyValue: exposure.buyValue + value, buyLots: exposure.buyLots + lots };
  let requested = marginRequired(contracts, view, pair, then) - marginRequired(contracts, view, pair, exposure);
  const none = { buyValue: 0n, buyLots: 0n, sellValue: 0n, sellLots: 0n };
  const ownLoss = openLoss(
    contracts,
    pair,
    isSell ? { ...none, sellValue: value, sellLots: lots } : { ...none, buyValue: value, buyLots: lots },
  );
  const growth = openLoss(contracts, pair, then) - openLoss(contracts, pair, exposure);
  if (ownLoss > growth) requested += ownLoss - growth;
  return requested <= 0n || requested <= freeUnits;
}
