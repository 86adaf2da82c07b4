// ACCOUNT_UPDATE of the Binance dialect: the balances and positions one commit left behind, and why.
import type { FuturesFill, FuturesOrder } from "@clockwork/trading/futures/contract";
import type { FuturesPosition } from "@clockwork/trading/positions/contract";
import type { BookBalance } from "@clockwork/trading/wallet/contract";
import { type Contracts, writeQuantity } from "../contract/contracts.ts";
import { difference, fixed, sum } from "../numbers.ts";

/** Balances by coin, as last published. */
export type Held = Map<string, string>;

interface Change {
  readonly orders: readonly FuturesOrder[];
  readonly fills: readonly FuturesFill[];
  readonly positions: readonly FuturesPosition[];
  readonly balances: readonly BookBalance[];
}

interface Known {
  readonly positions: Map<string, FuturesPosition>;
  readonly held: Held;
}

export const signedQuantity = ({ side }: Pick<FuturesPosition, "side">, quantity: string): string =>
  side === "short" && !/^0(\.0*)?$/.test(quantity) ? `-${quantity}` : quantity;

const isOver = ({ quantity }: FuturesPosition): boolean => /^0(\.0*)?$/.test(quantity);

/** Something of it differs from the last published; mark changes are not published here. */
function hasChanged(one: FuturesPosition, before: FuturesPosition | undefined): boolean {
  if (before === undefined) return !isOver(one);
  return (
    one.quantity !== before.quantity ||
    one.entryPrice !== before.entryPrice ||
    one.mode !== before.mode ||
    (one.mode === "isolated" && one.margin !== before.margin)
  );
}

export function describeUpdate(contracts: Contracts, change: Change, known: Known, timeMs: number): object | undefined {
  const latest = [...new Map(change.positions.map((one) => [one.positionId, one])).values()];
  const isFunded = latest.some((one) => {
    const before = known.positions.get(one.positionId);
    return before !== undefined && before.funding !== one.funding;
  });
  const isOtherMode = latest.some((one) => (known.positions.get(one.positionId)?.mode ?? one.mode) !== one.mode);
  const changed = latest.filter((one) => hasChanged(one, known.positions.get(one.positionId)));
  for (const one of latest) {
    if (isOver(one)) known.positions.delete(one.positionId);
    else known.positions.set(one.positionId, one);
  }
  const B = describeBalances(contracts, change.balances, known);
  if (B.length === 0 && changed.length === 0) return undefined;
  const isByOrder = change.fills.length > 0 || change.orders.length > 0;
  const P = changed.flatMap((one) => describePosition(contracts, one) ?? []);
  const others = isFunded ? "FUNDING_FEE" : isOtherMode ? "MARGIN_TYPE_CHANGE" : reasonOf(B, changed.length > 0);
  const m = isByOrder ? "ORDER" : others;
  return { e: "ACCOUNT_UPDATE", E: timeMs, T: timeMs, a: { m, B, P } };
}

function reasonOf(balances: readonly { readonly bc: string }[], isPosition: boolean): string {
  const [moved] = balances.filter(({ bc }) => !/^-?0(\.0*)?$/.test(bc));
  if (moved === undefined) return isPosition ? "MARGIN_TRANSFER" : "ADJUSTMENT";
  return moved.bc.startsWith("-") ? "WITHDRAW" : "DEPOSIT";
}

/** Only coins whose balance moved: what is merely held back for an order is no change here. */
function describeBalances(contracts: Contracts, rows: readonly BookBalance[], { positions, held }: Known) {
  const latest = [...new Map(rows.map((row) => [row.asset, row])).values()];
  return latest.flatMap(({ asset, total }) => {
    const before = held.get(asset) ?? "0";
    const bc = difference(total, before);
    held.set(asset, total);
    if (/^-?0(\.0*)?$/.test(bc)) return [];
    const isolated = [...positions.values()]
      .filter((one) => one.mode === "isolated" && contracts.find(one.pairCode)?.settle === asset)
      .reduce((so, one) => sum(so, one.margin), "0");
    return [{ a: asset, wb: fixed(total), cw: difference(total, isolated), bc }];
  });
}

function describePosition(contracts: Contracts, one: FuturesPosition): object | undefined {
  const contract = contracts.find(one.pairCode);
  if (contract === undefined) return undefined;
  const ended = isOver(one);
  return {
    s: contracts.kind.symbolOf(one),
    pa: signedQuantity(one, writeQuantity(contract, one.quantity)),
    ep: ended ? "0" : one.entryPrice,
    bep: ended ? "0" : one.breakEvenPrice,
    cr: fixed(one.realizedPnl),
    up: fixed(one.unrealizedPnl),
    mt: one.mode,
    iw: one.mode === "isolated" && !ended ? fixed(one.margin) : "0",
    ps: one.positionSide.toUpperCase(),
  };
}
