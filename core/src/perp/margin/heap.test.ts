// The heaps of prices beside a plain list: who comes up at a mark, in which order, and where everybody stands.
import { createRandom, type Random } from "@clockwork/kit/random";
import { expect, test } from "vitest";
import { coreOf } from "../../machine/machine.ts";
import type { Core } from "../../state/core.ts";
import { createPerpStage } from "../../testing/perp-stage.ts";
import { LOOK_END, LOOK_WARN, PO_KEY, PO_PLACE, PO_WARN_KEY, PO_WARN_PLACE, POF_LOTS } from "../state/records.ts";
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
    this.forget(position, look);
    if (ticks > 0) (this.lists[look] as Watched[]).push({ position, isLong, key: ticks });
  }

  forget(position: number, look: number): void {
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

function play(core: Core, market: number, naive: NaiveWatch, positions: readonly number[], random: Random): void {
  const { perps } = core;
  const look = random.pick([LOOK_END, LOOK_WARN]);
  const position = random.pick(positions);
  const dice = random.below(20);
  if (dice === 0) {
    unwatch(core, position);
    naive.forget(position, LOOK_END);
    naive.forget(position, LOOK_WARN);
  } else if (dice < 4) {
    const mark = MARK + random.between(-60, 60);
    const first = naive.first(mark, look);
    expect([firstReached(core, market, mark, look), takeReached(core, market, mark, look)]).toEqual([first, first]);
    naive.forget(first, look);
  } else {
    // A position may have turned since it was last watched.
    if (random.chance(1, 8)) perps.setPositionDouble(position, POF_LOTS, 0 - perps.lots(position));
    const ticks = random.chance(1, 12) ? random.between(-1, 0) : MARK + random.between(-40, 40);
    watch(core, position, look, ticks);
    naive.watch(position, perps.lots(position) > 0, look, ticks);
  }
}

test.each([1, 2])("[FUT-2] seed %i: positions are watched and come up as a plain list says", (seed) => {
  const stage = createPerpStage();
  const traders = Array.from({ length: 30 }, () => stage.trader(1_000_000_000_000));
  for (let i = 0; i < traders.length; i += 2) {
    stage.sell(traders[i] as number, 1, MARK);
    stage.buy(traders[i + 1] as number, 1, MARK);
  }
  stage.sure({ kind: "tick" });
  const core = coreOf(stage.machine);
  const positions = traders.map((account) => (stage.held(account)[0]?.id ?? 0) % 0x1000000);
  for (const position of positions) unwatch(core, position);
  const naive = new NaiveWatch();
  const random = createRandom(seed);
  for (let i = 0; i < 1_000; i++) {
    play(core, stage.linear, naive, positions, random);
    const wrong = differences(core, stage.linear, naive, positions);
    if (wrong.length > 0) expect([i, wrong]).toEqual([i, []]);
  }
  // All come up at last, one after the other.
  for (const look of [LOOK_END, LOOK_WARN])
    for (const mark of [1, 2_000_000])
      for (let first = naive.first(mark, look); first !== 0; first = naive.first(mark, look)) {
        if (takeReached(core, stage.linear, mark, look) !== first) expect(first).toBe(0);
        naive.forget(first, look);
      }
  expect(naive.lists).toEqual([[], []]);
});
