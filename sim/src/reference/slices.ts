// Owns slicing in the reference: over time (TWAP) and over prices (scaled). Slices are ordinary orders.
import { endTwap, recordClientId } from "./changes.ts";
import { isPrice, isQuantity } from "./checks.ts";
import { requestedOf } from "./lists.ts";
import { submit } from "./orders.ts";
import { waitingCount } from "./plans.ts";
import {
  type Account,
  type CommandOf,
  cost,
  type Exchange,
  type Market,
  type OrderShape,
  type Refusal,
  refuse,
  type Twap,
} from "./state.ts";

export function placeTwap(
  exchange: Exchange,
  account: Account,
  market: Market,
  command: CommandOf<"placeTwap">,
): Refusal | undefined {
  const { price, quantity, durationMs, intervalMs } = command;
  const refusal = checkTwap(exchange, account, market, command);
  if (refusal !== undefined) return refusal;
  const intervals = Math.floor(durationMs / intervalMs);
  const twap: Twap = {
    id: exchange.takeId(),
    account,
    market,
    intervals,
    intervalMs,
    since: exchange.sequence,
    shape: { ...command, timeInForce: "IOC" } as unknown as OrderShape,
    left: quantity,
    // However much has rolled forward, a slice is never above three even ones.
    sliceMax: Math.ceil(quantity / intervals) * 3,
    slice: 0,
    open: true,
  };
  exchange.twaps.set(twap.id, twap);
  const { side, type, postOnly, selfTrade, inQuote } = command;
  exchange.emit("twapStarted", {
    account: account.id,
    side,
    type,
    timeInForce: "IOC",
    postOnly,
    selfTrade,
    inQuote,
    reduceOnly: false,
    iceberg: false,
    conditional: false,
    twap: twap.id,
    market: market.id,
    price,
    lots: quantity,
    intervals,
    intervalMs,
  });
  recordClientId(exchange, command, twap.id);
  runTwap(exchange, twap);
  return undefined;
}

function checkTwap(
  exchange: Exchange,
  account: Account,
  market: Market,
  command: CommandOf<"placeTwap">,
): Refusal | undefined {
  const { price, quantity, durationMs, intervalMs } = command;
  if (account.blockTrading) return refuse("ACCOUNT_BLOCKED");
  if (market.status === "CANCEL_ONLY") return refuse("MARKET_CANCEL_ONLY");
  if (market.status !== "TRADING") return refuse("MARKET_NOT_TRADING");
  if (!isPrice(price)) return refuse("INVALID_PRICE");
  if (!isQuantity(quantity)) return refuse("INVALID_QUANTITY");
  if (command.type === "market" || command.inQuote || command.postOnly !== "no") return refuse("INVALID_COMBINATION");
  const timely = durationMs >= 300_000 && durationMs <= 86_400_000 && intervalMs >= 10_000 && intervalMs <= 300_000;
  if (!timely) return refuse("INVALID_TWAP");
  const even = Math.floor(quantity / Math.floor(durationMs / intervalMs));
  if (even < market.minLots) return refuse("QUANTITY_TOO_SMALL", market.minLots);
  if (cost(market, "buy", price, even) < market.minNotional) return refuse("NOTIONAL_TOO_SMALL", market.minNotional);
  if (waitingCount(exchange, account, market) >= market.conditionalMax)
    return refuse("TOO_MANY_CONDITIONALS", market.conditionalMax);
  if (command.selfTrade === "NONE" && !account.allowSelfTrade) return refuse("SELF_TRADE_MODE_FORBIDDEN");
  return undefined;
}

/** One slice: what is left divided by the intervals left, at once or not at all. */
export function runTwap(exchange: Exchange, twap: Twap): void {
  const { account, market, shape } = twap;
  const quantity = Math.min(Math.floor(twap.left / twap.intervals), twap.sliceMax);
  let filledLots = 0;
  if (quantity > 0) {
    const placed = submit(exchange, requestedOf(account, market, { ...shape, quantity, slippageBps: 0 }));
    if ("code" in placed) exchange.reject(placed, account.id, market.id);
    else filledLots = placed.filled;
  }
  twap.slice++;
  twap.intervals--;
  twap.left -= filledLots;
  const { slice, left: leftLots } = twap;
  exchange.emit("twapSlice", { account: account.id, twap: twap.id, market: market.id, slice, filledLots, leftLots });
  if (twap.left === 0 || twap.intervals === 0) endTwap(exchange, twap, "TWAP_ENDED");
  else exchange.timers.push({ at: exchange.now + twap.intervalMs, id: twap.id, owner: { kind: "twap", twap } });
}

export function placeScaled(
  exchange: Exchange,
  account: Account,
  market: Market,
  command: CommandOf<"placeScaled">,
): Refusal | undefined {
  const { price, priceTo, quantity, count, shape } = command;
  if (!isPrice(price) || !isPrice(priceTo)) return refuse("INVALID_PRICE");
  if (!isQuantity(quantity)) return refuse("INVALID_QUANTITY");
  if (command.type === "market" || command.inQuote) return refuse("INVALID_COMBINATION");
  if (count < 2 || count > 50 || Math.abs(priceTo - price) < count - 1) return refuse("INVALID_SCALE");
  const sizes = scaledSizes(quantity, count, shape);
  if (sizes.some((size) => size < 1)) return refuse("INVALID_SCALE");
  for (const [i, size] of sizes.entries()) {
    const at = price + Math.trunc(((priceTo - price) * i) / (count - 1));
    exchange.item = i;
    const placed = submit(
      exchange,
      requestedOf(account, market, { ...command, price: at, quantity: size, slippageBps: 0 }),
    );
    if ("code" in placed) exchange.reject(placed, account.id, market.id);
  }
  exchange.item = 0;
  return undefined;
}

/** Sizes by weight, each rounded down; the last takes what rounding left. */
function scaledSizes(quantity: number, count: number, shape: "flat" | "rising" | "falling"): number[] {
  const weight = (i: number): number => (shape === "flat" ? 1 : shape === "rising" ? i + 1 : count - i);
  const weights = Array.from({ length: count }, (_, i) => BigInt(weight(i)));
  const sum = weights.reduce((total, one) => total + one, 0n);
  const sizes = weights.map((one) => Number((BigInt(quantity) * one) / sum));
  const given = sizes.reduce((total, size) => total + size, 0);
  sizes[count - 1] = (sizes[count - 1] ?? 0) + quantity - given;
  return sizes;
}
