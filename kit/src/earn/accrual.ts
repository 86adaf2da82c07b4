// Owns the interest of flexible products: hourly, in tiers, in whole parts of 1e-8 of a unit. Each hour is rounded down
// to a part and each credit to a unit; the remainder of a credit stays with the holding. Money earns from its first
// full hour: an hour is paid on the minimum balance in it.

export const PARTS_IN_UNIT = 100_000_000n;
const HOURS_IN_YEAR = 8_760n;

/** Rates in 1e-8 a year. A tier covers the principal up to its end; the last has none. */
export interface Tier {
  readonly uptoUnits: bigint | null;
  readonly rate: number;
}

/** Tiers in force from an hour on. */
export interface RateSpan {
  readonly fromHour: number;
  readonly tiers: readonly Tier[];
}

/** A coupon's addition, up to an amount and within these hours. */
export interface Boost {
  readonly rate: number;
  readonly capUnits: bigint;
  readonly fromHour: number;
  /** The first hour without it. */
  readonly untilHour: number;
}

export interface Accrual {
  readonly principalUnits: bigint;
  /** The least of the principal since the hour began. */
  readonly earningUnits: bigint;
  /** Hours since 1970 that are accrued: the next is this one. */
  readonly hour: number;
  readonly parts: bigint;
  /** Everything a coupon has added to the interest so far; never deducted. */
  readonly boostParts: bigint;
}

/** Interest of a year in parts. */
function yearParts(units: bigint, tiers: readonly Tier[]): bigint {
  let yearly = 0n;
  let below = 0n;
  for (const { uptoUnits, rate } of tiers) {
    const top = uptoUnits === null || uptoUnits > units ? units : uptoUnits;
    if (top > below) yearly += (top - below) * BigInt(rate);
    below = top > below ? top : below;
  }
  return yearly;
}

/** Interest of one hour in parts, rounded down. */
export function hourParts(units: bigint, tiers: readonly Tier[], boost?: Pick<Boost, "rate" | "capUnits">): bigint {
  let yearly = yearParts(units, tiers);
  if (boost !== undefined) yearly += (units < boost.capUnits ? units : boost.capUnits) * BigInt(boost.rate);
  return yearly / HOURS_IN_YEAR;
}

/** The average rate of a principal, in 1e-8, rounded down. */
export function blendedRate(units: bigint, tiers: readonly Tier[]): number {
  if (units <= 0n) return tiers[0]?.rate ?? 0;
  return Number(yearParts(units, tiers) / units);
}

/** All full hours up to this one, in one step between changes: hours in between are alike. */
export function accrueTo(state: Accrual, hour: number, spans: readonly RateSpan[], boost?: Boost): Accrual {
  if (hour <= state.hour) return state;
  const marks = [
    ...spans.map(({ fromHour }) => fromHour),
    ...(boost === undefined ? [] : [boost.fromHour, boost.untilHour]),
  ];
  let { parts, boostParts } = state;
  let at = state.hour;
  let units = state.earningUnits;
  while (at < hour) {
    const ends = marks.filter((mark) => mark > at && mark < hour);
    // The current hour is paid on its own minimum.
    const until = at === state.hour ? at + 1 : Math.min(hour, ...ends);
    const tiers = spans.findLast(({ fromHour }) => fromHour <= at)?.tiers ?? [];
    const isBoosted = boost !== undefined && at >= boost.fromHour && at < boost.untilHour;
    const hours = BigInt(until - at);
    const plain = hourParts(units, tiers);
    const added = isBoosted ? hourParts(units, tiers, boost) - plain : 0n;
    parts += (plain + added) * hours;
    boostParts += added * hours;
    at = until;
    units = state.principalUnits;
  }
  return { ...state, earningUnits: state.principalUnits, hour, parts, boostParts };
}

/** The principal changes now; the state is accrued to this hour. */
export function changePrincipal(state: Accrual, deltaUnits: bigint): Accrual {
  const principalUnits = state.principalUnits + deltaUnits;
  const earningUnits = principalUnits < state.earningUnits ? principalUnits : state.earningUnits;
  return { ...state, principalUnits, earningUnits };
}

/** Whole units to be paid out; the remainder is kept. */
export function takeWhole(state: Accrual): { readonly units: bigint; readonly state: Accrual } {
  const paid = state.parts / PARTS_IN_UNIT;
  return { units: paid, state: { ...state, parts: state.parts % PARTS_IN_UNIT } };
}
