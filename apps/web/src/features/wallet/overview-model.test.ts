import { expect, test } from "vitest";
import { inCoins } from "./overview-model.ts";

test.each([
  ["98431.07", "64098", "1.53563402"],
  // More digits than a float keeps: the last ones are right.
  ["90071992547409.931234", "0.00000003", "3,002,399,751,580,331,041,133.33333333"],
  ["0.000001", "64098", "0.00000000"],
  ["1", "1", "1.00000000"],
])("[WAL-3] %s USDT at %s are %s, exactly and cut", (usdt, price, coins) => {
  expect(inCoins(usdt, price, 8)).toBe(coins);
});

test("[WAL-3] without a price or a total there is no line of it", () => {
  expect(inCoins("5", null, 8)).toBeUndefined();
  expect(inCoins("5", "0", 8)).toBeUndefined();
  expect(inCoins(undefined, "64098", 8)).toBeUndefined();
});
