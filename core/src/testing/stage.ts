// Owns a small exchange to try things on: two assets, one spot market, funded accounts. For tests, the simulator
// and benchmarks; never part of a running exchange.
import { present } from "@clockwork/kit/assert";
import { readDepth } from "../inspect/depth.ts";
import { coreOf, createMachine } from "../machine/machine.ts";
import type { Command } from "../protocol/command.ts";
import type { Machine } from "../protocol/contract.ts";
import { ORDER_SLOT_COUNT } from "../protocol/layout.ts";
import { createDriver, type Driver, eventsOf } from "./driver.ts";

export interface Stage extends Driver {
  readonly base: number;
  readonly quote: number;
  readonly market: number;
  /** Opens and funds a spot account of a new user; amounts in units of base and quote. */
  trader(baseUnits?: number, quoteUnits?: number, options?: TraderOptions): number;
}

export interface TraderOptions {
  readonly user?: number;
  readonly group?: number;
  readonly book?: "spot" | "bot" | "copyS" | "funding";
  readonly sub?: number;
}

type ListMarket = Extract<Command, { readonly kind: "listMarket" }>;

/** One lot is 1 000 base units, one tick of one lot is one quote unit: BTC/USDT at tick 0.1 and step 0.00001. */
export function createStage(market: Partial<ListMarket> = {}, machine: Machine = createMachine()): Stage {
  const driver = createDriver(machine);
  const asset = (symbol: string, scale: number): number =>
    present(eventsOf(driver.send({ kind: "listAsset", symbol, scale }), "assetListed")[0], "STAGE-1", symbol).asset;
  const base = asset("BTC", 8);
  const quote = asset("USDT", 6);
  const listed = driver.send({
    kind: "listMarket",
    base,
    quote,
    tickMantissa: 1,
    tickDecimals: 1,
    stepUnits: 1_000,
    symbol: "BTC/USDT",
    ...market,
  });
  const id = present(eventsOf(listed, "marketListed")[0], "STAGE-1", "market").market;
  let user = 0;
  const trader = (baseUnits = 0, quoteUnits = 0, options: TraderOptions = {}): number => {
    user = Math.max(user + 1, options.user ?? 0);
    const owner = options.user ?? user;
    const made = driver.send({
      kind: "createAccount",
      user: owner,
      book: options.book ?? "spot",
      sub: options.sub ?? 0,
      group: options.group ?? 0,
    });
    const { account } = present(eventsOf(made, "accountCreated")[0], "STAGE-1", "account");
    const fund = (which: number, units: number): void => {
      if (units === 0) return;
      const reference = `fund:${account}:${which}`;
      driver.send({ kind: "mint", account, asset: which, business: "deposit", units, reference });
    };
    fund(base, baseUnits);
    fund(quote, quoteUnits);
    return account;
  };
  return Object.assign(driver, { base, quote, market: id, trader });
}

/** What an order event says of an order without wishes. */
export const PLAIN_ORDER = {
  type: "limit",
  timeInForce: "GTC",
  postOnly: "no",
  selfTrade: "EXPIRE_TAKER",
  reduceOnly: false,
  iceberg: false,
  inQuote: false,
  conditional: false,
} as const;

/**
 * Uses up slots of orders until ids are of so many rounds later, when slots are given out a second time, and then until one of
 * at least `slot` is next.
 */
export function passRounds(machine: Machine, rounds: number, slot = 0): void {
  const { orders } = coreOf(machine).books;
  const take = (): number => {
    const id = orders.id(orders.take());
    orders.give(id % ORDER_SLOT_COUNT);
    return id;
  };
  const from = Math.floor(take() / ORDER_SLOT_COUNT) + rounds;
  while (take() < from * ORDER_SLOT_COUNT + slot - 1);
}

/** The id the next order, plan, list or slicer gets. */
export function nextOrderId(machine: Machine): number {
  const { orders } = coreOf(machine).books;
  return orders.id(orders.table.freeHead);
}

/** A book as a picture: asks above, bids below, "price lots" a line. */
export function drawBook(machine: Machine, market: number): string {
  const { bids, asks } = readDepth(machine, market, 1_000);
  const line = (level: { readonly price: number; readonly lots: number }): string => `${level.price} ${level.lots}`;
  return [...asks.toReversed().map(line), "--", ...bids.map(line)].join("\n");
}
