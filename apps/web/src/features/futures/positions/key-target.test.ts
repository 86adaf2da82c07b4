// Which position a key acts on.
import { expect, test } from "vitest";
import { keyTarget } from "./key-target.ts";

test("[FUT-3] a key reverses the position of the contract on the screen, never another one listed above it", () => {
  const positions = [
    { positionId: "3", pairCode: "SOL_USDT" },
    { positionId: "2", pairCode: "BTC_USDT" },
    { positionId: "1", pairCode: "BTC_USDT" },
  ];
  expect(keyTarget(positions, "BTC_USDT")).toBe("2");
  expect(keyTarget(positions, "ETH_USDT")).toBeUndefined();
});
