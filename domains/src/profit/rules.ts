// Pure rules of profit: equity from what moved and what it was worth, day by day, and the time-weighted return. Exact; worth
// is rounded down where it is asked for.

/** What one business moved of one coin in one day, over the user's books of one kind. */
export interface DayMove {
  readonly day: number;
  readonly asset: number;
  readonly business: string;
  readonly isBot: boolean;
  readonly units: bigint;
}

export type WorthAt = (asset: number, units: bigint, day: number) => bigint;

export interface DayResult {
  readonly day: number;
  readonly equityUnits: bigint;
  readonly inUnits: bigint;
  readonly outUnits: bigint;
  readonly pnlUnits: bigint;
  /** Since the beginning of the first day, in hundred-millionths. */
  readonly returnRate: bigint;
  readonly sources: Sources;
}

export interface Sources {
  readonly futures: bigint;
  readonly bots: bigint;
  readonly earn: bigint;
  readonly fees: bigint;
}

export const RATE_ONE = 100_000_000n;

/** Money that came from outside the user's books or left them, whatever for; everything else is earned or lost. */
const OUTSIDE: ReadonlySet<string> = new Set([
  "deposit",
  "faucet",
  "reorg",
  "withdrawal",
  "internalTransfer",
  "otcEscrow",
  "otcRelease",
  "merchantBond",
  "adjustment",
]);
const FEES: ReadonlySet<string> = new Set([
  "fee",
  "openFee",
  "closeFee",
  "liquidationFee",
  "withdrawalFee",
  "otcFee",
  "funding",
]);
const FUTURES: ReadonlySet<string> = new Set(["realized", "insurance", "adl"]);
const EARN: ReadonlySet<string> = new Set(["earnInterest", "reward", "coupon", "bonus", "rebate", "profitShare"]);

/** From the first day given to the last, each after the other; `moves` may begin before. */
export function analyse(
  moves: readonly DayMove[],
  first: number,
  last: number,
  worthAt: WorthAt,
): readonly DayResult[] {
  const byDay = new Map<number, DayMove[]>();
  const held = new Map<number, bigint>();
  for (const move of moves) {
    if (move.day < first) held.set(move.asset, (held.get(move.asset) ?? 0n) + move.units);
    else byDay.set(move.day, [...(byDay.get(move.day) ?? []), move]);
  }
  let before = equityOf(held, first - 1, worthAt);
  let growth = RATE_ONE;
  const results: DayResult[] = [];
  for (let day = first; day <= last; day += 1) {
    const today = byDay.get(day) ?? [];
    for (const { asset, units } of today) held.set(asset, (held.get(asset) ?? 0n) + units);
    const flows = flowsOf(today, day, worthAt);
    const equityUnits = equityOf(held, day, worthAt);
    const pnlUnits = equityUnits - before - flows.inUnits + flows.outUnits;
    const base = before + flows.inUnits;
    // What came in counts as invested for its whole day: a large deposit never makes a small profit look large.
    const rate = base > 0n ? (pnlUnits * RATE_ONE) / base : 0n;
    growth = (growth * (RATE_ONE + (rate < -RATE_ONE ? -RATE_ONE : rate))) / RATE_ONE;
    const sources = sourcesOf(today, day, worthAt);
    results.push({ day, equityUnits, ...flows, pnlUnits, returnRate: growth - RATE_ONE, sources });
    before = equityUnits;
  }
  return results;
}

export function equityOf(held: ReadonlyMap<number, bigint>, day: number, worthAt: WorthAt): bigint {
  return [...held].reduce((sum, [asset, units]) => sum + (units === 0n ? 0n : worthAt(asset, units, day)), 0n);
}

function flowsOf(moves: readonly DayMove[], day: number, worthAt: WorthAt): { inUnits: bigint; outUnits: bigint } {
  let [inUnits, outUnits] = [0n, 0n];
  for (const { asset, business, units } of moves) {
    if (!OUTSIDE.has(business)) continue;
    if (units > 0n) inUnits += worthAt(asset, units, day);
    else outUnits += worthAt(asset, -units, day);
  }
  return { inUnits, outUnits };
}

function sourcesOf(moves: readonly DayMove[], day: number, worthAt: WorthAt): Sources {
  const sums = { futures: 0n, bots: 0n, earn: 0n, fees: 0n };
  for (const { asset, business, units, isBot } of moves) {
    const worth = units < 0n ? -worthAt(asset, -units, day) : worthAt(asset, units, day);
    if (FEES.has(business)) sums.fees += worth;
    else if (EARN.has(business)) sums.earn += worth;
    else if (FUTURES.has(business)) sums[isBot ? "bots" : "futures"] += worth;
  }
  return sums;
}

/** What the price of one coin brought over the days: its worth at the end, less that at the beginning and all that moved. */
export function priceGain(
  moves: readonly DayMove[],
  asset: number,
  first: number,
  last: number,
  worthAt: WorthAt,
): bigint {
  const signed = (units: bigint, day: number): bigint =>
    units < 0n ? -worthAt(asset, -units, day) : worthAt(asset, units, day);
  let [opening, moved, gain] = [0n, 0n, 0n];
  for (const move of moves) {
    if (move.asset !== asset) continue;
    if (move.day < first) opening += move.units;
    else {
      moved += move.units;
      gain -= signed(move.units, move.day);
    }
  }
  return gain + signed(opening + moved, last) - signed(opening, first - 1);
}
