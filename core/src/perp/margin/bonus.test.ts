// Bonus money beside a plain list of grants: what each debt takes of which, what leaving voids, what time ends; and what
// a grant must be to be taken.
import { createRandom } from "@clockwork/kit/random";
import { describe, expect, test } from "vitest";
import { restoreMachine } from "../../machine/machine.ts";
import type { Command } from "../../protocol/command.ts";
import type { EventOf, MachineEvent } from "../../protocol/event.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage, type PerpStage } from "../../testing/perp-stage.ts";

const MILLION = 1_000_000_000_000;
const DAY = 86_400_000;
const TAKER = 60_000n;
const CLEARING = 11;
const FEES = 1;
const usdt = (amount: number): number => Math.round(amount * 1_000_000);
const bare = <E extends MachineEvent>({ sequence: _, time: __, ...event }: E) => event;
const changes = (events: readonly MachineEvent[]) => eventsOf(events, "bonusChanged").map(bare);
const code = (events: readonly MachineEvent[]): string | undefined => eventsOf(events, "rejected")[0]?.code;

type Change = Omit<EventOf<"bonusChanged">, "sequence" | "time">;

interface Grant {
  readonly grant: number;
  readonly account: number;
  readonly ratio: number;
  readonly source: number;
  readonly expiresAt: number;
  left: number;
}

/** Grants that are not over, in the order they end; of the same end the older first. */
class NaiveBonuses {
  readonly published: Change[] = [];
  readonly wallets = new Map<number, number>();
  readonly treasuries: Map<number, number>;
  readonly #asset: number;
  grants: Grant[] = [];
  #count = 0;

  constructor(asset: number, treasuries: Map<number, number>) {
    this.#asset = asset;
    this.treasuries = treasuries;
  }

  of(account: number): Grant[] {
    return this.grants.filter((grant) => grant.account === account && grant.left > 0);
  }

  bonus(account: number): number {
    return this.of(account).reduce((sum, { left }) => sum + left, 0);
  }

  #publish(
    of: Grant,
    delta: number,
    returned: number,
    state: Change["state"],
    business: Change["business"],
    market = 0,
  ) {
    of.left += delta;
    const { account, grant, expiresAt, source } = of;
    const what = { account, grant, expiresAt, source, asset: this.#asset, business, market };
    const now = of.left === 0 ? state : "ACTIVE";
    this.published.push({
      kind: "bonusChanged",
      ...what,
      state: now,
      deltaUnits: delta,
      leftUnits: of.left,
      returnedUnits: returned,
    });
    this.treasuries.set(source, (this.treasuries.get(source) as number) + returned);
  }

  give(account: number, units: number, ratio: number, source: number, expiresAt: number): void {
    const grant = { grant: ++this.#count, account, ratio, source, expiresAt, left: 0 };
    this.grants = [...this.grants, grant].sort((a, b) => a.expiresAt - b.expiresAt || a.grant - b.grant);
    this.treasuries.set(source, (this.treasuries.get(source) as number) - units);
    this.#publish(grant, units, 0, "ACTIVE", "bonus");
  }

  owe(account: number, units: number, business: Change["business"], market: number): void {
    let left = units;
    let borne = 0;
    for (const grant of this.of(account)) {
      const taken = Math.min(Number((BigInt(units) * BigInt(grant.ratio)) / 10_000n) - borne, grant.left);
      if (taken <= 0) continue;
      borne += taken;
      left -= taken;
      this.#publish(grant, -taken, 0, "USED", business, market);
    }
    this.pay(account, -left);
  }

  pay(account: number, units: number): void {
    this.wallets.set(account, (this.wallets.get(account) ?? 0) + units);
  }

  leave(account: number, units: number): void {
    const own = this.wallets.get(account) as number;
    this.pay(account, -units);
    for (const grant of this.of(account)) {
      const gone = units === own ? grant.left : Number((BigInt(grant.left) * BigInt(units)) / BigInt(own));
      if (gone > 0) this.#publish(grant, -gone, gone, "VOIDED", "bonus");
    }
  }

  end(now: number): void {
    for (const grant of this.grants.filter(({ left }) => left > 0).sort((a, b) => a.grant - b.grant))
      if (grant.expiresAt <= now) this.#publish(grant, -grant.left, grant.left, "EXPIRED", "bonus");
  }
}

const feeOf = (lots: number, price: number): number =>
  Number((BigInt(lots * price * 100) * TAKER + 99_999_999n) / 100_000_000n);

class Twins {
  readonly stage = createPerpStage();
  readonly random: ReturnType<typeof createRandom>;
  readonly sources = new Map([
    [0, this.stage.fundTreasury(usdt(100_000))],
    [7, this.#openTreasury()],
  ]);
  readonly naive = new NaiveBonuses(
    this.stage.usdt,
    new Map([...this.sources].map(([source, account]) => [source, this.stage.balance(account).available])),
  );
  readonly bob = this.stage.trader(MILLION);
  readonly holders = [this.stage.trader(usdt(500_000)), this.stage.trader(usdt(500_000))];
  readonly books = new Map<number, number>();
  #references = 0;

  constructor(seed: number) {
    this.random = createRandom(seed);
    for (const account of this.holders) this.naive.pay(account, usdt(500_000));
  }

  #openTreasury(): number {
    const opened = this.stage.sure({ kind: "openHouseAccount", purpose: "campaignTreasury", sub: 7 });
    const account = eventsOf(opened, "houseAccountOpened")[0]?.account ?? 0;
    const money = { asset: this.stage.usdt, business: "deposit", units: usdt(50_000), reference: "seven" } as const;
    this.stage.sure({ kind: "mint", account, ...money });
    return account;
  }

  #reference(): string {
    return `r${++this.#references}`;
  }

  give(account: number): MachineEvent[] {
    const { stage, random } = this;
    const units = random.between(1, usdt(40));
    const ratioBps = random.chance(1, 3) ? 10_000 : random.between(1, 10_000);
    const source = random.pick([0, 7]);
    const expiresAt = stage.time + random.between(1, 16) * 2_500;
    this.naive.give(account, units, ratioBps, source, expiresAt);
    const money = { asset: stage.usdt, units, reference: this.#reference() };
    return stage.sure({ kind: "grantBonus", account, ...money, ratioBps, source, expiresAt });
  }

  roundTrip(account: number): MachineEvent[] {
    const { stage, naive, random } = this;
    const lots = random.between(1, 60);
    const [from, to] = [random.between(499_000, 501_000), random.between(499_000, 501_000)];
    stage.sell(this.bob, lots, from);
    const opened = stage.buy(account, lots, from);
    stage.buy(this.bob, lots, to);
    const closed = stage.sell(account, lots, to);
    naive.owe(account, feeOf(lots, from), "openFee", stage.linear);
    const profit = lots * (to - from) * 100;
    if (profit > 0) naive.pay(account, profit);
    if (profit < 0) naive.owe(account, -profit, "realized", stage.linear);
    naive.owe(account, feeOf(lots, to), "closeFee", stage.linear);
    return [...opened, ...closed];
  }

  leave(account: number): MachineEvent[] {
    const { stage, naive, random, bob: to } = this;
    const own = naive.wallets.get(account) as number;
    const units = random.chance(1, 6) ? own : random.between(1, usdt(4_000));
    naive.leave(account, units);
    const money = { account, asset: stage.usdt, units, business: "withdrawal", reference: this.#reference() } as const;
    const kind = random.pick(["burn", "hold", "transfer", "settle"] as const);
    const events = stage.sure({ kind, ...money, to, legs: [{ ...money, from: account, to }] } as Command);
    // It comes back, so that there is something to trade with.
    const back = { ...money, business: "deposit", hold: money.reference, reference: this.#reference() } as const;
    stage.sure({ ...back, kind: kind === "hold" ? "release" : "mint" } as Command);
    naive.pay(account, units);
    return events;
  }

  step(): MachineEvent[] {
    const account = this.random.pick(this.holders);
    const dice = this.random.below(10);
    if (dice < 3) return this.give(account);
    if (dice < 7) return this.roundTrip(account);
    if (dice < 8) return this.leave(account);
    this.stage.time += this.random.between(1, 6) * 2_500;
    this.naive.end(this.stage.time);
    return this.stage.sure({ kind: "tick" });
  }

  compare(events: readonly MachineEvent[]): void {
    const { stage, naive } = this;
    expect(changes(events)).toEqual(naive.published.splice(0));
    for (const { account, user, sub } of eventsOf(events, "accountCreated")) {
      const owner = this.holders.find((holder) => holder === sub) as number;
      expect(user).toBe(this.holders.indexOf(owner) + 2);
      this.books.set(owner, account);
    }
    for (const account of this.holders) {
      expect(stage.balance(account).available).toBe(naive.wallets.get(account));
      expect(stage.balance(this.books.get(account) ?? -1).available).toBe(naive.bonus(account));
    }
    for (const [source, treasury] of this.sources)
      expect(stage.balance(treasury).available).toBe(naive.treasuries.get(source));
    const ends = naive.grants.filter(({ left }) => left > 0).map(({ expiresAt }) => expiresAt);
    expect(stage.machine.nextTimerAt).toBeLessThanOrEqual(Math.min(...ends));
  }
}

test.each([1, 2, 3])("[FUT-2] seed %i: grants bear debts, are voided and end as a plain list of them says", (seed) => {
  const twins = new Twins(seed);
  for (let i = 0; i < 120; i++) twins.compare(twins.step());
  const { stage } = twins;
  const copy = restoreMachine(stage.machine.snapshot());
  expect(copy.stateHash()).toBe(stage.machine.stateHash());
});

function granting(stage: PerpStage, account: number, more: object = {}): MachineEvent[] {
  const money = { asset: stage.usdt, units: usdt(1_000), reference: `g${stage.machine.sequence}` };
  return stage.sure({ kind: "grantBonus", account, ...money, expiresAt: stage.time + 10_000, ...more } as Command);
}

test("[FUT-2] a grant and what it bears are posted between treasury, bonus book and where the debt goes", () => {
  const stage = createPerpStage();
  const [alice, bob] = [stage.trader(usdt(1_700)), stage.trader(MILLION)];
  const treasury = stage.fundTreasury(usdt(1_000) + 1);
  const given = granting(stage, alice);
  const [made] = eventsOf(given, "accountCreated");
  const book = made?.account ?? 0;
  expect(made).toMatchObject({ user: 1, book: "bonus", sub: alice, group: 1 });
  const postings = (events: readonly MachineEvent[]) =>
    eventsOf(events, "posting")
      .filter(({ account, counterparty }) => account === book || counterparty === book)
      .map(({ business, account, counterparty, deltaUnits, reference, market }) => [
        ...[business, account, counterparty, deltaUnits, reference, market],
      ]);
  expect(postings(given)).toEqual([
    ["bonus", treasury, book, -usdt(1_000), 0, 0],
    ["bonus", book, treasury, usdt(1_000), 0, 0],
  ]);
  expect(granting(stage, alice, { units: 1 }).filter(({ kind }) => kind === "accountCreated")).toEqual([]);
  stage.sell(bob, 10, 500_000);
  const opened = stage.buy(alice, 10, 500_000);
  const trade = eventsOf(opened, "trade")[0]?.tradeNumber;
  expect(postings(opened)).toEqual([
    ["openFee", book, FEES, -300_000, trade, stage.linear],
    ["openFee", FEES, book, 300_000, trade, stage.linear],
  ]);
  stage.buy(bob, 10, 499_000);
  const closed = stage.sell(alice, 10, 499_000);
  expect(postings(closed).slice(0, 2)).toEqual([
    ["realized", book, CLEARING, -usdt(1), trade === undefined ? 0 : trade + 1, stage.linear],
    ["realized", CLEARING, book, usdt(1), trade === undefined ? 0 : trade + 1, stage.linear],
  ]);
  stage.time += 10_000;
  const left = usdt(1_000) - 300_000 - usdt(1) - 299_400;
  expect(postings(stage.sure({ kind: "tick" }))).toEqual([
    ["bonus", book, treasury, -left, 0, 0],
    ["bonus", treasury, book, left, 0, 0],
    ["bonus", book, treasury, -1, 0, 0],
    ["bonus", treasury, book, 1, 0, 0],
  ]);
});

describe("[FUT-2] what a grant must be", () => {
  test("an account, a coin, an amount, a share, a leverage and an end that can be", () => {
    const stage = createPerpStage();
    const treasury = stage.fundTreasury(usdt(1_000_000));
    const alice = stage.trader(0);
    expect(code(granting(stage, treasury))).toBe("UNKNOWN_ACCOUNT");
    const refused = (more: object): string | undefined => code(granting(stage, alice, more));
    expect([refused({ asset: 0 }), refused({ asset: 99 })]).toEqual(["UNKNOWN_ASSET", "UNKNOWN_ASSET"]);
    const all = [{ units: 0 }, { units: -1 }, { ratioBps: 0 }, { ratioBps: -1 }, { ratioBps: 10_001 }];
    expect(all.map(refused)).toEqual(all.map(() => "INVALID_AMOUNT"));
    expect(refused({ leverageMax: -1 })).toBe("INVALID_LEVERAGE");
    expect([refused({ expiresAt: stage.time }), refused({ expiresAt: stage.time - 1 })]).toEqual([
      "INVALID_EXPIRY",
      "INVALID_EXPIRY",
    ]);
    expect(stage.balance(treasury).available).toBe(usdt(1_000_000));
    const least = { units: 1, ratioBps: 1, expiresAt: stage.time + 1 };
    expect([refused(least), refused({ ratioBps: 10_000 })]).toEqual([undefined, undefined]);
  });

  test("for a book that trades one of the products it is bound to", () => {
    const stage = createPerpStage();
    stage.fundTreasury(usdt(1_000_000));
    const open = (book: string): number => {
      const made = stage.send({ kind: "createAccount", user: 70, book } as Command);
      return eventsOf(made, "accountCreated")[0]?.account ?? 0;
    };
    const [spot, demo, linear] = [open("spot"), open("demo"), open("linear")];
    const coin = stage.trader(0, { inverse: true, user: 71 });
    const refused = (account: number, products: number): boolean =>
      code(granting(stage, account, { products })) === "BOOK_NOT_TRADABLE";
    for (const products of [0, 1, 2, 4, 8, 15])
      expect([spot, demo, linear, coin].map((account) => refused(account, products))).toEqual([
        true,
        true,
        products !== 0 && (products & 1) === 0,
        products !== 0 && (products & 2) === 0,
      ]);
  });

  test("the lowest leverage of all that stand holds, and of none that is over", () => {
    const stage = createPerpStage();
    stage.fundTreasury(usdt(10_000));
    const alice = stage.trader(MILLION);
    granting(stage, alice, { leverageMax: 15, expiresAt: stage.time + 1_000 });
    granting(stage, alice, { leverageMax: 0, expiresAt: stage.time + 2_000 });
    granting(stage, alice, { leverageMax: 18, expiresAt: stage.time + 3_000 });
    const limit = (): (string | number | undefined)[] => {
      const [refused] = eventsOf(stage.buy(alice, 1, 490_000), "rejected");
      return [refused?.code, refused?.limit];
    };
    expect(limit()).toEqual(["LEVERAGE_TOO_HIGH", 15]);
    stage.time += 1_000;
    stage.sure({ kind: "tick" });
    expect(limit()).toEqual(["LEVERAGE_TOO_HIGH", 18]);
    stage.time += 2_000;
    stage.sure({ kind: "tick" });
    expect(limit()).toEqual([undefined, undefined]);
  });
});

describe("[FUT-2] a bonus whose time is over while margin depends on it", () => {
  /** Alice holds 1 BTC, which asks 2 500, on 1 700 of her own less the fee and bonuses of 1 000 and `more`. */
  const depending = (more: number) => {
    const stage = createPerpStage(undefined, { interestRate: 0 });
    const treasury = stage.fundTreasury(usdt(1_000) + more);
    const [alice, bob] = [stage.trader(usdt(1_700)), stage.trader(MILLION)];
    granting(stage, alice);
    if (more > 0) granting(stage, alice, { units: more, expiresAt: stage.time + 10_000 });
    stage.sell(bob, 1_000, 500_000);
    stage.buy(alice, 1_000, 500_000);
    stage.time += 10_000;
    return { stage, treasury, alice, bob, over: stage.sure({ kind: "tick" }) };
  };
  const mayOpen = (stage: PerpStage, account: number): boolean => {
    const events = stage.buy(account, 1, 490_000);
    stage.sure({ kind: "cancelAll", account });
    return code(events) === undefined;
  };

  test("waits a day to the millisecond, is told to wait, and is gone then", () => {
    const { stage, treasury, alice, over } = depending(0);
    const left = usdt(1_000 - 30);
    expect(changes(over)).toMatchObject([{ state: "ACTIVE", deltaUnits: 0, leftUnits: left, returnedUnits: 0 }]);
    expect([stage.machine.nextTimerAt <= stage.time + DAY, mayOpen(stage, alice)]).toEqual([true, false]);
    const end = stage.time + DAY;
    stage.time = end - 1;
    expect(changes(stage.sure({ kind: "tick" }))).toEqual([]);
    expect(stage.machine.nextTimerAt).toBe(end);
    stage.time = end;
    expect(changes(stage.sure({ kind: "tick" }))).toMatchObject([{ state: "EXPIRED", returnedUnits: left }]);
    expect(stage.balance(treasury).available).toBe(left);
  });

  test("leaves at once when margin no longer depends on it, to the last unit, and orders pass again", () => {
    const { stage, alice } = depending(0);
    const spare = usdt(1_700 - 2_500);
    const money = { asset: stage.usdt, business: "deposit" } as const;
    const look = (units: number, reference: string) => {
      stage.sure({ kind: "mint", account: alice, ...money, units, reference });
      stage.time = stage.machine.nextTimerAt;
      return changes(stage.sure({ kind: "tick" })).map(({ state }) => state);
    };
    expect(look(-spare - 1, "short")).toEqual([]);
    expect(mayOpen(stage, alice)).toBe(false);
    expect(look(1, "enough")).toEqual(["EXPIRED"]);
    stage.sure({ kind: "mint", account: alice, ...money, units: usdt(100), reference: "more" });
    expect(mayOpen(stage, alice)).toBe(true);
  });

  test("is borne whole by a loss while it waits: orders pass again", () => {
    const { stage, alice, bob } = depending(0);
    expect(mayOpen(stage, alice)).toBe(false);
    stage.buy(bob, 1_000, 490_000);
    const closed = stage.sure({ kind: "closePosition", account: alice, market: stage.linear });
    expect(changes(closed)).toMatchObject([{ state: "USED", leftUnits: 0 }]);
    expect(mayOpen(stage, alice)).toBe(true);
  });

  test("is one of two that wait: when one leaves, the other still lets only reducing orders pass", () => {
    const { stage, alice, over } = depending(usdt(300));
    // Free: 1 700 of her own, 970 and 300 of bonus, less 2 500: the smaller one can go, the larger cannot.
    expect(changes(over)).toMatchObject([
      { grant: 1, state: "ACTIVE", deltaUnits: 0 },
      { grant: 2, state: "EXPIRED", returnedUnits: usdt(300) },
    ]);
    expect(mayOpen(stage, alice)).toBe(false);
  });
});
