// The encoding of premium samples and what follows from them.
import { HOUR_MS } from "@clockwork/kit/time";
import { expect, test } from "vitest";
import { describeSamples, isSettlement, nextSettlement, readSamples, SLOT_MS, slotOf, writeSample } from "./rules.ts";

const contract = { pairCode: "BTC_USDT", market: 1, fundingHours: 8, interestRate: 10_000, firstRate: 400_000n };
const DUE = 8 * HOUR_MS * 60_000;

test("[FUT-3] a sample at a settlement's own time counts for it, a later one for the next", () => {
  expect([slotOf(DUE - 1), slotOf(DUE), slotOf(DUE + 1)]).toEqual([DUE, DUE, DUE + SLOT_MS]);
  expect([isSettlement(contract, DUE), isSettlement(contract, DUE + HOUR_MS)]).toEqual([true, false]);
  expect([nextSettlement(contract, DUE - 1), nextSettlement(contract, DUE)]).toEqual([DUE, DUE + 8 * HOUR_MS]);
});

test("[FUT-3] encoding and decoding agree, for either sign, to the second", () => {
  const times = [DUE - SLOT_MS + 17, DUE - 5_000, DUE];
  const text = times
    .map((timeMs, index) => writeSample(timeMs - (DUE - SLOT_MS), [120_000, -7, 0][index] ?? 0))
    .join("");
  expect(readSamples(DUE, text)).toEqual([
    { timeMs: DUE - SLOT_MS, premium: 120_000n },
    { timeMs: DUE - 5_000, premium: -7n },
    { timeMs: DUE, premium: 0n },
  ]);
  expect(readSamples(DUE, "")).toEqual([]);
});

test("[FUT-3] later samples weigh more, and the rate follows by the rule of settlements", () => {
  const samples = [10_000n, 30_000n, 50_000n].map((premium, index) => ({
    timeMs: DUE - 15_000 + index * 5_000,
    premium,
  }));
  // (1×1 + 2×3 + 3×5) ÷ 6 bp = 3.666 bp; the interest of 1 bp is within ±5 bp of it, so it is the rate.
  expect(describeSamples(contract, DUE, samples)).toMatchObject({
    premium: "0.00036666",
    rate: "0.0001",
    fromMs: DUE - 8 * HOUR_MS,
    samples: [{ premium: "0.0001" }, { premium: "0.0003" }, { premium: "0.0005" }],
  });
  expect(describeSamples(contract, DUE, [])).toMatchObject({ premium: null, rate: null, samples: [] });
});
