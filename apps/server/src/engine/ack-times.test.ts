// The times callers waited, summed for the status.

import type { Ack } from "@clockwork/host/engine";
import { expect, test } from "vitest";
import { AckTimes, timeSubmit } from "./ack-times.ts";

test("[PAGE-2] the middle and the slowest hundredth are of the latest commands alone", () => {
  const times = new AckTimes();
  expect(times.read()).toBeUndefined();
  for (let slow = 0; slow < 600; slow++) times.add(500);
  for (let took = 1; took <= 512; took++) times.add(took / 100);
  expect(times.read()).toEqual({ p50Ms: 2.57, p99Ms: 5.07 });
});

test("[PAGE-2] only what reached the journal counts", async () => {
  const times = new AckTimes();
  let clockMs = 0;
  const answer = (ack: Partial<Ack>) => async () => {
    clockMs += 3;
    return ack as Ack;
  };
  const send = (ack: Partial<Ack>) => timeSubmit(answer(ack), times, () => clockMs)();
  await send({ done: false });
  expect(times.read()).toBeUndefined();
  await send({ done: true });
  expect(times.read()).toEqual({ p50Ms: 3, p99Ms: 3 });
});
