// The ladder beside a plain sorted list, where prices lie close together, far apart and at the edges of its pages.
import { allOf } from "@clockwork/kit/all-of";
import { createRandom, type Random } from "@clockwork/kit/random";
import { describe, expect, it } from "vitest";
import { Ladder, LEVEL_SHIFT, LevelPool } from "./ladder.ts";

const PAGE = 1_024;
const HIGHEST = 2 ** 30 - 1;
/** Pages beside those where a word of the bitmaps over them, or a word of the bitmap over these, begins. */
const PAGES = [0, 1, 2, 31, 32, 33, 63, 64, 1_023, 1_024, 1_056, 2_047, 2_048, 32_767, 32_768, 65_536, 1_048_575];
const TICKS = [0, 1, 30, 31, 32, 33, 63, 64, 511, 512, 991, 992, 1_022, 1_023];

const edge = (random: Random, pages: number): number =>
  Math.max(1, (PAGES[random.below(pages)] as number) * PAGE + random.pick(TICKS));
const above = (held: readonly number[], price: number): number => held.find((one) => one > price) ?? 0;
const below = (held: readonly number[], price: number): number => held.findLast((one) => one < price) ?? 0;

/** A ladder and the prices it holds, in order; a level that holds something shows its price. */
class ReferenceModel {
  readonly ladder: Ladder;
  readonly held: number[] = [];
  /** The highest page it was ever asked for. */
  highest = 0;

  constructor(name: string, pool: LevelPool) {
    this.ladder = new Ladder(name, pool);
  }

  add(price: number): void {
    const { ladder, held } = this;
    const isNewPage = !held.some((one) => Math.floor(one / PAGE) === Math.floor(price / PAGE));
    if ((ladder.peek(price) === 0) !== isNewPage) expect.unreachable(`${price}: ${ladder.peek(price)}`);
    const level = ladder.reserve(price);
    this.highest = Math.max(this.highest, Math.floor(price / PAGE));
    if (isNewPage) expect(ladder.pool.levels.i32[(level - (price % PAGE)) << LEVEL_SHIFT]).toBe(0);
    const again = [
      ladder.peek(price),
      ladder.levelAt(price),
      ladder.reserve(price),
      level - (level % PAGE) + (price % PAGE),
    ];
    if (again.some((one) => one !== level)) expect.unreachable(`${price}: ${again}, not ${level}`);
    if (held.includes(price)) return;
    ladder.mark(level);
    ladder.pool.levels.f64[(level << 1) | 1] = price;
    held.push(price);
    held.sort((a, b) => a - b);
  }

  drop(price: number): void {
    const { ladder, held } = this;
    const level = ladder.levelAt(price);
    const shown = ladder.pool.levels.f64[(level << 1) | 1] as number;
    if (shown !== price) expect.unreachable(`${shown}, not ${price}`);
    ladder.pool.levels.f64[(level << 1) | 1] = 0;
    ladder.clear(level, price);
    held.splice(held.indexOf(price), 1);
  }

  check(price: number): void {
    const { ladder, held } = this;
    const found = [ladder.nextAbove(price), ladder.nextBelow(price)];
    const wanted = [above(held, price), below(held, price)];
    // Asked only where it fails, because asking takes longer than finding.
    if (found[0] !== wanted[0] || found[1] !== wanted[1]) expect.unreachable(`${price}: ${found}, not ${wanted}`);
  }

  /** Its tables are as large as its highest page asks, which is part of the state. */
  checkSizes(): void {
    let pages = 32;
    while (pages <= this.highest) pages *= 2;
    expect(this.ladder.tables().map(({ count }) => count)).toEqual([
      pages / 2,
      Math.max(2, pages / 64),
      Math.max(2, pages / 2_048),
    ]);
    expect(this.ladder.pages).toBe(pages);
  }

  get pages(): number {
    return new Set(this.held.map((price) => Math.floor(price / PAGE))).size;
  }
}

describe("the ladder", () => {
  it.each([3, 6, 11, PAGES.length])(
    "[BOOK-13] finds neighbours as a sorted list does, at the edges of %i pages",
    (pages) => {
      const random = createRandom(pages);
      const pool = new LevelPool("edges", 1);
      const twins = ["one", "other"].map((name) => new ReferenceModel(name, pool));
      let most = 0;
      for (let step = 0; step < 800; step++) {
        const reference = random.pick(twins);
        // Filled for a while and then emptied, again and again, so that pages come and go.
        const fills = Math.floor(step / 80) % 2 === 0;
        if (random.chance(fills ? 7 : 2, 9) || reference.held.length === 0) reference.add(edge(random, pages));
        else reference.drop(random.pick(reference.held));
        most = Math.max(
          most,
          twins.reduce((sum, one) => sum + one.pages, 0),
        );
        for (const price of [0, HIGHEST, edge(random, PAGES.length), edge(random, pages)]) reference.check(price);
        if (step % 10 === 0) reference.checkSizes();
      }
      // No page was taken while a free one was there, and what is empty is all zero.
      expect([pool.levels.count, pool.bits.count]).toEqual([most + 1, most + 1]);
      for (const reference of twins) while (reference.held.length > 0) reference.drop(random.pick(reference.held));
      for (const reference of twins)
        for (const { i32 } of reference.ladder.tables()) expect(allOf(i32, (word) => word === 0)).toBe(true);
      expect(allOf(pool.bits.i32, (word) => word === 0)).toBe(true);
    },
  );

  it("[BOOK-13] holds prices up to the highest, and names the rule to one beyond", () => {
    const ladder = new Ladder("far", new LevelPool("far", 1));
    for (const price of [1, HIGHEST]) ladder.mark(ladder.reserve(price));
    expect([ladder.nextAbove(1), ladder.nextBelow(HIGHEST), ladder.nextBelow(HIGHEST + 1)]).toEqual([
      HIGHEST,
      1,
      HIGHEST,
    ]);
    expect([ladder.nextAbove(HIGHEST), ladder.nextBelow(1), ladder.nextAbove(HIGHEST + 1)]).toEqual([0, 0, 0]);
    expect(() => ladder.reserve(HIGHEST + 1)).toThrow("BOOK-1");
    expect(ladder.peek(HIGHEST + 1)).toBe(0);
  });

  it("[SNAPSHOT-4] finds what was held when its tables are loaded, whatever its own size was", () => {
    const random = createRandom(5);
    for (const pages of [2, 11]) {
      const reference = new ReferenceModel("saved", new LevelPool("saved", 1));
      const other = new Ladder("loaded", new LevelPool("loaded", 1));
      other.mark(other.reserve(70 * PAGE));
      for (let i = 0; i < 40; i++) reference.add(edge(random, pages));
      const from = [reference.ladder.pool.levels, reference.ladder.pool.bits, ...reference.ladder.tables()];
      for (const [at, table] of [other.pool.levels, other.pool.bits, ...other.tables()].entries()) {
        const saved = from[at] as (typeof from)[number];
        table.load(saved.i32.slice(0, saved.usedWords), saved.count, saved.freeHead);
      }
      expect(other.pages).toBe(reference.ladder.pages);
      for (let i = 0; i < 60; i++) {
        const price = edge(random, pages);
        expect([other.nextAbove(price), other.nextBelow(price)]).toEqual([
          above(reference.held, price),
          below(reference.held, price),
        ]);
      }
    }
  });
});
