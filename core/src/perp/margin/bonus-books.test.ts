// Which books a bonus can be for, and where its coins lie.
import { expect, test } from "vitest";
import type { Command } from "../../protocol/command.ts";
import type { MachineEvent } from "../../protocol/event.ts";
import { createCopyStage } from "../../testing/copy-stage.ts";
import { eventsOf } from "../../testing/driver.ts";
import { createPerpStage, type PerpStage } from "../../testing/perp-stage.ts";

const COIN = 1_000_000;

function grant(stage: PerpStage, account: number, more: object = {}): MachineEvent[] {
  const money = { asset: stage.usdt, units: COIN, reference: `g${stage.machine.sequence}` };
  return stage.sure({ kind: "grantBonus", account, ...money, expiresAt: stage.time + 10_000, ...more } as Command);
}

test("[FUT-2] leaders' and followers' books are of copies, and of no other product", () => {
  const stage = createCopyStage();
  stage.fundTreasury(1_000 * COIN);
  const follower = stage.follower();
  for (const account of [stage.leader, follower])
    for (const products of [0, 1, 2, 4, 8, 15]) {
      const [refused] = eventsOf(grant(stage, account, { products }), "rejected");
      expect([products, refused?.code]).toEqual([
        products,
        [0, 4, 15].includes(products) ? undefined : "BOOK_NOT_TRADABLE",
      ]);
    }
  for (const account of [stage.spotLeader, stage.spotMaker])
    expect(eventsOf(grant(stage, account), "rejected")).toMatchObject([{ code: "BOOK_NOT_TRADABLE" }]);
});

test("[FUT-2] bonuses of an account in two coins lie in one book, each in its coin", () => {
  const stage = createPerpStage();
  const treasury = stage.fundTreasury(10 * COIN);
  const money = { asset: stage.btc, business: "deposit", units: 500, reference: "btc" } as const;
  stage.sure({ kind: "mint", account: treasury, ...money });
  const alice = stage.trader(COIN);
  const made = eventsOf(grant(stage, alice), "accountCreated");
  const again = grant(stage, alice, { asset: stage.btc, units: 300 });
  expect([made.length, eventsOf(again, "accountCreated")]).toEqual([1, []]);
  const book = made[0]?.account ?? 0;
  expect([stage.balance(book).available, stage.balance(book, stage.btc).available]).toEqual([COIN, 300]);
  const short = grant(stage, alice, { asset: stage.btc, units: 201 });
  expect(eventsOf(short, "rejected")).toMatchObject([{ code: "INSUFFICIENT_BALANCE", limit: 200 }]);
});
