// What the kit describes is what the core lists, and the bounds it judges by are those the core enforces.
import { present } from "@clockwork/kit/assert";
import {
  CATALOGUE_CONTRACTS,
  CONTRACT_QUOTE,
  contractInstrument,
  contractSymbol,
  contractTiers,
} from "@clockwork/kit/contract-catalogue";
import { describeInstrument, type Instrument, readInstrument } from "@clockwork/kit/instrument";
import { checkBand, checkSize, protectiveTicks } from "@clockwork/kit/order-bounds";
import { createRandom } from "@clockwork/kit/random";
import { expect, test } from "vitest";
import { createMachine } from "../machine/machine.ts";
import type { MachineEvent } from "../protocol/event.ts";
import { listMarketCommand, tiersCommand } from "../protocol/listing-command.ts";
import { createDriver, type Driver, eventsOf } from "../testing/driver.ts";
import { readListing } from "./listing.ts";

const SCALES: Readonly<Record<string, number>> = { USDT: 6, XRP: 4, DOGE: 4, ADA: 4, USD: CONTRACT_QUOTE.scale };
const coin = (symbol: string) => ({ symbol, scale: SCALES[symbol] ?? 8 });

function listCoins(driver: Driver): (symbol: string) => number {
  const ids = new Map<string, number>();
  return (symbol) => {
    const known = ids.get(symbol);
    if (known !== undefined) return known;
    const listed = eventsOf(driver.send({ kind: "listAsset", ...coin(symbol) }), "assetListed")[0];
    const { asset } = present(listed, "LISTING-1", symbol);
    ids.set(symbol, asset);
    return asset;
  };
}

function list(driver: Driver, instrument: Instrument, symbol: string, anchorTicks = 0): number {
  const idOf = listCoins(driver);
  const [base, quote] = [idOf(instrument.base.symbol), idOf(instrument.quote.symbol)];
  const events = driver.send(listMarketCommand(instrument, { symbol, base, quote, anchorTicks }));
  return present(eventsOf(events, "marketListed")[0], "LISTING-1", symbol).market;
}

test("[FUT-1] every contract of the catalogue is listed exactly as it is described, with its ladder", () => {
  const driver = createDriver(createMachine());
  const idOf = listCoins(driver);
  for (const entry of CATALOGUE_CONTRACTS) {
    const instrument = contractInstrument(entry, coin(entry.base), coin(entry.quote));
    const [base, quote] = [idOf(entry.base), idOf(entry.quote)];
    const { contractClass, fundingHours, interestRate } = entry;
    const terms = { symbol: contractSymbol(entry), base, quote, contractClass, fundingHours, interestRate };
    const events = driver.send(listMarketCommand(instrument, terms));
    const { market } = present(eventsOf(events, "marketListed")[0], "LISTING-1", terms.symbol);
    driver.send(tiersCommand(market, contractTiers(entry, instrument.settle)));
    const listed = present(readListing(driver.machine).markets[market - 1], "LISTING-1", terms.symbol);
    const { contract } = listed;
    expect([listed.symbol, contract?.tiers]).toEqual([terms.symbol, contractTiers(entry, instrument.settle)]);
    expect(contract).toMatchObject({ contractClass, fundingHours, interestRate, mirror: 0, openLots: 0 });
    const read = describeInstrument({ ...instrument, ...listed, ...instrument, factor: contract?.factor ?? 0 });
    expect(read).toEqual({ ...read, ...instrument });
    const { stepUnits, minLots, maxLots, maxMarketLots, minNotionalUnits, buyMaxBps, sellMinBps } = listed;
    expect({ stepUnits, minLots, maxLots, maxMarketLots, minNotionalUnits, buyMaxBps, sellMinBps }).toEqual({
      stepUnits: instrument.stepUnits,
      minLots: instrument.minLots,
      maxLots: instrument.maxLots,
      maxMarketLots: instrument.maxMarketLots,
      minNotionalUnits: instrument.minNotionalUnits,
      buyMaxBps: instrument.buyMaxBps,
      sellMinBps: instrument.sellMinBps,
    });
  }
});

const BOUND_CODES = /^(?:QUANTITY|NOTIONAL|PRICE)_TOO_/;

/** The bound the core says was broken; nothing when it had something else against the order, or nothing at all. */
function brokenBound(events: readonly MachineEvent[]): { code: string; limit: number } | undefined {
  const refusal = eventsOf(events, "rejected")[0];
  return refusal !== undefined && BOUND_CODES.test(refusal.code)
    ? { code: refusal.code, limit: refusal.limit }
    : undefined;
}

test("[SPOT-1] the kit and the core refuse the same orders for the same bound", () => {
  const read = readInstrument({
    kind: "spot",
    base: coin("BTC"),
    quote: coin("USDT"),
    tickSize: "0.1",
    stepSize: "0.00001",
    minQuantity: "0.00005",
    maxQuantity: "10",
    maxMarketQuantity: "1",
    minNotional: "5",
    band: { buyMax: "1.2", buyMin: "0.2", sellMin: "0.8", sellMax: "5" },
  });
  if (!read.done) throw new Error(read.code);
  const pair = read.value;
  const driver = createDriver(createMachine());
  const anchor = 600_000;
  const market = list(driver, pair, "BTC/USDT", anchor);
  const made = eventsOf(driver.send({ kind: "createAccount", user: 1, book: "spot" }), "accountCreated")[0];
  const { account } = present(made, "LISTING-1", "account");
  const random = createRandom(15);
  const seen = new Set<string>();
  for (let round = 0; round < 4_000; round += 1) {
    const side = random.pick(["buy", "sell"] as const);
    const price = Math.max(
      1,
      random.pick([1, 1_000, 100_000, 400_000, 700_000, 5_000_000]) + random.between(-50, 50_000),
    );
    const quantity = random.pick([1, 4, 5, 8, 9, 100, 1_000_000, 1_000_001, 2 ** 40]);
    const events = driver.send({ kind: "placeOrder", account, market, side, price, quantity });
    const bound = checkSize(pair, quantity, price) ?? checkBand(pair, side, price, anchor);
    expect([side, price, quantity, brokenBound(events)]).toEqual([side, price, quantity, bound]);
    seen.add(bound?.code ?? "none");
  }
  expect([...seen].sort()).toEqual([
    "NOTIONAL_TOO_SMALL",
    "PRICE_TOO_HIGH",
    "PRICE_TOO_LOW",
    "QUANTITY_TOO_LARGE",
    "QUANTITY_TOO_SMALL",
    "none",
  ]);
});

test("[SPOT-1] a market order trades up to the price the kit foretells and no further", () => {
  const entry = present(CATALOGUE_CONTRACTS[0], "LISTING-1", "BTC");
  const band = { buyMax: "1.2", buyMin: "0.2", sellMin: "0.8", sellMax: "5" };
  const sizes = { tickSize: entry.tick, stepSize: entry.step, minQuantity: entry.step };
  const bounds = { maxQuantity: "1000", maxMarketQuantity: "1000", minNotional: "0", band };
  const read = readInstrument({ kind: "spot", base: coin("BTC"), quote: coin("USDT"), ...sizes, ...bounds });
  if (!read.done) throw new Error(read.code);
  const driver = createDriver(createMachine());
  const anchor = 10_000;
  const market = list(driver, read.value, "BTC/USDT", anchor);
  const [maker, taker] = [1, 2].map((user) => {
    const made = eventsOf(driver.send({ kind: "createAccount", user, book: "spot" }), "accountCreated")[0];
    const { account } = present(made, "LISTING-1", "account");
    for (const asset of [1, 2]) {
      const money = { business: "deposit", units: 10 ** 14, reference: `${account}:${asset}` } as const;
      driver.send({ kind: "mint", account, asset, ...money });
    }
    return account;
  }) as [number, number];
  for (let step = 0; step <= 40; step += 1) {
    const quantity = 1;
    driver.send({ kind: "placeOrder", account: maker, market, side: "sell", price: 10_010 + step * 60, quantity });
    driver.send({ kind: "placeOrder", account: maker, market, side: "buy", price: 9_990 - step * 60, quantity });
  }
  for (const side of ["buy", "sell"] as const) {
    const best = side === "buy" ? 10_010 : 9_990;
    const limit = protectiveTicks(read.value, side, best, 1_000, anchor);
    const order = { account: taker, market, side, type: "market", quantity: 100, slippageBps: 1_000 } as const;
    const prices = eventsOf(driver.send({ kind: "placeOrder", ...order }), "trade").map(({ price }) => price);
    const reachable = Array.from({ length: 41 }, (_, step) => (side === "buy" ? best + step * 60 : best - step * 60));
    expect(prices).toEqual(reachable.filter((price) => (side === "buy" ? price <= limit : price >= limit)));
  }
});
