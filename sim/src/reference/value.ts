// Owns the reference's valuation: prices observed in every market, and what each asset is worth in USDT by them.
import { type Exchange, type Market, PRICE_MAX, SAFE_MAX } from "./state.ts";

const OBSERVE_MS = 10_000;
const WINDOW = 60;
const STEP_BPS = 25;
const FRESH_MS = 60_000;

interface Value {
  readonly source: "none" | "index" | "median";
  readonly up: bigint;
  readonly down: bigint;
}
const UNKNOWN: Value = { source: "none", up: 0n, down: 0n };
const ONE: Value = { source: "none", up: 1n, down: 1n };

const usdtOf = (exchange: Exchange): number => exchange.assets.findIndex(({ symbol }) => symbol === "USDT") + 1;

/** Units of an asset are worth so many of USDT: units × up ÷ down; 0 ÷ 1 while nobody knows. */
export function priceOf(exchange: Exchange, asset: number): { readonly up: bigint; readonly down: bigint } {
  if (asset === usdtOf(exchange)) return ONE;
  const known = exchange.values.get(asset) ?? UNKNOWN;
  return known.down === 0n ? { up: 0n, down: 1n } : known;
}

/** Before a command that is due: observations of the time that has passed, then what has changed. */
export function refreshValues(exchange: Exchange): void {
  if (exchange.now < exchange.nextObservation || exchange.markets.length === 0) return;
  const passed =
    exchange.nextObservation === 0 ? 0 : Math.floor((exchange.now - exchange.nextObservation) / OBSERVE_MS) + 1;
  exchange.nextObservation = (Math.floor(exchange.now / OBSERVE_MS) + 1) * OBSERVE_MS;
  for (const market of exchange.markets) observe(exchange, market, passed);
  const assets = exchange.assets.map((_, index) => index + 1).filter((asset) => asset !== usdtOf(exchange));
  const direct = assets.filter((asset) => directValue(exchange, asset).source !== "none");
  for (const asset of direct) publish(exchange, asset, directValue(exchange, asset));
  for (const asset of assets) if (!direct.includes(asset)) publish(exchange, asset, throughValue(exchange, asset));
}

export function beginValue(exchange: Exchange, market: Market): void {
  begin(market);
  revalue(exchange, market.base);
}

export function noteIndex(exchange: Exchange, market: Market): void {
  market.indexAt = exchange.now;
  revalue(exchange, market.base);
}

export function revalue(exchange: Exchange, asset: number): void {
  if (asset === usdtOf(exchange)) return;
  const direct = directValue(exchange, asset);
  publish(exchange, asset, direct.source === "none" ? throughValue(exchange, asset) : direct);
}

function begin(market: Market): void {
  if (market.observed.length > 0) return;
  if (market.anchor !== 0) market.observed = Array<number>(WINDOW).fill(market.anchor);
  else if (market.last !== 0) market.observed = [market.last];
}

function observe(exchange: Exchange, market: Market, passed: number): void {
  begin(market);
  const index = freshIndex(exchange, market);
  const standing = index !== 0 ? index : standingPrice(market);
  if (standing === 0) return;
  for (let i = 0; i < Math.min(passed, WINDOW); i++) {
    const before = market.observed.at(-1) ?? 0;
    const step = Math.max(1, Math.floor((before * STEP_BPS) / 10_000));
    const isFree = index !== 0 || market.observed.length < WINDOW;
    const observed = isFree ? standing : Math.max(before - step, Math.min(before + step, standing));
    market.observed = [...market.observed, observed].slice(-WINDOW);
  }
}

function standingPrice({ last, status, bids, asks }: Market): number {
  if (last === 0 || status === "AUCTION") return last;
  const [bid, ask] = [bids[0]?.price ?? 0, asks[0]?.price ?? PRICE_MAX];
  return last < bid ? bid : Math.min(last, ask);
}

function freshIndex(exchange: Exchange, market: Market): number {
  return market.indexAt !== 0 && exchange.now - market.indexAt <= FRESH_MS ? market.index : 0;
}

function directValue(exchange: Exchange, asset: number): Value {
  const usdt = usdtOf(exchange);
  return usdt === 0 || asset === usdt ? UNKNOWN : bySpot(exchange, asset, (quote) => quote === usdt);
}

function throughValue(exchange: Exchange, asset: number): Value {
  return bySpot(exchange, asset, (quote) => quote !== asset && priceOf(exchange, quote).up !== 0n);
}

/** An index comes first, then the market observed longest, then the older one. */
function bySpot(exchange: Exchange, asset: number, isQuote: (asset: number) => boolean): Value {
  const rankOf = (market: Market): number => (freshIndex(exchange, market) !== 0 ? WINDOW + 1 : market.observed.length);
  const [best] = exchange.markets
    .filter(({ base, quote, status }) => base === asset && status !== "DELISTED" && isQuote(quote))
    .filter((market) => rankOf(market) > 0)
    .sort((left, right) => rankOf(right) - rankOf(left) || left.id - right.id);
  if (best === undefined) return UNKNOWN;
  const index = freshIndex(exchange, best);
  const sorted = best.observed.toSorted((left, right) => left - right);
  const ticks = index !== 0 ? index : (sorted[(sorted.length - 1) >> 1] as number);
  const quote = priceOf(exchange, best.quote);
  let [up, down] = [BigInt(ticks) * best.tickLot * quote.up, best.step * quote.down];
  while (up > SAFE_MAX || down > SAFE_MAX) [up, down] = [up / 2n, down / 2n];
  return up === 0n || down === 0n ? UNKNOWN : { source: index !== 0 ? "index" : "median", up, down };
}

function publish(exchange: Exchange, asset: number, value: Value): void {
  const { source, up, down } = exchange.values.get(asset) ?? UNKNOWN;
  if (source === value.source && up === value.up && down === value.down) return;
  exchange.values.set(asset, value);
  exchange.emit("assetValued", { source: value.source, asset, up: Number(value.up), down: Number(value.down) });
}
