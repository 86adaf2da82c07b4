// The first opening of the simulated futures market, interrupted: its grants and holds count once.
import type { Command } from "@clockwork/core/protocol/command";
import { openFuturesStage } from "@clockwork/sim/market/futures/futures-stage";
import { expect, test } from "vitest";
import { FuturesSimulation } from "./futures-simulation.ts";

test("[FUT-1] an opening that restarts after a crash funds no account twice and doubles no position", async () => {
  const stage = openFuturesStage({ seed: 1, participants: 2 });
  const notes = new Map<string, string>();
  let isCrashing = true;
  const store = {
    readSimulation: async (name: string) => notes.get(name),
    writeSimulation: async (name: string, text: string) => {
      if (isCrashing && name === "futures") throw new Error("the process ended");
      notes.set(name, text);
    },
  };
  const counts = { given: 0, moved: 0 };
  const submit = async (command: Command) => {
    const events = stage.driver.send(command);
    const isRefused = events.some(({ kind }) => kind === "rejected");
    if (command.kind === "transfer" && events.some(({ kind }) => kind === "posting")) counts.given += 1;
    counts.moved += events.filter(({ kind }) => kind === "positionChanged").length;
    return { done: !isRefused, events };
  };
  const open = (nowMs: number) =>
    FuturesSimulation.open(
      { engine: { submit } as never, data: { store } as never, seed: 1 },
      stage.contracts,
      () => undefined,
      nowMs,
      stage.prices,
    );
  await expect(open(stage.driver.time)).rejects.toThrow("the process ended");
  const first = { ...counts };
  expect(first.given).toBeGreaterThan(100);
  // The stage has already opened these holders' positions: neither opening moves them again.
  expect(first.moved).toBe(0);
  isCrashing = false;
  await open(stage.driver.time + 60_000);
  expect(counts).toEqual(first);
  expect(notes.has("futures")).toBe(true);
});
