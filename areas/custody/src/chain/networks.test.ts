import { CATALOGUE_ASSETS } from "@clockwork/trading/market/catalogue";
import { expect, test } from "vitest";
import { DEVELOPMENT_NETWORKS } from "./networks.ts";

test("[WAL-2] every coin of the default run moves over at least one network, in and out, for more than its fee", () => {
  for (const { symbol } of CATALOGUE_ASSETS) {
    const places = DEVELOPMENT_NETWORKS.flatMap(({ coins }) => coins.filter(({ asset }) => asset === symbol));
    expect(places.length, symbol).toBeGreaterThan(0);
    for (const { depositMin, withdrawMin, withdrawFee } of places) {
      expect(Number(depositMin), symbol).toBeGreaterThan(0);
      expect(Number(withdrawMin), symbol).toBeGreaterThan(Number(withdrawFee));
    }
  }
});

test("[WAL-2] the networks of the default run have different rules, coins of their own and tokens, and one has slow blocks", () => {
  const [quick, slow] = DEVELOPMENT_NETWORKS;
  for (const rule of ["chainId", "blockSeconds", "creditBlocks", "unlockBlocks", "finalBlocks"] as const) {
    expect(quick?.[rule], rule).not.toBe(slow?.[rule]);
  }
  expect(slow?.blockSeconds).toBeGreaterThan(quick?.blockSeconds ?? 0);
  const rulesOf = (network = quick) => network?.coins.find(({ asset }) => asset === "USDT");
  for (const rule of ["depositMin", "withdrawMin", "withdrawFee", "contract"] as const) {
    expect(rulesOf(quick)?.[rule], rule).not.toBe(rulesOf(slow)?.[rule]);
  }
  for (const { coins } of DEVELOPMENT_NETWORKS) {
    expect(coins.filter(({ contract }) => contract === null)).toHaveLength(1);
    expect(coins.length).toBeGreaterThan(1);
  }
});
