import { afterEach, expect, test } from "vitest";
import { exchangeNowMs, observeExchange } from "./exchange-clock.ts";

const awayMs = () => Math.round((exchangeNowMs() - Date.now()) / 1_000);
afterEach(() => observeExchange(0, 0, 0));

test("[SPOT-4] countdowns follow the exchange's clock, however far off the computer's is", () => {
  expect(awayMs()).toBe(0);
  observeExchange(500_000, 1_000, 1_200);
  expect(awayMs()).toBe(499);
  observeExchange(1_050, 1_000, 1_200);
  expect(awayMs()).toBe(0);
  observeExchange(Number.NaN, 1_000, 1_200);
  expect(awayMs()).toBe(0);
});
