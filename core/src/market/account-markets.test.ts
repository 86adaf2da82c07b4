// The open orders of account markets beside plain lists, and their runs of blocks beside plain piles of free ones.
import { createRandom } from "@clockwork/kit/random";
import { describe, expect, it } from "vitest";
import {
  ACCOUNT_MARKET_SHIFT,
  ACCOUNT_MARKET_WORDS,
  AccountMarkets,
  AM_ACCOUNT,
  AM_MARKET,
  AM_OPEN_ORDERS,
  AM_OPEN_SIZE,
  AM_OPEN_USED,
  AM_RESTING,
} from "./account-markets.ts";

const BLOCK = 8;

/** One account market's list: what stands at each place, the places that are free, the run it lies in. */
interface List {
  readonly accountMarket: number;
  readonly slots: (number | undefined)[];
  readonly holes: number[];
  size: number;
  run: number;
}

/** Gives runs of blocks, those that came back before new ones, the last first. */
class Pool {
  blocks = 1;
  readonly #free = new Map<number, number[]>();

  widen(list: List): void {
    const size = list.size === 0 ? BLOCK : list.size * 2;
    const run = this.#free.get(size)?.pop() ?? this.blocks;
    if (run === this.blocks) this.blocks += size / BLOCK;
    if (list.size > 0) this.#free.set(list.size, [...(this.#free.get(list.size) ?? []), list.run]);
    Object.assign(list, { size, run });
  }

  /** The free run that is next of each size, from one block to 2^31. */
  heads(): number[] {
    return Array.from({ length: 32 }, (_, power) => this.#free.get(BLOCK * 2 ** power)?.at(-1) ?? 0);
  }
}

const placesOf = ({ slots }: List): number[] => [...slots.keys()].filter((place) => slots[place] !== undefined);

describe("account markets", () => {
  it("are found by account and market, through every growth, and begin with nothing but these two", () => {
    const accountMarkets = new AccountMarkets(1, 1);
    expect(accountMarkets.find(3, 1)).toBe(0);
    for (let number = 1; number <= 400; number++) {
      const [account, market] = [number % 20, Math.floor(number / 20) + 1];
      expect(accountMarkets.add(account, market)).toBe(number);
    }
    for (let number = 1; number <= 400; number++) {
      const [account, market] = [number % 20, Math.floor(number / 20) + 1];
      expect(accountMarkets.find(account, market)).toBe(number);
      const record = accountMarkets.words.subarray(
        number << ACCOUNT_MARKET_SHIFT,
        (number + 1) << ACCOUNT_MARKET_SHIFT,
      );
      expect([...record.entries()].filter(([, word]) => word !== 0)).toEqual(
        [[AM_ACCOUNT, account] as const, [AM_MARKET, market] as const].filter(([, word]) => word !== 0),
      );
    }
    expect(accountMarkets.words).toBe(accountMarkets.table.i32);
  });

  it("keep each order at the place it was told, fill holes before new places, and list the oldest place first", () => {
    const random = createRandom(23);
    const accountMarkets = new AccountMarkets(2, 2);
    const pool = new Pool();
    const lists: List[] = [];
    for (let turn = 1; turn <= 1_600; turn++) {
      // New ones come when others have grown, and take what these have left.
      if (turn % 80 === 1) {
        for (let more = 0; more < 3; more++) {
          const accountMarket = accountMarkets.add(lists.length + 1, 1);
          lists.push({ accountMarket, slots: [], holes: [], size: 0, run: 0 });
        }
      }
      const list = lists[random.chance(3, 4) ? random.below(6) % lists.length : random.below(lists.length)] as List;
      const { accountMarket, slots, holes } = list;
      const taken = placesOf(list);
      // Now and then lists are nearly emptied, so that holes stand in a row.
      if (taken.length > 0 && random.chance(turn % 400 < 80 ? 9 : 2, 10)) {
        const place = random.pick(taken);
        accountMarkets.removeOpenOrder(accountMarket, place);
        slots[place] = undefined;
        holes.push(place);
      } else {
        const place = holes.pop() ?? slots.length;
        if (place === list.size) pool.widen(list);
        expect(accountMarkets.addOpenOrder(accountMarket, turn)).toBe(place);
        slots[place] = turn;
      }
      const published = [AM_OPEN_ORDERS, AM_OPEN_SIZE, AM_OPEN_USED].map((word) =>
        accountMarkets.word(accountMarket, word),
      );
      expect([...published, accountMarkets.openOrders.count, ...accountMarkets.openOrdersOf(accountMarket)]).toEqual([
        ...[list.run, list.size, slots.length, pool.blocks],
        ...slots.filter((slot) => slot !== undefined),
      ]);
      expect([...accountMarkets.runs.i32.subarray(0, accountMarkets.runs.usedWords)]).toEqual(pool.heads());
    }
    expect(Math.max(...lists.map(({ size }) => size))).toBeGreaterThanOrEqual(64);
    for (const { accountMarket, slots } of lists)
      expect(accountMarkets.openOrdersOf(accountMarket)).toEqual(slots.filter((slot) => slot !== undefined));
  });

  it("have as much room for open orders as was asked, and take no more while it lasts", () => {
    const accountMarkets = new AccountMarkets(4, 16);
    const room = accountMarkets.openOrders.i32;
    expect(room.length).toBe(16 * BLOCK);
    const accountMarket = accountMarkets.add(1, 1);
    // Runs of 1, 2, 4 and 8 blocks behind the first, which is nobody's.
    for (let slot = 1; slot <= 64; slot++) accountMarkets.addOpenOrder(accountMarket, slot);
    expect([accountMarkets.openOrders.count, accountMarkets.openOrders.i32 === room]).toEqual([16, true]);
    accountMarkets.addOpenOrder(accountMarket, 65);
    expect(accountMarkets.openOrders.i32.length).toBe(32 * BLOCK);
    expect(accountMarkets.openOrdersOf(accountMarket)).toHaveLength(65);
  });

  it("an order leaves its place once, and a place where none stands has none to give", () => {
    const accountMarkets = new AccountMarkets(2, 2);
    const accountMarket = accountMarkets.add(1, 1);
    const places = [7, 8, 9].map((slot) => accountMarkets.addOpenOrder(accountMarket, slot));
    for (const place of places.slice(1)) {
      accountMarkets.removeOpenOrder(accountMarket, place);
      expect(() => accountMarkets.removeOpenOrder(accountMarket, place)).toThrow("ORDER-31");
    }
    expect(accountMarkets.openOrdersOf(accountMarket)).toEqual([7]);
  });

  it("keep each word of each to itself", () => {
    const accountMarkets = new AccountMarkets(2, 2);
    const records = [accountMarkets.add(1, 1), accountMarkets.add(2, 1), accountMarkets.add(3, 1)];
    const numberOf = (record: number, word: number): number => record * 100 + word;
    const all = Array.from({ length: ACCOUNT_MARKET_WORDS }, (_, word) => word);
    for (const record of records) for (const word of all) accountMarkets.setWord(record, word, numberOf(record, word));
    for (const record of records)
      expect(all.map((word) => accountMarkets.word(record, word))).toEqual(all.map((word) => numberOf(record, word)));
  });

  it("count up and down and never below none", () => {
    const accountMarkets = new AccountMarkets(2, 2);
    const [one, other] = [accountMarkets.add(1, 1), accountMarkets.add(2, 1)];
    for (const by of [1, 2, -1, -2]) accountMarkets.bump(other, AM_RESTING, by);
    accountMarkets.bump(other, AM_RESTING, 2);
    expect([one, other].map((accountMarket) => accountMarkets.word(accountMarket, AM_RESTING))).toEqual([0, 2]);
    expect(() => accountMarkets.bump(one, AM_RESTING, -1)).toThrow("ORDER-30");
    expect(accountMarkets.word(one, AM_RESTING)).toBe(0);
  });
});
