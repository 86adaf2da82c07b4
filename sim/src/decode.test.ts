// Holds the simulator's quick event reader to the core's own decoder.
import { decodeEvents } from "@clockwork/core/protocol/codec";
import { createStage } from "@clockwork/core/testing/stage";
import { expect, it } from "vitest";
import { readEvents } from "./decode.ts";

it("[SIM-9] the quick reader says what the core's decoder says", () => {
  const stage = createStage({ anchorTicks: 1_000 });
  const [maker, taker] = [stage.trader(1e9, 1e9), stage.trader(1e9, 1e9)];
  stage.machine.events.clear();
  const order = { kind: "placeOrder", market: stage.market, price: 1_000, quantity: 3 } as const;
  stage.send({ ...order, account: maker, side: "sell", clientOrderId: "a" });
  stage.time += 5;
  stage.send({ ...order, account: taker, side: "buy", quantity: 5 });
  const { bytes, length } = stage.machine.events;
  const read = readEvents(bytes, length, 1);
  expect(read.length).toBeGreaterThan(5);
  expect(read).toEqual(decodeEvents(bytes, 0, length, 1));
});
