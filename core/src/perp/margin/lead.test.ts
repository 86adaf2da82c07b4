// What copy trading hears of cash and positions: of followers' money that their share is to be reckoned anew, of strangers
// nothing.
import { expect, test } from "vitest";
import { followOf } from "../../copy/share/funds.ts";
import { addJob } from "../../copy/share/jobs.ts";
import {
  FO_TOUCHED,
  JO_KIND,
  JO_LEADER,
  JO_MARKET,
  JO_SHORT,
  JO_STOPS,
  JOB_CLOSE,
  JOB_MARGIN,
  JOB_OPEN,
  JOB_STOPS,
  JOB_STOPS_ENDED,
  JOF_EQUITY,
  JOF_LOTS,
  JOF_ORDER_LOTS,
  JOF_POSITION,
  JOF_VALUE,
  JOF_WHOLE,
} from "../../copy/state/records.ts";
import { A_COPY } from "../../ledger/ledger.ts";
import { coreOf } from "../../machine/machine.ts";
import type { Command } from "../../protocol/command.ts";
import { ORDER_SLOT_COUNT } from "../../protocol/layout.ts";
import { BUSINESSES, TRIGGER_SOURCES } from "../../protocol/names.ts";
import { COIN, createCopyStage } from "../../testing/copy-stage.ts";
import { eventsOf } from "../../testing/driver.ts";
import { CT_CLEARING_CELL, MA_CELL, PO_LEVERAGE, POSITION_IDS } from "../state/records.ts";
import { chargeFee, giveBack, payFromClearing, setAside, takeUnits } from "./cash.ts";
import { equityOf, noteClose, noteMargin, noteMovedStop, noteOpen, noteStopEnd, noteStops } from "./lead.ts";

const MARK = 500_000;
const [REALIZED, OPEN_FEE] = [BUSINESSES.indexOf("realized"), BUSINESSES.indexOf("openFee")];

function setUp() {
  const stage = createCopyStage();
  const { leader, linear: market } = stage;
  const follower = stage.follower({ multiplier: 50_000_000, units: 2_000 * COIN });
  const outsider = stage.trader(1_000 * COIN);
  for (const account of [leader, outsider]) stage.sure({ kind: "setMarginMode", account, market, isolated: true });
  stage.sell(stage.maker, 1_000, MARK);
  stage.buy(stage.maker, 1_000, MARK - 10);
  for (const account of [leader, outsider]) stage.buy(account, 20, MARK);
  const core = coreOf(stage.machine);
  const position = (account: number): number => (stage.held(account)[0]?.id ?? 0) % POSITION_IDS;
  return { stage, core, market, follower, outsider, position };
}

test("[COPY-3] margin and stops of who leads nobody, or follows himself, are noted for nobody", () => {
  const { stage, market, follower, outsider } = setUp();
  for (const account of [outsider, follower]) {
    const side = account === follower ? { side: "long" } : {};
    const publish = (command: object): unknown[] => {
      const events = stage.sure({ account, market, ...command } as Command);
      expect(eventsOf(events, "rejected")).toEqual([]);
      return eventsOf(events, "copyStarted");
    };
    expect(publish({ kind: "changeMargin", units: COIN, ...side })).toEqual([]);
    const stops = { kind: "setPositionStops", account, market, stopTrigger: 490_000, ...side } as Command;
    const set = stage.sure(stops);
    expect(eventsOf(set, "copyStarted")).toEqual([]);
    const orderId = eventsOf(set, "conditionalAccepted")[0]?.orderId;
    expect(publish({ kind: "moveStop", orderId, trigger: 489_000 })).toEqual([]);
    expect(publish({ kind: "closePosition", ...side })).toEqual([]);
  }
});

test("[COPY-4] whatever moves the money of a follower has his share reckoned anew, and nobody else's", () => {
  const { stage, core, market, follower, outsider, position } = setUp();
  const { copies, ledger, perps } = core;
  const { follows } = copies;
  const follow = followOf(core, follower);
  const clearing = perps.contract(market, CT_CLEARING_CELL);
  const null0 = (): number[] => Array.from({ length: 32 }, (_, at) => follows.double(0, at));
  const before = null0();
  const touched = (account: number, act: (marginAccount: number, of: number) => void): number[] => {
    const of = position(account);
    follows.setWord(follow, FO_TOUCHED, 0);
    copies.touched.length = 0;
    act(perps.marginAccountOf(of), of);
    return copies.touched.splice(0);
  };
  const acts: ((marginAccount: number, of: number) => void)[] = [
    (at) => takeUnits(core, at, 0, market, clearing, 5, REALIZED, 1),
    (at) => chargeFee(core.views, at, market, 1_000 * COIN, 0, 60_000, OPEN_FEE, 1),
    (at, of) => {
      setAside(core, at, of, 7);
      giveBack(core, at, of, 7);
    },
  ];
  expect(acts.map((act) => touched(follower, act))).toEqual(acts.map(() => [follow]));
  expect(acts.map((act) => touched(outsider, act))).toEqual(acts.map(() => []));
  // Of a gain the leader's part is set aside at once.
  ledger.move(perps.marginAccount(perps.marginAccountOf(position(outsider)), MA_CELL), clearing, 200 * COIN);
  const { held } = stage.share(follower);
  for (const account of [outsider, follower])
    payFromClearing(core, perps.marginAccountOf(position(account)), market, 100 * COIN, REALIZED, 1);
  const { realized, mark, held: now } = stage.share(follower);
  expect([held, now]).toEqual([0, Math.floor((realized - mark) / 10)]);
  expect(realized).toBeGreaterThan(90 * COIN);
  // A loss beyond the wallet takes from that part first; a stranger's touches nobody.
  const part = now - COIN;
  const beyond = (marginAccount: number): number =>
    ledger.available(perps.marginAccount(marginAccount, MA_CELL)) + part;
  const missing: number[] = [];
  const lose = (at: number): void => {
    missing.push(takeUnits(core, at, 0, market, clearing, beyond(at), REALIZED, 1));
  };
  expect([touched(follower, lose), touched(outsider, lose), missing]).toEqual([[follow], [], [0, part]]);
  expect(stage.share(follower).held).toBe(0);
  expect(null0()).toEqual(before);
});

test("[COPY-3] a leader is worth his wallet and his margins, with the profit of all he holds", () => {
  const { stage, core, market, position } = setUp();
  const { leader } = stage;
  stage.mark(market, MARK + 1_000);
  const { available, frozen } = stage.balance(leader);
  expect(frozen).toBeGreaterThan(0);
  // Nobody's order is being filled any more.
  expect(core.copies.orderSlot).toBe(0);
  // Twenty thousandths gained 100 each.
  expect(equityOf(core, core.perps.marginAccountOf(position(leader)))).toBe(available + frozen + 2 * COIN);
});

test("[COPY-3] a stop's end is noted once for a side of a market, whatever else was done and whoever else has one", () => {
  const { stage, core, market } = setUp();
  const { leader } = stage;
  const stops = { kind: "setPositionStops", account: leader, market, stopTrigger: 490_000 } as const;
  const [plan] = eventsOf(stage.sure(stops), "conditionalAccepted");
  const slot = (plan?.orderId ?? 0) % ORDER_SLOT_COUNT;
  const { copies } = core;
  const own = core.ledger.accountWord(leader, A_COPY);
  const noted = (...before: readonly (readonly [number, number, number, number])[]): unknown[] => {
    copies.fresh.length = 0;
    for (const [of, kind, where, short] of before) addJob(core, of, kind, where, short, 0);
    noteStopEnd(core, slot);
    const made = copies.fresh.splice(0).slice(before.length);
    expect(made.map((job) => copies.jobs.double(job, JOF_POSITION))).toEqual(made.map(() => 0));
    return made.map((job) => [JO_LEADER, JO_KIND, JO_MARKET, JO_SHORT].map((word) => copies.jobs.word(job, word)));
  };
  const end = [own, JOB_STOPS_ENDED, market, 0] as const;
  expect(noted()).toEqual([end]);
  expect(noted(end)).toEqual([]);
  const others = [
    [own + 1, JOB_STOPS_ENDED, market, 0],
    [own, JOB_CLOSE, market, 0],
    [own, JOB_STOPS_ENDED, market + 1, 0],
    [own, JOB_STOPS_ENDED, market, 1],
  ] as const;
  for (const other of others) expect(noted(other)).toEqual([end]);
  expect(noted(...others)).toEqual([end]);
  // A plan of his that is of no position is his own affair.
  const plan2 = { kind: "placeConditional", account: leader, market, conditional: "stopMarket" } as const;
  const own2 = stage.sure({
    ...plan2,
    side: "sell",
    quantity: 5,
    trigger: 480_000,
    direction: "falls",
    reduceOnly: true,
  });
  const orderId = eventsOf(own2, "conditionalAccepted")[0]?.orderId ?? 0;
  expect([eventsOf(own2, "rejected"), orderId > 0]).toEqual([[], true]);
  noteStopEnd(core, orderId % ORDER_SLOT_COUNT);
  expect(copies.fresh).toEqual([]);
});

test.each([
  ["buy", 0],
  ["sell", 1],
] as const)("[COPY-3] what a leader does is noted with all that copies of it are made of (%s)", (side, short) => {
  const stage = createCopyStage();
  const { leader, linear: market } = stage;
  stage.follower();
  stage.sure({ kind: "setMarginMode", account: leader, market, isolated: true });
  stage.sure({ kind: "setLeverage", account: leader, market, long: 7 });
  stage[short === 1 ? "buy" : "sell"](stage.maker, 1_000, MARK);
  stage[side](leader, 20, MARK);
  const rests = eventsOf(stage[side](leader, 9, MARK + (short === 1 ? 900 : -900)), "orderAccepted");
  const core = coreOf(stage.machine);
  const { copies, perps } = core;
  const of = (stage.held(leader)[0]?.id ?? 0) % POSITION_IDS;
  const equity = equityOf(core, perps.marginAccountOf(of));
  const own = core.ledger.accountWord(leader, A_COPY);
  const noted = (act: () => void): object => {
    copies.fresh.length = 0;
    act();
    const [job = 0, ...more] = copies.fresh.splice(0);
    expect(more).toEqual([]);
    const words = Array.from({ length: 17 }, (_, at) => copies.jobs.word(job, at + 1));
    const [by, kind, where, isShort, , leverage, isolated] = words;
    const doubles = [JOF_LOTS, JOF_VALUE, JOF_WHOLE, JOF_ORDER_LOTS, JOF_EQUITY].map((at) =>
      copies.jobs.double(job, at),
    );
    expect([by, where, copies.jobs.double(job, JOF_POSITION)]).toEqual([own, market, perps.positionId(of)]);
    return { kind, short: isShort, leverage, isolated, doubles, stops: words.slice(JO_STOPS - 1) };
  };
  const none = [0, 0, 0, 0, 0, 0, 0, 0];
  const plain = { short, leverage: 0, isolated: 0, stops: none };
  copies.orderSlot = (rests[0]?.orderId ?? 0) % ORDER_SLOT_COUNT;
  const opened = noted(() => {
    noteOpen(core, of, short === 1 ? -3 : 3, 1_500);
    // The next fill of the same order joins it.
    perps.setPosition(of, PO_LEVERAGE, 99);
    noteOpen(core, of, short === 1 ? -2 : 2, 1_000);
  });
  const open = { ...plain, kind: JOB_OPEN, leverage: 7, isolated: 1 };
  expect(opened).toEqual({ ...open, doubles: [5, 2_500, 0, 9, equity] });
  for (const byStop of [0, 1]) {
    copies.isStopping = byStop === 1;
    const closed = noted(() => noteClose(core, of, 2, 900));
    expect(closed).toEqual({
      ...plain,
      kind: JOB_CLOSE,
      doubles: [2, 900, 20, 0, 0],
      stops: [...none.slice(1), byStop],
    });
  }
  copies.isStopping = false;
  copies.orderSlot = 0;
  const added = noted(() => noteMargin(core, of, 5, 7));
  expect(added).toEqual({ ...plain, kind: JOB_MARGIN, doubles: [5, 0, 7, 0, 0] });
  const moved = noted(() => noteMovedStop(core, of, 77, [1, 2, 3, 4, 5]));
  expect(moved).toEqual({ ...plain, kind: JOB_STOPS, doubles: [0, 0, 0, 0, 77], stops: [1, 2, 3, 4, 5, 0, 0, 1] });
  const [loss, gain] = short === 1 ? [510_000, 490_000] : [490_000, 510_000];
  const stops = { kind: "setPositionStops", account: leader, market, lots: 8, source: "last" } as const;
  stage.sure({ ...stops, stopTrigger: loss, stopPrice: loss + 1, profitTrigger: gain, profitPrice: gain + 2 });
  // The command is still there to be read.
  const set = noted(() => noteStops(core, of));
  const source = TRIGGER_SOURCES.indexOf("last");
  const words = [gain, gain + 2, loss, loss + 1, source, 0, 0, 0];
  expect(set).toEqual({ ...plain, kind: JOB_STOPS, doubles: [8, 0, 20, 0, 0], stops: words });
});
