// Owns a small futures exchange to try things on: BTCUSDT (linear) and BTCUSD (inverse), ladders, funded accounts, and
// a plain reading of what an account holds. For tests, the simulator and benchmarks; never part of a running exchange.

import { assert, present } from "@clockwork/kit/assert";
import type { Tier } from "@clockwork/kit/margin";
import { COST_PARTS } from "@clockwork/kit/margin";
import { tiersA, tiersInverse } from "@clockwork/kit/margin-tiers";
import { checkInvariants } from "../inspect/invariants.ts";
import { coreOf, createMachine } from "../machine/machine.ts";
import { symbolMarginOf } from "../perp/margin/exposure.ts";
import { openPositions } from "../perp/margin/named.ts";
import { POF_COST, POF_EXCESS, POF_MARGIN } from "../perp/state/records.ts";
import type { Command } from "../protocol/command.ts";
import type { Machine } from "../protocol/contract.ts";
import type { MachineEvent } from "../protocol/event.ts";
import { type ListMarket, tiersCommand } from "../protocol/listing-command.ts";
import { createDriver, type Driver, eventsOf } from "./driver.ts";

export interface Held {
  readonly id: number;
  readonly lots: number;
  /** Rounded up, and by how many parts of 2^48 that is too much. */
  readonly cost: number;
  readonly excess: number;
  readonly margin: number;
}

export interface PerpStage extends Driver {
  readonly btc: number;
  readonly usdt: number;
  readonly linear: number;
  readonly inverse: number;
  /** Opens and funds a futures account of a new user: USDT for the linear book, BTC for the inverse one. */
  trader(unitsHeld?: number, options?: { readonly inverse?: boolean; readonly user?: number }): number;
  /** Opens the campaign treasury, brings USDT in from outside, and says which account it is. */
  fundTreasury(unitsHeld: number): number;
  /** Sends and checks every invariant. */
  sure(command: Command): MachineEvent[];
  mark(market: number, ticks: number): MachineEvent[];
  buy(account: number, lots: number, price: number, more?: object): MachineEvent[];
  sell(account: number, lots: number, price: number, more?: object): MachineEvent[];
  held(account: number, market?: number): Held[];
  balance(account: number, asset?: number): { readonly available: number; readonly frozen: number };
}

function listContracts(
  driver: Driver,
  listing: Partial<ListMarket>,
): Pick<PerpStage, "btc" | "usdt" | "linear" | "inverse"> {
  const asset = (symbol: string, scale: number): number =>
    present(eventsOf(driver.send({ kind: "listAsset", symbol, scale }), "assetListed")[0], "STAGE-1", symbol).asset;
  const btc = asset("BTC", 8);
  const usdt = asset("USDT", 6);
  const usd = asset("USD", 2);
  const list = (command: ListMarket, tiers: readonly Tier[]): number => {
    const { market } = present(eventsOf(driver.send(command), "marketListed")[0], "STAGE-1", command.symbol);
    driver.send(tiersCommand(market, tiers));
    driver.send({ kind: "setReferencePrice", market, markTicks: 500_000, indexTicks: 500_000 });
    return market;
  };
  const common = { kind: "listMarket", base: btc, tickMantissa: 1, tickDecimals: 1, slippageBps: 200 } as const;
  driver.send({ kind: "setFeeGroup", feeGroup: 1, makerRate: 20_000, takerRate: 60_000 });
  const linear = list(
    { ...common, marketKind: "linear", feeGroup: 1, quote: usdt, stepUnits: 100_000, symbol: "BTCUSDT", ...listing },
    tiersA(6),
  );
  const inverse = list(
    { ...common, marketKind: "inverse", feeGroup: 1, quote: usd, stepUnits: 1, faceUnits: 10_000, symbol: "BTCUSD" },
    tiersInverse("BTC", 8),
  );
  return { btc, usdt, linear, inverse };
}

function readHeld(driver: Driver, account: number, market: number): Held[] {
  const core = coreOf(driver.machine);
  const accountMarket = core.accountMarkets.find(account, market);
  if (accountMarket === 0) return [];
  return openPositions(core, symbolMarginOf(core, accountMarket)).map((position) => ({
    id: core.perps.positionId(position),
    lots: core.perps.lots(position),
    cost: core.perps.positionDouble(position, POF_COST),
    excess: core.perps.positionDouble(position, POF_EXCESS) * COST_PARTS,
    margin: core.perps.positionDouble(position, POF_MARGIN),
  }));
}

/** One lot is 0.001 BTC, one tick 0.1 USDT: 100 units. One inverse contract is 100 USD. */
export function createPerpStage(
  machine: Machine = createMachine(),
  listing: Partial<ListMarket> = {},
  start = 1_700_000_000_000,
): PerpStage {
  const driver = createDriver(machine, start);
  const { btc, usdt, linear, inverse } = listContracts(driver, listing);
  let user = 0;
  const order =
    (side: "buy" | "sell") =>
    (account: number, lots: number, price: number, more: object = {}) =>
      stage.sure({
        kind: "placeOrder",
        account,
        market: linear,
        side,
        quantity: lots,
        price,
        ...(price === 0 ? { type: "market" } : {}),
        ...more,
      } as Command);
  const stage: PerpStage = Object.assign(driver, {
    btc,
    usdt,
    linear,
    inverse,
    trader(unitsHeld = 0, options: { readonly inverse?: boolean; readonly user?: number } = {}): number {
      user = Math.max(user + 1, options.user ?? 0);
      const coin = options.inverse === true ? btc : usdt;
      const made = driver.send({
        kind: "createAccount",
        user: options.user ?? user,
        book: options.inverse === true ? "inverse" : "linear",
        sub: options.inverse === true ? btc : 0,
      });
      const { account } = present(eventsOf(made, "accountCreated")[0], "STAGE-1", "account");
      if (unitsHeld > 0)
        driver.send({
          kind: "mint",
          account,
          asset: coin,
          business: "deposit",
          units: unitsHeld,
          reference: `fund:${account}`,
        });
      return account;
    },
    fundTreasury(unitsHeld: number): number {
      const opened = driver.send({ kind: "openHouseAccount", purpose: "campaignTreasury" });
      const { account } = present(eventsOf(opened, "houseAccountOpened")[0], "STAGE-1", "treasury");
      const reference = `treasury:${unitsHeld}`;
      driver.send({ kind: "mint", account, asset: usdt, business: "deposit", units: unitsHeld, reference });
      return account;
    },
    sure(command: Command): MachineEvent[] {
      const events = driver.send(command);
      const [violation] = checkInvariants(driver.machine);
      assert(violation === undefined, violation?.rule ?? "", violation?.detail ?? "");
      return events;
    },
    mark: (market: number, ticks: number): MachineEvent[] =>
      stage.sure({ kind: "setReferencePrice", market, markTicks: ticks }),
    buy: order("buy"),
    sell: order("sell"),
    held: (account: number, market = linear): Held[] => readHeld(driver, account, market),
    balance(account: number, coin = usdt) {
      const { ledger } = coreOf(driver.machine);
      const cell = ledger.cellIndex.find(account, coin);
      return { available: ledger.available(cell), frozen: ledger.frozen(cell) };
    },
  });
  return stage;
}

/** Lists another linear contract like the first, with its first mark, and says which market it is. */
export function listAnother(stage: PerpStage, symbol: string, tiers: readonly Tier[] = tiersA(6)): number {
  const shape = { base: stage.btc, quote: stage.usdt, tickMantissa: 1, tickDecimals: 1, stepUnits: 100_000 } as const;
  const terms = { slippageBps: 200, feeGroup: 1, symbol } as const;
  const listed = stage.send({ kind: "listMarket", marketKind: "linear", ...shape, ...terms });
  const { market } = present(eventsOf(listed, "marketListed")[0], "STAGE-1", symbol);
  stage.send(tiersCommand(market, tiers));
  stage.send({ kind: "setReferencePrice", market, markTicks: 500_000, indexTicks: 500_000 });
  return market;
}
