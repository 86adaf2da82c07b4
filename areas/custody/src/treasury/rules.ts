// Pure rules of the treasury: balances left to sweep, the target of the hot wallet, the texts of refusals.

import type { NetworkCoin } from "@clockwork/kit/chains/network";
import { parseDecimal } from "@clockwork/kit/decimal";
import type { MoveRow } from "./store.ts";

/** The final balance of a deposit address, and the part that was or is being swept. */
export interface Deposited {
  readonly address: string;
  readonly user_id: number;
  readonly asset: string;
  readonly chain_units: string;
}

export interface Sweepable {
  readonly address: string;
  readonly userId: number;
  readonly asset: string;
  readonly units: bigint;
}

/** Per asset and address, in the order of the addresses: deposits less what a sweep took or may yet take. */
export function leftToSweep(deposits: readonly Deposited[], moves: readonly MoveRow[]): readonly Sweepable[] {
  const cells = new Map<string, { userId: number; units: bigint }>();
  for (const { address, user_id, asset, chain_units } of deposits) {
    const cell = cells.get(`${address} ${asset}`) ?? { userId: user_id, units: 0n };
    cells.set(`${address} ${asset}`, { ...cell, units: cell.units + BigInt(chain_units) });
  }
  for (const { sender, asset, chain_units, state, is_success, kind } of moves) {
    const cell = cells.get(`${sender} ${asset}`);
    if (kind !== "sweep" || cell === undefined || (state !== "OPEN" && !is_success)) continue;
    cells.set(`${sender} ${asset}`, { ...cell, units: cell.units - BigInt(chain_units) });
  }
  return [...cells]
    .filter(([, { units }]) => units > 0n)
    .map(([key, { userId, units }]) => {
      const [address = "", asset = ""] = key.split(" ");
      return { address, asset, userId, units };
    })
    .sort((left, right) => (`${left.address}${left.asset}` < `${right.address}${right.asset}` ? -1 : 1));
}

/** A coin that refuses transfers costs gas at every try: after this many in a row an operator must act. */
const FAILED_MAX = 3;

/** `moves` in the order they began. */
export function isGivenUp(
  { address, asset }: Pick<Sweepable, "address" | "asset">,
  moves: readonly MoveRow[],
): boolean {
  const own = moves.filter((one) => one.kind === "sweep" && one.sender === address && one.asset === asset);
  return own.length >= FAILED_MAX && own.slice(-FAILED_MAX).every(({ state }) => state === "FAILED");
}

/** How the chain's own coin of each sender changed by moves up to a block, in addition to deposits: sweeps and fees. */
export function nativeMoved(moves: readonly MoveRow[], native: string, number: number): ReadonlyMap<string, bigint> {
  const moved = new Map<string, bigint>();
  for (const { sender, asset, chain_units, fee_units, is_success, block_number } of moves) {
    if (block_number === null || block_number > number) continue;
    const swept = asset === native && is_success ? BigInt(chain_units) : 0n;
    moved.set(sender, (moved.get(sender) ?? 0n) - swept - BigInt(fee_units));
  }
  return moved;
}

/** A sweep pays off from this multiple of the minimum withdrawal on: below it the network fee is too large. */
export const SWEEP_MINIMA = 1n;

export function sweepMinUnits(coin: NetworkCoin): bigint {
  return (readChainUnits(coin.withdrawMin, coin.decimals) ?? 0n) * SWEEP_MINIMA;
}

/** Base units of a chain, which exceed the ledger's range; undefined for more decimals than the coin has. */
export function readChainUnits(text: string, decimals: number): bigint | undefined {
  const read = parseDecimal(text);
  if (!read.ok || read.value.scale > decimals) return undefined;
  return read.value.units * 10n ** BigInt(decimals - read.value.scale);
}

/**
 * Shares of all there is of a coin on a network: below the first the hot wallet is low, and it is filled up to the
 * second.
 */
const LOW_PART = 20n;
const FULL_PART = 10n;

export function levelOf(hot: bigint, cold: bigint, deposits: bigint): { low: bigint; refill: bigint; isLow: boolean } {
  const whole = hot + cold + deposits;
  const low = whole / LOW_PART;
  const isLow = hot < low;
  const wanted = whole / FULL_PART - hot;
  const refill = isLow ? (wanted < cold ? wanted : cold) : 0n;
  return { low, refill: refill > 0n ? refill : 0n, isLow };
}
