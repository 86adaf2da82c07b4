// Which books a bonus can be for, and where its coins lie.
import { expect, test } from "vitest";
import { coreOf } from "../../machine/machine.ts";
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

test("[FUT-2] the book made for a bonus is told as it is, whatever else the command tells", () => {
  const stage = createPerpStage();
  stage.fundTreasury(10 * COIN);
  const alice = stage.trader(COIN, { user: 44 });
  stage.time += 5;
  const events = grant(stage, alice);
  expect(events[0]?.kind).toBe("clock");
  expect(eventsOf(events, "accountCreated")).toMatchObject([{ user: 44, book: "bonus", sub: alice, group: 44 }]);
});

test("[FUT-2] where there is no treasury not a unit is granted, and nothing is made for it", () => {
  const stage = createPerpStage();
  const alice = stage.trader(COIN);
  const refused = grant(stage, alice, { units: 1 });
  expect(eventsOf(refused, "rejected")).toMatchObject([{ code: "INSUFFICIENT_BALANCE", limit: 0 }]);
  expect(coreOf(stage.machine).ledger.cellIndex.find(0, stage.usdt)).toBe(0);
});

test("[FUT-2] a bonus of a unit is void when all leaves, and not when its share of what leaves is less than one", () => {
  const stage = createPerpStage();
  stage.fundTreasury(10 * COIN);
  const alice = stage.trader(COIN);
  grant(stage, alice, { units: 1 });
  const leave = (units: number): [string, number][] => {
    const money = { asset: stage.usdt, units, business: "withdrawal", reference: `out${units}` } as const;
    const events = stage.sure({ kind: "burn", account: alice, ...money });
    return eventsOf(events, "bonusChanged").map(({ state, returnedUnits }) => [state, returnedUnits]);
  };
  expect([leave(COIN - 1), leave(1)]).toEqual([[], [["VOIDED", 1]]]);
});

test("[FUT-2] a bonus whose time is over goes at once when just that much is free, and waits when a unit less is", () => {
  for (const less of [0, 1]) {
    const stage = createPerpStage();
    stage.fundTreasury(1_000 * COIN);
    // One BTC asks 2 500; the fee of 30 is borne by the bonus.
    const [alice, bob] = [stage.trader(2_500 * COIN - less), stage.trader(1_000_000 * COIN)];
    grant(stage, alice, { units: 1_000 * COIN });
    stage.sell(bob, 1_000, 500_000);
    stage.buy(alice, 1_000, 500_000);
    stage.time += 10_000;
    const [over] = eventsOf(stage.sure({ kind: "tick" }), "bonusChanged");
    expect([over?.state, over?.leftUnits]).toEqual(less === 0 ? ["EXPIRED", 0] : ["ACTIVE", 970 * COIN]);
  }
});
