// Owns what a change of a futures account's settings must lead to, reckoned from what the account holds and has ordered,
// for tests: the refusal with its limit, or the margins after it.
import { isLiquidatable, leastSafeMargin } from "@clockwork/kit/margin";
import {
  capOf,
  freeOf,
  holdingsOf,
  isDue,
  NOTHING,
  orderedOn,
  type Side,
  type Standing,
  share,
} from "./standing-fixture.ts";

export type Outcome =
  | { readonly code: string; readonly limit: number }
  /** Margins by side afterwards. */
  | { readonly margins: readonly [number, number] };

const LEVERAGE_MOST = 125;
const refused = (code: string, limit = 0): Outcome => ({ code, limit });

function isSafe(standing: Standing, side: Side, margin: number): boolean {
  const [holding] = holdingsOf({ ...standing, sides: [side, NOTHING] });
  return holding === undefined || BigInt(margin) >= leastSafeMargin(holding);
}

export function changeLeverage(
  wallet: number,
  own: Standing,
  other: Standing,
  requested: readonly [number, number],
): Outcome {
  const long = requested[0] === 0 ? own.leverage[0] : requested[0];
  const short = requested[1] !== 0 ? requested[1] : requested[0] === 0 ? own.leverage[1] : requested[0];
  if (Math.min(long, short) < 1 || Math.max(long, short) > LEVERAGE_MOST)
    return refused("INVALID_LEVERAGE", LEVERAGE_MOST);
  const [buys, sells] = [orderedOn(own, true).value, orderedOn(own, false).value];
  const [one, two] = own.sides;
  const signed = one.lots < 0 ? -one.cost : one.cost;
  const up = own.hedge ? one.cost + buys : Math.max(Math.abs(signed), signed + buys);
  const down = own.hedge ? two.cost + sells : sells - signed;
  const caps = [capOf(own, long), capOf(own, own.hedge ? short : long)] as const;
  if (up > caps[0]) return refused("POSITION_LIMIT", caps[0]);
  if (down > caps[1]) return refused("POSITION_LIMIT", caps[1]);
  const next: Standing = { ...own, leverage: [long, short] };
  const wanted = own.sides.map(({ cost }, i) => share(cost, next.leverage[i] as number));
  const before = own.sides.map(({ cost }, i) => share(cost, own.leverage[i] as number));
  const owed = own.isolated ? wanted.reduce((sum, units, i) => sum + Math.max(0, units - (before[i] as number)), 0) : 0;
  if (freeOf(wallet, [next, other]) < owed || wallet < owed)
    return refused("INSUFFICIENT_MARGIN", Math.max(0, freeOf(wallet, [own, other])));
  const margins = own.sides.map((side, i) => {
    const units = wanted[i] as number;
    if (!own.isolated || side.lots === 0) return side.margin;
    return units > side.margin || isSafe(own, side, units) ? units : side.margin;
  });
  return { margins: margins as [number, number] };
}

export function changeMode(wallet: number, own: Standing, other: Standing, isolated: boolean): Outcome {
  const margins = own.sides.map(({ margin }) => margin) as [number, number];
  if (own.isolated === isolated) return { margins };
  const open = own.sides.filter(({ lots }) => lots !== 0);
  if (!isolated) {
    const joined = wallet + margins[0] + margins[1];
    const after = [{ ...own, isolated: false }, other];
    return open.length > 0 && isDue(joined, after) ? refused("MARGIN_UNHEALTHY") : { margins: [0, 0] };
  }
  const needs = own.sides.map(({ cost }, i) => share(cost, own.leverage[i] as number)) as [number, number];
  const sum = needs[0] + needs[1];
  if (wallet < sum) return refused("INSUFFICIENT_MARGIN", wallet);
  const isBad = own.sides.some((side, i) =>
    isLiquidatable(BigInt(needs[i] as number), holdingsOf({ ...own, sides: [side, NOTHING] })),
  );
  return isBad || (open.length > 0 && isDue(wallet - sum, [other])) ? refused("MARGIN_UNHEALTHY") : { margins: needs };
}

export function changeMargin(wallet: number, own: Standing, other: Standing, at: 0 | 1, units: number): Outcome {
  if (!own.isolated) return refused("MARGIN_NOT_ISOLATED");
  const side = own.sides[at];
  if (side.lots === 0) return refused("UNKNOWN_POSITION");
  if (units === 0) return refused("INVALID_AMOUNT");
  const free = Math.min(wallet, freeOf(wallet, [own, other]));
  if (units > Math.max(0, free)) return refused("INSUFFICIENT_MARGIN", Math.max(0, free));
  const margin = side.margin + units;
  const least = share(side.cost, own.leverage[at]);
  if (units < 0 && margin < least) return refused("INSUFFICIENT_MARGIN", least);
  if (units < 0 && !isSafe(own, side, margin)) return refused("MARGIN_UNHEALTHY");
  const margins = own.sides.map((one) => (one === side ? margin : one.margin)) as [number, number];
  return { margins };
}

/** Margins to ask for that lie at an edge of what may be put in or taken out. */
export function edgesOf(wallet: number, own: Standing, other: Standing, at: 0 | 1): number[] {
  const side = own.sides[at];
  const free = Math.min(wallet, freeOf(wallet, [own, other]));
  const [holding] = holdingsOf({ ...own, sides: [side, NOTHING] });
  const least = share(side.cost, own.leverage[at]) - side.margin;
  const safe = holding === undefined ? 0 : Number(leastSafeMargin(holding)) - side.margin;
  return [0, 1, -1, free, free + 1, least, least - 1, safe, safe - 1];
}
