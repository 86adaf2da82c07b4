// Pure rules of convert: the proceeds of a walk through the book, and the share the exchange keeps. Exact; rounded down
// once.

/** A level of a book: price and quantity as whole numbers over a power of ten. */
export interface Level {
  readonly priceUnits: bigint;
  readonly quantityUnits: bigint;
}

export const SCALE = 18;
const ONE = 10n ** BigInt(SCALE);
/** Of the proceeds, in parts of ten thousand. */
export const SPREAD_BPS = 10n;
const DUST_BPS = 200n;
const WHOLE_BPS = 10_000n;
export const QUOTE_MS = 10_000;
/** How much the proceeds may fall between quote and acceptance. */
const MOVED_BPS = 25n;
export const OPEN_QUOTES_MAX = 3;
export const LIMIT_MS = 86_400_000;
/** USDT units a user may convert within the time above; also the exchange's limit, long or short, per coin. */
export const USER_LIMIT_UNITS = 250_000_000_000n;
export const COIN_LIMIT_UNITS = 1_000_000_000_000n;
/** Balances worth less are dust, in USDT units. */
export const DUST_UNITS = 10_000_000n;
export const USDT = "USDT";
export const USDT_SCALE = 6;

/** The proceeds of selling the amount, in USDT of the scale above; undefined when the book does not hold as much. */
export function sellValue(amount: bigint, bids: readonly Level[]): bigint | undefined {
  let left = amount;
  let value = 0n;
  for (const { priceUnits, quantityUnits } of bids) {
    const taken = left < quantityUnits ? left : quantityUnits;
    value += (taken * priceUnits) / ONE;
    left -= taken;
    if (left === 0n) return value;
  }
  return undefined;
}

/** The amount of a coin this much USDT buys. */
export function buyAmount(value: bigint, asks: readonly Level[]): bigint | undefined {
  let left = value;
  let bought = 0n;
  for (const { priceUnits, quantityUnits } of asks) {
    const cost = (quantityUnits * priceUnits) / ONE;
    if (left <= cost) return bought + (left * ONE) / priceUnits;
    bought += quantityUnits;
    left -= cost;
  }
  return undefined;
}

/** The most the exchange pays for a coin: the book's price, capped at the fair one, both in USDT of the scale above. */
export function boundedValue(amount: bigint, bids: readonly Level[], fairPrice: bigint): bigint | undefined {
  const walked = sellValue(amount, bids);
  return walked === undefined ? undefined : smaller(walked, (amount * fairPrice) / ONE);
}

/** The most of a coin the exchange gives for an amount of USDT. */
export function boundedAmount(value: bigint, asks: readonly Level[], fairPrice: bigint): bigint | undefined {
  const walked = buyAmount(value, asks);
  return walked === undefined ? undefined : smaller(walked, (value * ONE) / fairPrice);
}

function smaller(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}

/** Levels without a user's own resting quantities, by price. */
export function withoutOwn(levels: readonly Level[], own: ReadonlyMap<bigint, bigint>): Level[] {
  return levels.flatMap(({ priceUnits, quantityUnits }) => {
    const left = quantityUnits - (own.get(priceUnits) ?? 0n);
    return left > 0n ? [{ priceUnits, quantityUnits: left }] : [];
  });
}

/** Whether a quoted conversion would bring clearly less now. */
export function hasMoved(quotedUnits: bigint, nowUnits: bigint): boolean {
  return nowUnits * WHOLE_BPS < quotedUnits * (WHOLE_BPS - MOVED_BPS);
}

export function afterSpread(amount: bigint): bigint {
  return (amount * (WHOLE_BPS - SPREAD_BPS)) / WHOLE_BPS;
}

export function afterDustFee(amount: bigint): bigint {
  return (amount * (WHOLE_BPS - DUST_BPS)) / WHOLE_BPS;
}

/** From decimal text as books write it. */
export function readLevel([price = "0", quantity = "0"]: readonly string[]): Level {
  return { priceUnits: readScaled(price), quantityUnits: readScaled(quantity) };
}

function readScaled(text: string): bigint {
  const [whole = "0", part = ""] = text.split(".");
  return BigInt(whole + part.padEnd(SCALE, "0").slice(0, SCALE));
}
