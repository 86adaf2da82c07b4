// Owns a core and its naive twin side by side: the same markets, accounts and commands for both, and everything they
// hold and report compared after each. Throws where they differ.
import { strictEqual } from "node:assert";
import { openLots } from "@clockwork/core/book/book";
import { checkInvariants } from "@clockwork/core/inspect/invariants";
import { coreOf, createMachine } from "@clockwork/core/machine/machine";
import { symbolMarginOf } from "@clockwork/core/perp/margin/exposure";
import {
  MAF_BONUS,
  MARGIN_ACCOUNT_DOUBLE_SHIFT,
  PO_GENERATION,
  POF_COST,
  POF_MARGIN,
  POF_REALIZED,
  SM_LONG,
  SM_SHORT,
} from "@clockwork/core/perp/state/records";
import type { Command } from "@clockwork/core/protocol/command";
import type { MachineEvent } from "@clockwork/core/protocol/event";
import { createDriver, type Driver, eventsOf } from "@clockwork/core/testing/driver";
import { assert, present } from "@clockwork/kit/assert";
import { ladderOf } from "./contract.ts";
import { FUND, type House, type NaiveAccount, type NaiveMarket, type NaivePosition, wholeCost } from "./exchange.ts";
import { type Line, NaiveLiquidation } from "./liquidation.ts";

/** The same for every market, in whole coins of 1e-2: caps of tier 1 to 5. */
const RATES = [1_000_000n, 1_500_000n, 2_500_000n, 5_000_000n, 12_000_000n];
const LEVERAGES = [50, 30, 20, 10, 4];
const SLIPPAGE_BPS = 200;
const LIQUIDATION_RATE = 60_000n;
const INVARIANTS_EVERY = 16;
const HOUSE_RECORD = 1_000_000_000;
const FEES = 1;
const ROUNDING = 3;
const CLEARING = 11;
const DEFICIT = 12;

interface Listing {
  readonly symbol: string;
  readonly inverse: boolean;
  readonly base: number;
  readonly quote: number;
  readonly stepUnits: number;
  readonly faceUnits?: number;
  readonly tickDecimals: number;
  readonly fundingHours: number;
  readonly mark: number;
  readonly caps: readonly bigint[];
}

interface Opening {
  readonly inverse: boolean;
  readonly coin: number;
  readonly units: number;
  readonly hedge: boolean;
  readonly bonus?: { readonly units: number; readonly ratioBps: number };
  readonly symbolMargins: readonly {
    readonly market: number;
    readonly isolated: boolean;
    readonly long: number;
    readonly short: number;
  }[];
}

/** Whole numbers of either kind read alike; minus zero is zero. */
const show = (value: unknown): string =>
  JSON.stringify(value, (_, one) => (typeof one === "bigint" || typeof one === "number" ? `${one}` : one));

export class Twins {
  readonly naive = new NaiveLiquidation();
  readonly driver: Driver;
  commands = 0;
  #users = 0;
  /** How often each line of a report was seen. */
  readonly seen = new Map<string, number>();

  constructor(start: number) {
    const machine = createMachine({ fastPathsAfter: 16, orderCapacity: 1_024, accountCapacity: 64 });
    this.driver = createDriver(machine, start);
    this.naive.time = start;
    this.send({ kind: "setFeeGroup", feeGroup: 1, makerRate: 20_000, takerRate: 60_000 });
  }

  send(command: Command): MachineEvent[] {
    this.naive.time = this.driver.time;
    const events = this.driver.send(command);
    // The twin tells more than the invariants do, and sooner.
    if (++this.commands % INVARIANTS_EVERY !== 0) return events;
    const [violation] = checkInvariants(this.driver.machine);
    assert(violation === undefined, violation?.rule ?? "", `${violation?.detail} after ${show(command)}`);
    return events;
  }

  sure(command: Command): MachineEvent[] {
    const events = this.send(command);
    const [refused] = eventsOf(events, "rejected");
    assert(refused === undefined, "TWIN-1", `${refused?.code} to ${show(command)}`);
    return events;
  }

  asset(symbol: string, scale: number): number {
    return present(eventsOf(this.sure({ kind: "listAsset", symbol, scale }), "assetListed")[0], "TWIN-1", symbol).asset;
  }

  list(listing: Listing): number {
    const { symbol, inverse, base, quote, stepUnits, faceUnits, tickDecimals, fundingHours, mark, caps } = listing;
    const events = this.sure({
      kind: "listMarket",
      symbol,
      base,
      quote,
      marketKind: inverse ? "inverse" : "linear",
      feeGroup: 1,
      tickMantissa: 1,
      tickDecimals,
      stepUnits,
      slippageBps: SLIPPAGE_BPS,
      fundingHours,
      restingMax: 10_000,
      ...(faceUnits === undefined ? {} : { faceUnits }),
    });
    const { market, factor } = present(eventsOf(events, "contractListed")[0], "TWIN-1", symbol);
    const tiers: Record<string, number> = {};
    for (const [i, cap] of caps.entries()) {
      tiers[`cap${i + 1}`] = Number(cap);
      tiers[`rate${i + 1}`] = Number(RATES[i]);
      tiers[`leverage${i + 1}`] = LEVERAGES[i] as number;
    }
    this.sure({ kind: "setTiers", market, count: caps.length, ...tiers } as Command);
    const ladder = ladderOf(caps.map((cap, i) => ({ cap, rate: RATES[i] as bigint })));
    const terms = { inverse, factor: BigInt(factor), ladder, fee: LIQUIDATION_RATE };
    const coin = inverse ? base : quote;
    const naive: NaiveMarket = {
      id: market,
      coin,
      terms,
      slippageBps: BigInt(SLIPPAGE_BPS),
      mark: BigInt(mark),
      nextSlice: 0,
      flows: [],
      deleverages: false,
      fineLeft: 0n,
    };
    this.naive.markets.set(market, naive);
    if (!this.naive.houses.has(coin))
      this.naive.houses.set(coin, { fund: 0n, deficit: 0n, clearing: 0n, earned: 0n, peaks: [] });
    const fund: NaiveAccount = {
      id: FUND,
      coin,
      hedge: false,
      cash: 0n,
      bonus: 0n,
      bonusRatio: 0n,
      symbolMargins: new Map(),
      open: [],
    };
    this.naive.held.set(market, this.#position(fund, naive, HOUSE_RECORD + market));
    this.sure({ kind: "setReferencePrice", market, markTicks: mark, indexTicks: mark });
    return market;
  }

  #position(account: NaiveAccount, market: NaiveMarket, record: number): NaivePosition {
    return { account, market, record, generation: 0, lots: 0n, fineCost: 0n, margin: 0n, realized: 0n };
  }

  endow(coin: number, units: number): void {
    const money = { asset: coin, business: "adjustment", units, reference: `endow:${coin}` } as const;
    this.sure({ kind: "mint", account: FUND, ...money });
    (this.naive.houses.get(coin) as House).fund += BigInt(units);
  }

  open({ inverse, coin, units, hedge, bonus, symbolMargins }: Opening): number {
    const book = inverse ? "inverse" : "linear";
    const made = this.sure({ kind: "createAccount", user: ++this.#users, book, sub: inverse ? coin : 0 });
    const { account: id } = present(eventsOf(made, "accountCreated")[0], "TWIN-1", "account");
    this.sure({ kind: "mint", account: id, asset: coin, business: "deposit", units, reference: `fund:${id}` });
    this.sure({ kind: "setPositionMode", account: id, hedge });
    const account: NaiveAccount = {
      id,
      coin,
      hedge,
      cash: BigInt(units),
      bonus: BigInt(bonus?.units ?? 0),
      bonusRatio: BigInt(bonus?.ratioBps ?? 0),
      symbolMargins: new Map(),
      open: [],
    };
    if (bonus !== undefined) this.#grant(id, coin, bonus);
    const core = coreOf(this.driver.machine);
    for (const { market, isolated, long, short } of symbolMargins) {
      this.sure({ kind: "setLeverage", account: id, market, long, ...(hedge ? { short } : {}) });
      if (isolated) this.sure({ kind: "setMarginMode", account: id, market, isolated });
      const symbolMargin = symbolMarginOf(core, core.accountMarkets.find(id, market));
      const naive = this.naive.markets.get(market) as NaiveMarket;
      account.symbolMargins.set(market, {
        isolated,
        leverageLong: BigInt(long),
        leverageShort: BigInt(hedge ? short : long),
        long: this.#position(account, naive, core.perps.symbolMargin(symbolMargin, SM_LONG)),
        short: this.#position(account, naive, core.perps.symbolMargin(symbolMargin, SM_SHORT)),
      });
    }
    this.naive.accounts.set(id, account);
    return id;
  }

  #grant(account: number, asset: number, { units, ratioBps }: { units: number; ratioBps: number }): void {
    const opened = this.send({ kind: "openHouseAccount", purpose: "campaignTreasury" });
    const treasury = eventsOf(opened, "houseAccountOpened")[0]?.account ?? this.#treasury;
    this.#treasury = treasury;
    this.sure({ kind: "mint", account: treasury, asset, business: "deposit", units, reference: `treasury:${account}` });
    const expiresAt = this.driver.time + 365 * 86_400_000;
    this.sure({ kind: "grantBonus", account, asset, units, ratioBps, expiresAt, reference: `bonus:${account}` });
  }
  #treasury = 0;

  /** A limit order of a user; both match it when the core takes it. Says whether it did. */
  order(
    account: number,
    market: number,
    sells: boolean,
    quantity: number,
    price: number,
    more: { reduceOnly?: boolean; timeInForce?: "IOC" } = {},
  ): boolean {
    const side = sells ? "sell" : "buy";
    const events = this.send({ kind: "placeOrder", account, market, side, quantity, price, ...more });
    const [accepted] = eventsOf(events, "orderAccepted");
    if (accepted !== undefined)
      this.naive.match(
        {
          id: accepted.orderId,
          account: this.naive.accounts.get(account) as NaiveAccount,
          sells,
          market: this.naive.markets.get(market) as NaiveMarket,
          reduces: more.reduceOnly === true,
          price: BigInt(price),
          lots: BigInt(accepted.quantity),
        },
        more.timeInForce === undefined,
        false,
      );
    this.compare(events);
    return accepted !== undefined;
  }

  cancel(id: number): void {
    const order = present(
      this.naive.orders.find((one) => one.id === id),
      "TWIN-1",
      "order",
    );
    const events = this.sure({ kind: "cancelOrder", account: order.account.id, orderId: id });
    this.naive.orders = this.naive.orders.filter((one) => one !== order);
    this.compare(events);
  }

  mark(market: number, markTicks: number, indexTicks = markTicks): void {
    const events = this.sure({ kind: "setReferencePrice", market, markTicks, indexTicks });
    const naive = this.naive.markets.get(market) as NaiveMarket;
    naive.mark = BigInt(markTicks);
    this.naive.check(naive);
    this.compare(events);
  }

  /** Time passes: settlements the core announces at the rate it names, then slices. */
  tick(ms: number): void {
    this.driver.time += ms;
    const events = this.sure({ kind: "tick" });
    for (const market of this.naive.markets.values()) {
      const settled = eventsOf(events, "fundingSettled").filter((one) => one.market === market.id);
      for (const { rate } of settled) this.naive.settleFunding(market, BigInt(rate));
      if (settled.length > 0) this.#count(settled.some(({ rate }) => rate !== 0) ? "funding" : "no funding");
      if (settled.length > 0) this.naive.check(market);
      this.naive.slice(market);
    }
    this.compare(events);
  }

  #count(what: string): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1);
  }

  /** What was told, who holds what, which orders stand, what the house has. */
  compare(events: readonly MachineEvent[]): void {
    const published = events.map(lineOf).filter((line) => line !== undefined);
    const wanted = this.naive.lines;
    this.naive.lines = [];
    for (const [step] of wanted) this.#count(String(step));
    strictEqual(published.map(show).join("\n"), wanted.map(show).join("\n"), `reports after command ${this.commands}`);
    for (const account of this.naive.accounts.values())
      strictEqual(show(this.#coreHolds(account)), show(naiveHolds(account)), `account ${account.id}`);
    for (const [coin, house] of this.naive.houses)
      strictEqual(show(this.#coreHouse(coin)), show(naiveHouse(house)), `house in ${coin} after ${this.commands}`);
    for (const [market, position] of this.naive.held)
      strictEqual(
        show(this.#coreHeld(FUND, market)),
        show([held(position)].filter(([lots]) => lots !== 0n)),
        `fund in ${market} after ${this.commands}`,
      );
    strictEqual(this.#coreGenerations().join(" "), this.#naiveGenerations().join(" "), `ends after ${this.commands}`);
    const orders = this.naive.orders.map(({ id, lots }) => `${id}:${lots}`).sort();
    strictEqual(this.#coreOrders().sort().join(" "), orders.join(" "), `orders after ${this.commands}`);
  }

  /** Positions that records have held before, which is how often each has ended. */
  #naiveGenerations(): number[] {
    const symbolMargins = [...this.naive.accounts.values()].flatMap((account) => [...account.symbolMargins.values()]);
    const held = [...this.naive.held.values()];
    return [...symbolMargins.flatMap(({ long, short }) => [long, short]), ...held].map(({ generation }) => generation);
  }

  #coreGenerations(): number[] {
    const { perps, accountMarkets } = coreOf(this.driver.machine);
    const symbolMargins = [...this.naive.accounts.values()].flatMap((account) => [...account.symbolMargins.values()]);
    const house = [...this.naive.held.keys()].map((market) => {
      const accountMarket = accountMarkets.find(FUND, market);
      const symbolMargin = symbolMarginOf(coreOf(this.driver.machine), accountMarket);
      return accountMarket === 0 ? 0 : perps.symbolMargin(symbolMargin, SM_LONG);
    });
    const records = [...symbolMargins.flatMap(({ long, short }) => [long.record, short.record]), ...house];
    return records.map((record) => (record === 0 ? 0 : perps.position(record, PO_GENERATION)));
  }

  #coreOrders(): string[] {
    const core = coreOf(this.driver.machine);
    const { orders } = core.books;
    return [...this.naive.accounts.values()].flatMap(({ id, symbolMargins }) =>
      [...symbolMargins.keys()].flatMap((market) =>
        core.accountMarkets
          .openOrdersOf(core.accountMarkets.find(id, market))
          .map((slot) => `${orders.id(slot)}:${openLots(core.books, slot)}`),
      ),
    );
  }

  #coreHeld(account: number, market: number): unknown[] {
    const core = coreOf(this.driver.machine);
    const accountMarket = core.accountMarkets.find(account, market);
    if (accountMarket === 0) return [];
    const symbolMargin = symbolMarginOf(core, accountMarket);
    return [SM_LONG, SM_SHORT]
      .map((side) => core.perps.symbolMargin(symbolMargin, side))
      .filter((position) => core.perps.lots(position) !== 0)
      .map((position) => [
        core.perps.lots(position),
        ...[POF_COST, POF_MARGIN, POF_REALIZED].map((at) => core.perps.positionDouble(position, at)),
      ]);
  }

  #coreHolds({ id, coin, symbolMargins }: NaiveAccount): unknown {
    const core = coreOf(this.driver.machine);
    const cell = core.ledger.cellIndex.find(id, coin);
    const marginAccount = core.perps.marginAccountIndex.find(id, coin);
    return [
      core.ledger.available(cell),
      core.ledger.frozen(cell),
      core.perps.marginAccountDoubles[(marginAccount << MARGIN_ACCOUNT_DOUBLE_SHIFT) | MAF_BONUS],
      ...[...symbolMargins.keys()].map((market) => this.#coreHeld(id, market)),
    ];
  }

  #coreHouse(coin: number): unknown {
    const { ledger } = coreOf(this.driver.machine);
    const has = (account: number): number => ledger.available(ledger.cellIndex.find(account, coin));
    return [has(FUND), has(DEFICIT), has(CLEARING), has(FEES) + has(ROUNDING)];
  }
}

const held = (position: NaivePosition): bigint[] => [
  position.lots,
  wholeCost(position),
  position.margin,
  position.realized,
];
const naiveHouse = ({ fund, deficit, clearing, earned }: House): bigint[] => [fund, deficit, clearing, earned];

function naiveHolds({ cash, bonus, open, symbolMargins }: NaiveAccount): unknown {
  const frozen = open.reduce((sum, { margin }) => sum + margin, 0n);
  const positions = [...symbolMargins.values()].map(({ long, short }) =>
    [long, short].map(held).filter(([lots]) => lots !== 0n),
  );
  return [cash, frozen, bonus, ...positions];
}

/** A core's event as a line of the naive report. */
function lineOf(event: MachineEvent): Line | undefined {
  switch (event.kind) {
    case "liquidationStarted":
      return [
        ...["started", event.account, event.market, event.isolated],
        ...[event.cashUnits, event.profitUnits, event.needUnits],
      ];
    case "liquidationStep":
      return [
        ...[event.step, event.account, event.market, event.bankruptcyTicks],
        ...[event.lots, event.valueUnits, event.cashUnits],
      ];
    case "liquidationEnded":
      return ["ended", event.account, event.market, event.availableUnits, event.frozenUnits];
    case "liquidationPrint":
      return ["print", event.market, event.price, event.lots];
    case "deleveraged":
      return ["winner", event.account, event.market, event.price, event.lots, event.valueUnits, event.realizedUnits];
    default:
      return undefined;
  }
}
