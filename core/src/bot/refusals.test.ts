import { describe, expect, it } from "vitest";
import { COIN, type CreateBot, createBotStage } from "../testing/bot-stage.ts";
import { eventsOf } from "../testing/driver.ts";

const stage = createBotStage();
stage.moveTo(1_004_000);
stage.moveTo(500_000, stage.linear);

describe("bots that are refused", () => {
  it.each([
    [{ lowTicks: 1_100_000 }, "GRID_RANGE_INVALID"],
    [{ cells: 201 }, "GRID_COUNT_INVALID"],
    [{ cells: 4, trailUpTicks: 1_300_000 }, "GRID_COUNT_INVALID"],
    [{ lowTicks: 1_003_990, highTicks: 1_004_005 }, "GRID_LINES_NOT_DISTINCT"],
    [{ lowTicks: 1_000_000, highTicks: 1_020_000 }, "GRID_CELL_EARNS_NOTHING"],
    [{ highTicks: 1_000_000 }, "GRID_PRICE_OUTSIDE"],
    [{ quoteUnits: 100 * COIN }, "GRID_INVESTMENT_TOO_SMALL"],
    [{ quoteUnits: 0 }, "INVALID_AMOUNT"],
    [{ quoteUnits: 2_000_000 * COIN }, "INSUFFICIENT_BALANCE"],
    [{ lowTicks: 150_000, cells: 100, quoteUnits: 100_000 * COIN }, "GRID_OUTSIDE_BAND"],
    [{ stopAboveTicks: 1_100_000 }, "GRID_STOP_INSIDE"],
    [{ stopBelowTicks: 950_000 }, "GRID_STOP_INSIDE"],
    [{ trailUpTicks: 1_000_000 }, "GRID_TRAIL_INVALID"],
    [{ exitBps: 49 }, "GRID_EXIT_INVALID"],
    [{ exitBps: 5_001 }, "GRID_EXIT_INVALID"],
    [{ grid: "neutral", lowTicks: 480_000, highTicks: 520_000, leverage: 2, exitBps: 500 }, "GRID_EXIT_INVALID"],
    [{ endsAt: 1 }, "INVALID_EXPIRY"],
    [{ grid: "neutral", market: 1, leverage: 1_000 }, "LEVERAGE_TOO_HIGH"],
    [{ grid: "long", lowTicks: 400_000, highTicks: 600_000, leverage: 20 }, "GRID_LIQUIDATION_INSIDE"],
    [{ grid: "neutral", market: 3 }, "BOOK_NOT_TRADABLE"],
    [{ market: 99 }, "UNKNOWN_MARKET"],
    [{ account: 99_999 }, "UNKNOWN_ACCOUNT"],
  ] as readonly (readonly [Partial<CreateBot>, string])[])(
    "[GRID-1] %o is refused with %s and nothing moves",
    (own, code) => {
      const before = stage.machine.snapshot();
      const events = stage.create(own);
      expect(eventsOf(events, "rejected")[0]?.code).toBe(code);
      expect(eventsOf(events, "posting")).toEqual([]);
      expect(eventsOf(events, "accountCreated")).toEqual([]);
      stage.machine.restore(before);
      stage.journal.pop();
    },
  );

  it("[GRID-1] asked twice under one reference it is one bot, and another under the same is refused", () => {
    const own = createBotStage();
    own.moveTo(1_004_000);
    own.create({ reference: "once" });
    const again = own.create({ reference: "once" });
    expect(eventsOf(again, "repeated")).toHaveLength(1);
    expect(eventsOf(again, "posting")).toEqual([]);
    expect(eventsOf(own.create({ reference: "once", cells: 10 }), "rejected")[0]?.code).toBe("REFERENCE_REUSED");
  });

  it("[GRID-1] whoever owns a bot withdraws its orders, but does not change them", () => {
    const own = createBotStage();
    own.moveTo(1_004_000);
    const made = own.create();
    const { account } = own.bot();
    const [order] = eventsOf(made, "orderAccepted").filter(
      (event) => event.account === account && event.price === 900_000,
    );
    const orderId = order?.orderId ?? 0;
    const before = own.resting(account);
    for (const change of [{ price: 899_000 }, { quantity: 1 }, { quantity: 10_000 }]) {
      const events = own.sure({ kind: "amendOrder", account, orderId, ...change });
      expect(eventsOf(events, "rejected")[0]?.code).toMatch(/^(AMEND_NOT_ALLOWED|BOT_BOOK_CLOSED)$/u);
    }
    expect(own.resting(account)).toEqual(before);
  });

  it("[GRID-1] a twenty-first bot is refused, one that ends makes room", () => {
    const own = createBotStage();
    own.moveTo(1_004_000);
    for (let i = 0; i < 20; i++) expect(eventsOf(own.create({ cells: 4 }), "rejected")).toEqual([]);
    const { account } = own.bot();
    expect(eventsOf(own.create(), "rejected")[0]).toMatchObject({ code: "TOO_MANY_BOTS", limit: 20 });
    own.sure({ kind: "stopBot", account, sells: false });
    expect(eventsOf(own.create(), "rejected")).toEqual([]);
  });
});
