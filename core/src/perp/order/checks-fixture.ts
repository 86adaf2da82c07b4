// Owns what a limit order on a perpetual market must meet, reckoned from how its account stands, for tests: the refusal with
// its limit, or the lots it may be of.
import { PRICE_TICKS_MAX } from "@clockwork/kit/instrument";
import {
  capOf,
  equityOf,
  feeOf,
  freeOf,
  lossAtOnce,
  NOTHING,
  orderedOn,
  profitOf,
  requestedOf,
  type Side,
  type Standing,
  worthDown,
  worthUp,
} from "../account/standing-fixture.ts";

export interface Requested {
  readonly isBuy: boolean;
  readonly price: number;
  readonly lots: number;
  readonly reduces: boolean;
  /** Whether what is not filled at once stays. */
  readonly rests: boolean;
}

export type Verdict = { readonly code: string; readonly limit: number } | { readonly lots: number };

const refused = (code: string, limit = 0): Verdict => ({ code, limit });
const opposes = ({ lots }: Side, isBuy: boolean): boolean => (isBuy ? lots < 0 : lots > 0);

export function checkOrder(wallet: number, own: Standing, requested: Requested): Verdict {
  if (requested.reduces) return checkReducing(wallet, own, requested);
  if (!own.hedge) {
    const [held] = own.sides;
    const others = orderedOn(own, requested.isBuy).lots;
    // What only closes asks for nothing.
    if (opposes(held, requested.isBuy) && Math.abs(held.lots) - others >= requested.lots)
      return guardBankruptcy(wallet, own, held, requested);
  }
  return checkOpening(wallet, own, requested);
}

function checkOpening(wallet: number, own: Standing, requested: Requested): Verdict {
  const { isBuy, lots, price } = requested;
  const one = worthUp(own.contract, 1, price);
  const at = own.hedge && !isBuy ? 1 : 0;
  const side = own.sides[at];
  const cost = !own.hedge && opposes(side, isBuy) ? -side.cost : side.cost;
  const before = orderedOn(own, isBuy).value + cost;
  const cap = capOf(own, own.leverage[at]);
  if (before + lots * one > cap) return refused("POSITION_LIMIT", Math.max(0, Math.floor((cap - before) / one)));
  const order = { isBuy, price, lots, reduces: false };
  const next: Standing = { ...own, orders: [...own.orders, order] };
  let cost0 = requestedOf(next) - requestedOf(own);
  // Orders on the good side of the mark do not hide what this one loses at once.
  const alone = lossAtOnce({ ...own, sides: [NOTHING, NOTHING], orders: [order] });
  if (alone > 0) cost0 += Math.max(0, alone - (lossAtOnce(next) - lossAtOnce(own)));
  const free = freeOf(wallet, [own]);
  return cost0 > 0 && cost0 > free ? refused("INSUFFICIENT_MARGIN", Math.max(0, free)) : { lots };
}

function checkReducing(wallet: number, own: Standing, requested: Requested): Verdict {
  const held = own.hedge && requested.isBuy ? own.sides[1] : own.sides[0];
  if (!opposes(held, requested.isBuy)) return refused("REDUCE_ONLY_REJECTED");
  const others = own.orders.filter(({ isBuy, reduces }) => reduces && isBuy === requested.isBuy);
  const taken = requested.rests ? others.reduce((sum, { lots }) => sum + lots, 0) : 0;
  const most = Math.abs(held.lots) - taken;
  if (most <= 0) return refused("REDUCE_ONLY_REJECTED");
  return guardBankruptcy(wallet, own, held, { ...requested, lots: Math.min(requested.lots, most) });
}

/** A close sells no further below the mark, and buys no further above it, than the account can pay for. */
function guardBankruptcy(wallet: number, own: Standing, held: Side, { isBuy, lots, price }: Requested): Verdict {
  const { contract, mark } = own;
  if (isBuy ? price <= mark : price >= mark) return { lots };
  const equity = own.isolated ? held.margin + profitOf(own, held) : equityOf(wallet, [own]);
  const budget = equity - feeOf(worthUp(contract, lots, price));
  if (Math.abs(worthUp(contract, lots, price) - worthDown(contract, lots, mark)) <= budget) return { lots };
  return refused("BANKRUPTCY_PRICE", boundOf(own, isBuy, lots, Math.max(0, budget)));
}

/** The price at which a budget is lost, rounded toward the mark. */
function boundOf({ contract, mark }: Standing, isBuy: boolean, lots: number, budget: number): number {
  const now = worthUp(contract, lots, mark);
  const isLinear = contract.kind === "linear";
  const edge = BigInt(isBuy === isLinear ? now + budget : Math.max(1, now - budget));
  const all = BigInt(lots) * contract.factor;
  const [over, under] = isLinear ? [edge, all] : [all, edge];
  const bound = Number(isBuy ? over / under : (over + under - 1n) / under);
  return isBuy ? Math.min(PRICE_TICKS_MAX, Math.max(mark, bound)) : Math.min(mark, bound);
}
