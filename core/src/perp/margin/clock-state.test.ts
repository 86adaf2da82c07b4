import { expect, test } from "vitest";
import { createPerpStage } from "../../testing/perp-stage.ts";

test("[FUT-2] with every contract delisted and no bonus standing perpetuals want no tick", () => {
  const stage = createPerpStage();
  expect(stage.machine.nextTimerAt).toBeLessThan(stage.time + 10_000);
  for (const market of [stage.linear, stage.inverse])
    stage.sure({ kind: "setMarketStatus", market, status: "DELISTED" });
  stage.time += 10_000;
  stage.sure({ kind: "tick" });
  expect(stage.machine.nextTimerAt).toBe(Number.POSITIVE_INFINITY);
  stage.fundTreasury(1_000);
  const alice = stage.trader(0);
  const money = { asset: stage.usdt, units: 1_000, reference: "g", expiresAt: stage.time + 77 };
  stage.sure({ kind: "grantBonus", account: alice, ...money });
  expect(stage.machine.nextTimerAt).toBe(stage.time + 77);
  stage.time += 77;
  stage.sure({ kind: "tick" });
  expect(stage.machine.nextTimerAt).toBe(Number.POSITIVE_INFINITY);
});
