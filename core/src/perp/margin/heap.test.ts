// The heaps of prices beside a plain list: who comes up at a mark, in which order, and where everybody stands.
import { createRandom, type Random } from "@clockwork/kit/random";
import { expect, test } from "vitest";
import { coreOf } from "../../machine/machine.ts";
import type { Core } from "../../state/core.ts";
import { createPerpStage } from "../../testing/perp-stage.ts";
import { LOOK_END, LOOK_WARN, PO_KEY, PO_PLACE, PO_WARN_KEY, PO_WARN_PLACE, POF_LOTS } from "../state/records.ts";
import { addSplit } from "../state/symbol-margins.ts";
import { firstReached, takeReached, unwatch, watch } from "./heap.ts";

const MARK = 500_000;

interface Watched {
  readonly position: number;
  readonly isLong: boolean;
  readonly key: number;
}

/** Positions at their keys, without any order. */
class NaiveWatch {
  readonly lists: [Watched[], Watched[]] = [[], []];

  watch(position: number, isLong: boolean, look: number, ticks: number): void {
    const list = this.lists[look] as Watched[];
    const old = list.find((one) => one.position === position);
    // A key that lies nearer the mark, within half of the way, stays.
    if (old !== undefined && old.isLong === isLong && ticks > 0) {
      const now = isLong ? MARK - old.key : old.key - MARK;
      const then = isLong ? MARK - ticks : ticks - MARK;
      if (now > 0 && now <= then && 2 * now >= then) return;
    }
    this.remove(position, look);
    if (ticks > 0) (this.lists[look] as Watched[]).push({ position, isLong, key: ticks });
  }

  remove(position: number, look: number): void {
    this.lists[look] = (this.lists[look] as Watched[]).filter((one) => one.position !== position);
  }

  /** Longs first, the nearest key first, of the same key the lower number. */
  first(mark: number, look: number): number {
    const reached = (this.lists[look] as Watched[]).filter(({ isLong, key }) => (isLong ? mark <= key : mark >= key));
    const [best] = reached.sort(
      (a, b) =>
        Number(b.isLong) - Number(a.isLong) || (a.isLong ? b.key - a.key : a.key - b.key) || a.position - b.position,
    );
    return best?.position ?? 0;
  }
}

/** Where the heaps and the positions differ from the list; nothing when they agree. */
function differences(core: Core, market: number, naive: NaiveWatch, positions: readonly number[]): string[] {
  const { perps } = core;
  const wrong: string[] = [];
  for (const look of [LOOK_END, LOOK_WARN]) {
    const [placeWord, keyWord] = look === LOOK_END ? [PO_PLACE, PO_KEY] : [PO_WARN_PLACE, PO_WARN_KEY];
    const keys = new Map((naive.lists[look] as Watched[]).map(({ position, key }) => [position, key]));
    let found = 0;
    for (const side of [0, 1]) {
      const { count, i32 } = perps.heap(market, side, look);
      found += count - 1;
      for (let at = 1; at < count; at++) {
        const position = i32[at * 2] as number;
        if (keys.get(position) !== i32[at * 2 + 1]) wrong.push(`${position} has key ${i32[at * 2 + 1]}`);
        if (perps.position(position, placeWord) !== at) wrong.push(`${position} is not at ${at}`);
        const up = (at + 2) >> 2;
        const lead = ((i32[up * 2 + 1] as number) - (i32[at * 2 + 1] as number)) * (side === 0 ? 1 : -1);
        if (at > 1 && (lead < 0 || (lead === 0 && (i32[up * 2] as number) > position)))
          wrong.push(`${i32[up * 2]} stands before ${position}`);
      }
      // What is given back is empty, so that a snapshot shows no trace of it.
      if (i32.subarray(count * 2).some((word) => word !== 0)) wrong.push("something is left behind the last");
    }
    if (found !== keys.size) wrong.push(`${found} of ${keys.size} are watched`);
    for (const position of positions) {
      const key = keys.get(position);
      if (key === undefined ? perps.position(position, placeWord) !== 0 : perps.position(position, keyWord) !== key)
        wrong.push(`${position} does not know its key ${key}`);
    }
  }
  return wrong;
}

/** Keys lie on both sides of the mark, or, where `beyond`, all where the mark has not been: nobody is due then. */
function play(
  core: Core,
  market: number,
  naive: NaiveWatch,
  positions: readonly number[],
  random: Random,
  beyond: boolean,
): void {
  const { perps } = core;
  const look = random.pick([LOOK_END, LOOK_WARN]);
  const position = random.pick(positions);
  const dice = random.below(20);
  if (dice === 0) {
    unwatch(core, position);
    naive.remove(position, LOOK_END);
    naive.remove(position, LOOK_WARN);
  } else if (dice < 4) {
    // Often just at somebody's key, or a tick beside it.
    const keys = (naive.lists[look] as Watched[]).map(({ key }) => key);
    const at = random.chance(2, 3) && keys.length > 0 ? random.pick(keys) + random.between(-1, 1) : MARK;
    const mark = at === MARK ? MARK + random.between(-60, 60) : at;
    const first = naive.first(mark, look);
    expect([firstReached(core, market, mark, look), takeReached(core, market, mark, look)]).toEqual([first, first]);
    naive.remove(first, look);
  } else {
    // A position may have turned since it was last watched.
    if (random.chance(1, 8)) perps.setPositionDouble(position, POF_LOTS, 0 - perps.lots(position));
    const away = beyond ? random.between(1, 40) * (perps.lots(position) > 0 ? -1 : 1) : random.between(-40, 40);
    const ticks = random.chance(1, 8) ? random.between(-1, 1) : MARK + away;
    watch(core, position, look, ticks);
    if (ticks <= 0) expect(perps.position(position, look === LOOK_END ? PO_KEY : PO_WARN_KEY)).toBe(0);
    naive.watch(position, perps.lots(position) > 0, look, ticks);
  }
}

function setUp(count: number, lotsOf: (i: number) => number) {
  const stage = createPerpStage();
  stage.sure({ kind: "setLeverage", account: stage.trader(1_000), market: stage.linear, long: 20 });
  const core = coreOf(stage.machine);
  const positions = Array.from({ length: count }, (_, i) => {
    const position = addSplit(core.perps, 1, 20);
    core.perps.setPositionDouble(position, POF_LOTS, lotsOf(i));
    return position;
  });
  return { stage, core, positions };
}

test("[FUT-2] the nearest comes up first, whoever stands beside whom", () => {
  const { stage, core, positions } = setUp(39, () => 1);
  // Whoever goes up from the ninth place leaves it to one of the four below it, not to the nearer one behind them.
  const near = new Map([1, 2, 3, 10, 38, 9].map((place, i) => [place, i + 1]));
  const keys = positions.map((_, i) => MARK - (near.get(i + 1) ?? 101 + i));
  for (const [i, position] of positions.entries()) watch(core, position, LOOK_END, keys[i] as number);
  const took = positions.map(() => takeReached(core, stage.linear, 1, LOOK_END));
  expect(took.map((position) => core.perps.position(position, PO_KEY))).toEqual(keys.sort((a, b) => b - a));
});

test("[FUT-2] whoever goes back in the middle lets up one of those below him", () => {
  const { stage, core, positions } = setUp(45, () => 1);
  // Beside those below the ninth stands a nearer one, who is behind another.
  const near = new Map([1, 50, 3, 60, 4, 5].map((ticks, i) => [[1, 2, 3, 9, 10, 38][i] as number, ticks]));
  const keys = positions.map((_, i) => MARK - (near.get(i + 1) ?? 101 + i));
  for (const [i, position] of positions.entries()) watch(core, position, LOOK_END, keys[i] as number);
  keys[8] = MARK - 1_000;
  watch(core, positions[8] as number, LOOK_END, keys[8]);
  const took = positions.map(() => takeReached(core, stage.linear, 1, LOOK_END));
  expect(took.map((position) => core.perps.position(position, PO_KEY))).toEqual(keys.sort((a, b) => b - a));
});

test.each([1, -1])(
  "[FUT-2] a key a tick from the mark stays for one of two, and goes for one of three (lots %i)",
  (lots) => {
    const { core, positions } = setUp(1, () => lots);
    const [position = 0] = positions;
    const kept = [1, 2, 3, 2].map((ticks) => {
      watch(core, position, LOOK_WARN, MARK - lots * ticks);
      return (MARK - core.perps.position(position, PO_WARN_KEY)) * lots;
    });
    expect(kept).toEqual([1, 1, 3, 2]);
  },
);

test.each([1, 2])("[FUT-2] seed %i: positions are watched and come up as a plain list says", (seed) => {
  // So many that heaps are four deep; half of them long.
  const { stage, core, positions } = setUp(160, (i) => (i % 2 === 0 ? 1 : -1));
  const naive = new NaiveWatch();
  const random = createRandom(seed);
  for (let i = 0; i < 1_500; i++) {
    play(core, stage.linear, naive, positions, random, seed === 2);
    const wrong = differences(core, stage.linear, naive, positions);
    if (wrong.length > 0) expect.unreachable(`step ${i}: ${wrong.join("; ")}`);
  }
  // All come up at last, one after the other.
  for (const look of [LOOK_END, LOOK_WARN])
    for (const mark of [1, 2_000_000])
      for (let first = naive.first(mark, look); first !== 0; first = naive.first(mark, look)) {
        if (takeReached(core, stage.linear, mark, look) !== first) expect.unreachable(`${first} comes first`);
        naive.remove(first, look);
      }
  expect(naive.lists).toEqual([[], []]);
});
