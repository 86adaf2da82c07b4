import { describe, expect, it } from "vitest";
import { coreOf } from "../machine/machine.ts";
import { eventsOf } from "../testing/driver.ts";
import { createStage } from "../testing/stage.ts";
import { drawFrom, openDraw, shuffle } from "./seed.ts";

const A = "0123456789abcdef".repeat(4);
const B = "f".repeat(64);
const wordsOf = (text: string): Int32Array => {
  const bytes = Uint8Array.from({ length: 32 }, (_, i) => Number.parseInt(text.slice(i * 2, i * 2 + 2), 16));
  return new Int32Array(bytes.buffer);
};

describe("[MACHINE-8] the seed in force", () => {
  it("is hidden until it is replaced, and then told with the command it came with", () => {
    const stage = createStage();
    expect(eventsOf(stage.send({ kind: "setSeed", seed: A }), "seedReplaced")).toEqual([]);
    const since = stage.machine.sequence;
    expect(eventsOf(stage.send({ kind: "setSeed", seed: B }), "seedReplaced")).toMatchObject([
      { seed: A, since, number: 1 },
    ]);
    expect(eventsOf(stage.send({ kind: "setSeed", seed: "0".repeat(64) }), "rejected")).toMatchObject([
      { code: "MALFORMED_COMMAND" },
    ]);
  });

  it("draws the same after a snapshot and a replay, and outside with the seed that was told", () => {
    const stage = createStage();
    stage.send({ kind: "setSeed", seed: A });
    const ten = (draw: () => number): number[] => Array.from({ length: 10 }, draw);
    const drawn = ten(openDraw(coreOf(stage.machine), 1));
    const hash = stage.machine.stateHash();
    stage.machine.restore(stage.machine.snapshot());
    expect(ten(openDraw(coreOf(stage.machine), 1))).toEqual(drawn);
    stage.machine.restore();
    for (const bytes of stage.journal) stage.machine.apply(bytes, 0);
    expect(stage.machine.stateHash()).toBe(hash);
    expect(ten(drawFrom(wordsOf(A), stage.machine.sequence, 1))).toEqual(drawn);
    expect(ten(openDraw(coreOf(stage.machine), 2))).not.toEqual(drawn);
  });

  it("shuffles fairly: every order of four comes about as often", () => {
    const counts = new Map<string, number>();
    for (let sequence = 0; sequence < 24_000; sequence++) {
      const items = [1, 2, 3, 4];
      shuffle(items, drawFrom(wordsOf(A), sequence, 0));
      counts.set(items.join(""), (counts.get(items.join("")) ?? 0) + 1);
    }
    expect(counts.size).toBe(24);
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(200);
  });
});
