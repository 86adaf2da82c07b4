import { readSums } from "@clockwork/core/inspect/sums";
import { expect, test } from "vitest";
import { fundReserves } from "./genesis.ts";
import { openListingEngine } from "./listing-fixture.ts";

test("[LEDGER-22] the initial money is one deposit per coin, and a second start deposits nothing", async () => {
  const { engine, driver } = openListingEngine();
  await engine.submit({ kind: "listAsset", symbol: "USDT", scale: 6 });
  await fundReserves(engine);
  const [first] = readSums(driver.machine);
  expect(first?.minted).toBe(6_000_000_000_000_000n);
  await fundReserves(engine);
  // After the references have expired there is still no space for another one.
  driver.time += 100 * 86_400_000;
  await fundReserves(engine);
  expect(readSums(driver.machine)).toEqual([first]);
});
