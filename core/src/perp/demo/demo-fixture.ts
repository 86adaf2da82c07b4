// Owns a demo market beside a real one to try things on. For tests.
import { present } from "@clockwork/kit/assert";
import type { Machine } from "../../protocol/contract.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage, type PerpStage } from "../../testing/perp-stage.ts";

/** The futures stage with a demo market beside the real one and a demo account with play money. */
export function demoStage(
  machine?: Machine,
  start?: number,
): PerpStage & { play: number; demo: number; player(): number } {
  const stage = createPerpStage(machine, {}, start);
  const play = present(
    eventsOf(stage.send({ kind: "listAsset", symbol: "DUSDT", scale: 6 }), "assetListed")[0],
    "TEST",
    "coin",
  ).asset;
  const listed = stage.send({
    kind: "listMarket",
    marketKind: "linear",
    base: stage.btc,
    quote: play,
    tickMantissa: 1,
    tickDecimals: 1,
    stepUnits: 100_000,
    slippageBps: 200,
    feeGroup: 1,
    symbol: "BTCUSDT-DEMO",
    mirror: stage.linear,
  });
  const demo = present(eventsOf(listed, "marketListed")[0], "TEST", "market").market;
  let user = 900;
  return Object.assign(stage, {
    play,
    demo,
    player(): number {
      user += 1;
      const made = eventsOf(stage.send({ kind: "createAccount", user, book: "demo" }), "accountCreated")[0];
      const { account } = present(made, "TEST", "account");
      stage.sure({ kind: "resetDemo", account, asset: play });
      return account;
    },
  });
}
