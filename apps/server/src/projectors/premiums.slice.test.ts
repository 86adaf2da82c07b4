// The table of premium samples equals the core's samples, on both databases, however the events are cut, and a
// settlement's rate follows from what is listed.
import { decodeEvents } from "@clockwork/core/protocol/codec";
import type { EventOf } from "@clockwork/core/protocol/event";
import { eventsOf } from "@clockwork/core/testing/driver";
import { createPerpStage } from "@clockwork/core/testing/perp-stage";
import type { EventBatch } from "@clockwork/host/engine";
import { allOf } from "@clockwork/kit/all-of";
import { formatUnits, units } from "@clockwork/kit/money";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@clockwork/kit/time";
import { premiumRoutes } from "@clockwork/trading/premiums/routes";
import { premiumStore } from "@clockwork/trading/premiums/store";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { openProjection } from "../engine/projection/projection.ts";
import { migrate } from "../storage/migrations.ts";
import { forEachDatabase } from "../storage/test-databases.ts";
import { JOURNAL, listBatches, PROJECTION_MIGRATIONS } from "./projection-fixture.ts";
import { PROJECTORS } from "./projectors.ts";

const START = 1_700_000_000_000 - (1_700_000_000_000 % (8 * HOUR_MS));
const DUE = START + 8 * HOUR_MS;
const rate = (value: number): string => formatUnits(units(value), 8);

/** Twelve minutes before a settlement and seven after it, a book that leans one way and the other; then another month. */
function runMarket() {
  const stage = createPerpStage(undefined, {}, DUE - 12 * MINUTE_MS);
  const maker = stage.trader(10 ** 15);
  stage.sell(maker, 1_000, 510_000);
  for (let step = 0; stage.time < DUE + 7 * MINUTE_MS; step += 1) {
    if (step % 5 === 0)
      stage.buy(maker, 1_000, step % 2 === 0 ? 499_000 + step : 500_100 + step, { timeInForce: "GTC" });
    if (step === 60) stage.mark(stage.linear, 509_000);
    stage.time = (Math.floor(stage.time / 5_000) + 1) * 5_000;
    stage.sure({ kind: "tick" });
  }
  const batches = listBatches(stage.journal);
  const events = batches.flatMap(({ bytes, timeBeforeMs }) => decodeEvents(bytes, 0, bytes.length, timeBeforeMs));
  const settled = events.find(
    (event): event is EventOf<"fundingSettled"> => event.kind === "fundingSettled" && event.market === stage.linear,
  );
  const sampled = events.filter(
    (event): event is EventOf<"premiumSampled"> => event.kind === "premiumSampled" && event.market === stage.linear,
  );
  if (settled === undefined) throw new Error("nothing was settled");
  stage.time = DUE + 31 * DAY_MS;
  stage.sure({ kind: "tick" });
  const all = listBatches(stage.journal);
  return { market: stage.linear, batches, late: all.slice(batches.length), settled, sampled };
}

forEachDatabase("premiums", (given) => {
  beforeAll(() => migrate(given.database(), PROJECTION_MIGRATIONS));
  const follow = async (lots: readonly (readonly EventBatch[])[]) => {
    const { kysely } = given.database();
    for (const batches of lots) {
      // A new projection each time, as after a crash.
      const projection = await openProjection({ kysely, projectors: PROJECTORS, pauseMs: 0 });
      projection.bind(JOURNAL);
      for (const batch of batches) await projection.listen(batch);
      await projection.close();
    }
    const { rows } = await sql`select * from engine_premiums order by market, slot_ms`.execute(kysely);
    return rows;
  };
  const clear = async () => {
    const projection = await openProjection({ kysely: given.database().kysely, projectors: PROJECTORS, pauseMs: 0 });
    projection.bind(JOURNAL);
    await projection.clear();
    await projection.close();
  };

  test("[FUT-2] bills of funding carry the time their settlement was due, those caught up on each its own", async () => {
    const stage = createPerpStage(undefined, {}, DUE - MINUTE_MS);
    const [long, short] = [stage.trader(10 ** 13), stage.trader(10 ** 13)];
    stage.sell(short, 100, 500_000);
    stage.buy(long, 100, 500_000);
    stage.sell(short, 1_000, 510_000);
    stage.buy(long, 1_000, 509_000);
    stage.mark(stage.linear, 500_000);
    stage.time = DUE - 5_000;
    stage.sure({ kind: "tick" });
    // No samples were taken while nothing ran, but earlier samples are settled late.
    stage.time = DUE + 3 * HOUR_MS;
    const events = stage.sure({ kind: "tick" });
    expect(eventsOf(events, "fundingSettled").filter(({ positions }) => positions > 0)).toMatchObject([{ dueAt: DUE }]);
    await clear();
    await follow([listBatches(stage.journal)]);
    const { rows } = await sql<{ business: string; time_ms: number; settled_ms: number | null }>`
      select business, time_ms, settled_ms from engine_bills where account in (${long}, ${short})
      order by account, sequence, line`.execute(given.database().kysely);
    const funding = rows.filter(({ business }) => business === "funding");
    expect(funding).toEqual(Array(2).fill({ business: "funding", time_ms: stage.time, settled_ms: DUE }));
    expect(allOf(rows, (row) => row.business === "funding" || row.settled_ms === null)).toBe(true);
  });

  test("[FUT-3] every sample is listed once under its settlement, and its rate is what the core settled", async () => {
    const { market, batches, late, settled, sampled } = runMarket();
    await clear();
    const whole = await follow([batches]);
    await clear();
    const cut = Math.floor(batches.length / 2);
    expect(await follow([batches.slice(0, cut), batches.slice(cut - 9, -4), batches.slice(-30)])).toEqual(whole);
    const [route] = premiumRoutes(
      (_, pairCode) =>
        pairCode === "BTC_USDT"
          ? { pairCode, market, fundingHours: 8, interestRate: 10_000, firstRate: 400_000n }
          : undefined,
      premiumStore(given.database().kysely),
    );
    // biome-ignore lint/suspicious/noExplicitAny: a handler is called as the HTTP side calls it
    const ask = async (query: object): Promise<any> =>
      route?.handle({ query: { pairCode: "BTC_USDT", ...query } } as never, { timeMs: DUE + 7 * MINUTE_MS } as never);
    const answer = (await ask({ settlement: DUE })).data;
    expect(settled.samples).toBeGreaterThan(100);
    expect(new Set(sampled.map(({ premium }) => premium)).size).toBeGreaterThan(3);
    expect(answer.samples).toHaveLength(settled.samples);
    expect([answer.premium, answer.rate]).toEqual([rate(settled.premium), rate(settled.rate)]);
    const next = (await ask({})).data;
    expect(next.timeMs).toBe(DUE + 8 * HOUR_MS);
    const listed = [...answer.samples, ...next.samples];
    expect(listed).toEqual(
      sampled.map(({ time, premium }) => ({ timeMs: time - (time % 1_000), premium: rate(premium) })),
    );
    expect((await ask({ settlement: DUE + HOUR_MS })).rejection.code).toBe("UNKNOWN_SETTLEMENT");
    expect((await ask({ settlement: DUE + 16 * HOUR_MS })).rejection.code).toBe("UNKNOWN_SETTLEMENT");
    expect((await ask({ pairCode: "AAA_BBB" })).rejection.code).toBe("UNKNOWN_MARKET");
    // Kept for a month: the first settlement after it deletes them.
    const rows = (await follow([late])) as { market: number; slot_ms: number }[];
    expect(rows.filter((row) => Number(row.market) === market && Number(row.slot_ms) <= DUE)).toEqual([]);
  });
});
