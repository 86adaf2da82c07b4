// Owns the arithmetic of launches other than the draw: tickets by holding, shares pro rata with a cap, vesting by day.

/** min(T_max, floor(h ÷ unit)) of the least daily holding. */
export function ticketsOf(dailyUnits: readonly bigint[], unitUnits: bigint, ticketsMax: number): number {
  const least = dailyUnits.reduce<bigint | undefined>(
    (low, day) => (low === undefined || day < low ? day : low),
    undefined,
  );
  const count = (least ?? 0n) / unitUnits;
  return count > BigInt(ticketsMax) ? ticketsMax : Number(count);
}

export interface Commitment {
  readonly commitUnits: bigint;
  /** The maximum of this one. */
  readonly capUnits: bigint;
}

/**
 * Shares of a stock by commitment: a commitment that reaches its cap drops out with it and the rest is shared again
 * until none does. Rounded down to a step, in the order given. The nearest to its cap is processed first, so one pass
 * is enough.
 */
export function shareProRata(totalUnits: bigint, commitments: readonly Commitment[], stepUnits: bigint): bigint[] {
  const given = commitments.map(() => 0n);
  const order = commitments
    .map((_, index) => index)
    .filter((index) => (commitments[index] as Commitment).commitUnits > 0n)
    .sort((left, right) => nearer(commitments[left] as Commitment, commitments[right] as Commitment) || left - right);
  let left = totalUnits;
  let weight = order.reduce((sum, index) => sum + (commitments[index] as Commitment).commitUnits, 0n);
  for (const [place, index] of order.entries()) {
    const { commitUnits, capUnits } = commitments[index] as Commitment;
    if (left * commitUnits >= capUnits * weight) {
      given[index] = capUnits - (capUnits % stepUnits);
      left -= capUnits;
      weight -= commitUnits;
      continue;
    }
    for (const rest of order.slice(place)) {
      const share = (left * (commitments[rest] as Commitment).commitUnits) / weight;
      given[rest] = share - (share % stepUnits);
    }
    break;
  }
  return given;
}

function nearer(a: Commitment, b: Commitment): number {
  const difference = a.capUnits * b.commitUnits - b.capUnits * a.commitUnits;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export interface Vesting {
  /** Of the whole, in 1e-4. */
  readonly firstBps: number;
  /** Equal days after the listing for the rest; 0 gives all at once. */
  readonly days: number;
}

/** The vested part of an allocation after full days since the listing; zero on day −1, before it. */
export function vestedUnits(totalUnits: bigint, { firstBps, days }: Vesting, dayCount: number): bigint {
  if (dayCount < 0) return 0n;
  if (days === 0 || dayCount >= days) return totalUnits;
  const first = (totalUnits * BigInt(firstBps)) / 10_000n;
  return first + ((totalUnits - first) * BigInt(dayCount)) / BigInt(days);
}
