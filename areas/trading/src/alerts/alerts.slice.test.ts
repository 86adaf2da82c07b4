// Price alerts: notified once by letter and by socket when a trade reaches them, also across a restart; invalid alerts
// are rejected.

import { SESSION_COOKIE } from "@clockwork/kit/constants";
import { ROOT_FOLDER } from "@clockwork/server/root-folder";
import { openClient } from "@clockwork/server/socket/socket-fixture";
import { collectMigrations, migrate } from "@clockwork/server/storage/migrations";
import { forEachMigrated } from "@clockwork/server/storage/test-databases";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { place, startTradingServer, type TradingServer } from "../spot/spot-fixture.ts";
import type { Alert } from "./contract.ts";
import type { AlertClose, AlertNeeds, AlertTrade } from "./needs.ts";
import { ALERTS_MAX } from "./refusals.ts";
import { AlertService } from "./service.ts";
import { alertStore } from "./store.ts";

/** A market whose trades are set by the test. */
class Tape {
  readonly trades: AlertTrade[] = [];
  readonly letters: { readonly userId: number; readonly title: string; readonly body: string }[] = [];
  readonly answer: Alert[] = [];
  isInboxDown = false;
  closes: AlertClose[] = [];

  trade(priceTicks: number, timeMs: number): void {
    this.trades.push({ number: this.trades.length + 1, priceTicks, timeMs });
  }

  readonly needs: AlertNeeds = {
    hasPair: (pairCode) => pairCode === "BTC_USDT",
    readTicks: (_, price) => (/^[1-9][0-9]*$/.test(price) ? Number(price) : undefined),
    writePrice: (_, ticks) => String(ticks),
    lastTicks: () => this.trades.at(-1)?.priceTicks ?? 0,
    readTrades: () => this.trades,
    readCloses: async (_, __, count) => this.closes.slice(-count),
    notify: async (userId, { title, body }) => {
      if (this.isInboxDown) throw new Error("no inbox");
      this.letters.push({ userId, title, body });
    },
    publish: (_, alert) => this.answer.push(alert),
  };
}

forEachMigrated("alerts", (database) => {
  const open = async (tape: Tape, faults: unknown[] = []): Promise<AlertService> => {
    await migrate(database.database(), collectMigrations(ROOT_FOLDER));
    const service = new AlertService({
      store: alertStore(database.database().kysely),
      needs: tape.needs,
      onFault: (error) => faults.push(error),
    });
    await service.load();
    return service;
  };
  const set = async (service: AlertService, userId: number, price: string, timeMs: number): Promise<number> => {
    const added = await service.add(userId, { pairCode: "BTC_USDT", price }, timeMs);
    if (!added.done) throw new Error(added.code);
    return added.value.id;
  };

  test("[SPOT-4] an alert by an indicator is sent once, by the closed candle that crosses, also after a restart", async () => {
    const tape = new Tape();
    let service = await open(tape);
    tape.trade(100, 1_000);
    const body = { pairCode: "BTC_USDT", direction: "rises" } as const;
    const indicator = { name: "ma", interval: "1h", fast: 2, slow: 3 } as const;
    expect(await service.add(900_301, { ...body, indicator: { ...indicator, slow: 2 } }, 2_000)).toMatchObject({
      code: "INVALID_INDICATOR",
    });
    expect(await service.add(900_301, { ...body, indicator, price: "120" }, 2_000)).toMatchObject({ done: false });
    const added = await service.add(900_301, { ...body, indicator }, 2_000);
    expect(added).toMatchObject({ done: true, value: { indicator, price: "100", firedAtMs: null } });
    const close = (priceTicks: number) =>
      tape.closes.push({ closedAtMs: (tape.closes.length + 1) * 1_000, priceTicks });
    for (const price of [105, 104, 103]) close(price);
    await service.check();
    expect(tape.letters).toEqual([]);
    service = await open(tape);
    close(109);
    await service.check();
    await service.check();
    expect(tape.letters.map(({ title }) => title)).toEqual(["BTC/USDT: MA 2 crossed above MA 3 on 1h"]);
    expect(tape.answer).toMatchObject([{ firedPrice: "109", indicator }]);
    expect((await service.list(900_301, "BTC_USDT")).waiting).toEqual([]);
  });

  test("[SPOT-4] an alert is sent once, by the first trade that reaches it after it was set, and to its user only", async () => {
    const tape = new Tape();
    const service = await open(tape);
    tape.trade(120, 1_000);
    tape.trade(100, 2_000);
    const rising = await set(service, 1, "110", 3_000);
    const falling = await set(service, 2, "90", 3_000);
    await set(service, 1, "200", 3_000);
    // The trade at 120 was before; these do not reach the price.
    tape.trade(109, 3_500);
    tape.trade(91, 3_600);
    await service.check();
    expect(tape.letters).toEqual([]);
    // A spike that is over by the next check counts all the same.
    tape.trade(115, 4_000);
    tape.trade(85, 4_100);
    tape.trade(100, 4_200);
    await service.check();
    expect(tape.answer.map(({ id, firedPrice, firedAtMs }) => [id, firedPrice, firedAtMs])).toEqual([
      [rising, "115", 4_000],
      [falling, "85", 4_100],
    ]);
    expect(tape.letters.map(({ userId, title }) => [userId, title])).toEqual([
      [1, "BTC/USDT rose to 110"],
      [2, "BTC/USDT fell to 90"],
    ]);
    tape.trade(115, 5_000);
    await service.check();
    expect(tape.letters).toHaveLength(2);
    const { waiting, fired } = await service.list(1, "BTC_USDT");
    expect([waiting.map(({ price }) => price), fired.map(({ price }) => price)]).toEqual([["200"], ["110"]]);
    expect(await service.list(1, "ETH_USDT")).toEqual({ waiting: [], fired: [] });
    await service.remove(1, waiting[0]?.id ?? 0);
  });

  test("[SPOT-4] waiting alerts survive a restart, and a reached alert is sent even when the inbox failed", async () => {
    const tape = new Tape();
    const faults: unknown[] = [];
    const first = await open(tape, faults);
    tape.trade(100, 1_000);
    const met = await set(first, 7, "110", 2_000);
    const later = await set(first, 7, "130", 2_000);
    tape.isInboxDown = true;
    tape.trade(111, 3_000);
    await first.check();
    expect([faults.length, tape.answer.length]).toEqual([1, 0]);
    // Met once: the same trade does not meet it again, and the notification is retried.
    await first.check();
    expect([faults.length, tape.answer.length]).toEqual([2, 0]);

    tape.isInboxDown = false;
    const second = await open(tape);
    await second.check();
    expect(tape.answer.map(({ id, firedPrice }) => [id, firedPrice])).toEqual([[met, "111"]]);
    tape.trade(130, 4_000);
    await second.check();
    expect(tape.answer.map(({ id }) => id)).toEqual([met, later]);
    await open(tape);
    expect(tape.letters).toHaveLength(2);
  });

  test("[SPOT-4] no burst passes the limit, and a removed alert makes room", async () => {
    const tape = new Tape();
    const service = await open(tape);
    tape.trade(1, 1_000);
    const prices = Array.from({ length: ALERTS_MAX + 10 }, (_, index) => String(index + 10));
    const added = await Promise.all(prices.map((price) => service.add(9, { pairCode: "BTC_USDT", price }, 2_000)));
    const done = added.flatMap((one) => (one.done ? [one.value.id] : []));
    expect(done).toHaveLength(ALERTS_MAX);
    expect(added.filter((one) => !one.done && one.code === "ALERTS_FULL")).toHaveLength(10);
    expect((await service.add(10, { pairCode: "BTC_USDT", price: "10" }, 2_000)).done).toBe(true);
    expect(await service.remove(10, done[0] ?? 0)).toMatchObject({ done: false, code: "ALERT_UNKNOWN" });
    expect((await service.remove(9, done[0] ?? 0)).done).toBe(true);
    expect((await service.add(9, { pairCode: "BTC_USDT", price: "10" }, 2_000)).done).toBe(true);
    expect((await service.add(9, { pairCode: "BTC_USDT", price: "10" }, 2_000)).done).toBe(false);
  });
});

describe("over the network", () => {
  let server: TradingServer;
  beforeAll(async () => {
    server = await startTradingServer();
  });
  afterAll(() => server.close());

  test("[SPOT-4] a trade that meets an alert reaches letters and socket of its user; bad input is refused by code", async () => {
    const maker = await server.trader({ BTC: "1", USDT: "100000" });
    const taker = await server.trader({ BTC: "1", USDT: "100000" });
    const trade = async (price: string) => {
      await place(maker, { side: "sell", price, quantity: "0.001" });
      expect((await place(taker, { side: "buy", price, quantity: "0.001" })).data.status).toBe("FILLED");
    };
    const early = { pairCode: "BTC_USDT", price: "90500" };
    expect((await taker.post("/v1/alerts", early)).code).toBe("NO_PRICE");
    await trade("90000");
    const client = await openClient(`${server.url.replace("http", "ws")}/ws`);
    client.send({ event: "login", data: { token: taker.jar.get(SESSION_COOKIE.accessToken) } });
    await client.until(({ event }) => event === "login");
    client.send({ event: "sub", channel: "alerts" });
    await client.settle();

    const alert = { pairCode: "BTC_USDT", price: "90500.0" };
    const added = await taker.post("/v1/alerts", alert);
    expect(added.data).toMatchObject({ ...alert, direction: "rises", firedAtMs: null });
    const bad: readonly (readonly [object, number, string])[] = [
      [{ ...alert, pairCode: "AAA_BBB" }, 404, "UNKNOWN_MARKET"],
      [{ ...alert, pairCode: "btc" }, 400, "VALIDATION_FAILED"],
      [{ ...alert, price: 90500 }, 400, "VALIDATION_FAILED"],
      [{ ...alert, price: "9e4" }, 400, "VALIDATION_FAILED"],
      [{ ...alert, price: "-1" }, 400, "VALIDATION_FAILED"],
      [{ ...alert, price: "٣" }, 400, "VALIDATION_FAILED"],
      [{ ...alert, price: "0" }, 400, "INVALID_PRICE"],
      [{ ...alert, price: "90500.05" }, 400, "INVALID_PRICE"],
      [{ ...alert, price: "999999999999999999999999" }, 400, "INVALID_PRICE"],
      [{ ...alert, price: "90000" }, 422, "ALERT_MET"],
      [{ ...alert, direction: "falls" }, 422, "ALERT_MET"],
      [{ ...alert, direction: "sideways" }, 400, "VALIDATION_FAILED"],
      [{ ...alert, userId: 1 }, 400, "VALIDATION_FAILED"],
    ];
    for (const [body, status, code] of bad) {
      const answer = await taker.post("/v1/alerts", body);
      expect([body, answer.status, answer.code]).toEqual([body, status, code]);
    }
    expect((await maker.delete(`/v1/alerts/${added.data.id}`)).code).toBe("ALERT_UNKNOWN");
    expect((await maker.get("/v1/alerts")).data).toEqual({ waiting: [], fired: [] });
    expect((await taker.get("/v1/alerts")).data.waiting).toHaveLength(1);

    await trade("90500");
    const result = await client.until(({ channel, data }) => channel === "alerts" && data !== undefined);
    expect(result.data).toMatchObject({ id: added.data.id, firedPrice: "90500.0" });
    expect((await taker.get("/v2/users/letters")).data.letters[0]).toMatchObject({
      kind: "alert",
      title: "BTC/USDT rose to 90,500.0",
    });
    expect((await taker.get("/v1/alerts")).data).toMatchObject({ waiting: [], fired: [{ firedPrice: "90500.0" }] });

    // Too far from the last price, and again too far from the price that met it.
    for (const wrong of [{ percent: "1", price: "91000" }, { repeats: true, price: "91000" }, {}, { percent: "0" }])
      expect((await taker.post("/v1/alerts", { pairCode: "BTC_USDT", ...wrong })).code).toBe("INVALID_PRICE");
    const again = await taker.post("/v1/alerts", { pairCode: "BTC_USDT", percent: "1", repeats: true });
    expect(again.data).toMatchObject({ price: "91405.0", percent: "1", repeats: true, direction: "rises" });
    await trade("91500");
    await client.until(
      ({ channel, data }) => channel === "alerts" && (data as { id?: number } | undefined)?.id === again.data.id,
    );
    const { waiting } = (await taker.get("/v1/alerts")).data;
    expect(waiting).toMatchObject([{ price: "92415.0", percent: "1", repeats: true, firedAtMs: null }]);
    client.close();
  });
});
