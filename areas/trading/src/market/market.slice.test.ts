// Market data over HTTP and sockets from real trades of a real engine, on both databases, and after restarts.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { depthChecksum } from "@clockwork/kit/depth-checksum";
import { openClock } from "@clockwork/server/clock/clock";
import { AHEAD_MS } from "@clockwork/server/clock/clock-fixture";
import { openClient } from "@clockwork/server/socket/socket-fixture";
import { forEachMigrated } from "@clockwork/server/storage/test-databases";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Candle, Depth, DepthDelta, MarketTrade } from "../markets/contract.ts";
import { type MarketServer, startMarketServer } from "./market-fixture.ts";

forEachMigrated("market data", (database) => {
  let folder: string;
  let place: MarketServer;
  let maker: number;
  let taker: number;
  let market: number;
  const open = async (): Promise<void> => {
    const { url } = database.options();
    const environment: Record<string, string> = url === undefined ? {} : { DATABASE_URL: url };
    place = await startMarketServer({ folder, environment, clock: openClock({ aheadMs: AHEAD_MS }) });
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "cw-market-"));
    await open();
    maker = await place.trader(7, ["BTC", "USDT"]);
    taker = await place.trader(8, ["BTC", "USDT"]);
    market = await place.market("BTC_USDT");
  });
  afterAll(async () => {
    await place?.close();
    await rm(folder, { recursive: true, force: true });
  });
  const order = (account: number, side: "buy" | "sell", price: number, quantity: number) =>
    place.engine.submit({ kind: "placeOrder", account, market, side, price, quantity });
  const depth = async (limit = 50): Promise<Depth> =>
    (await place.get(`/v1/spot/depth?pairCode=BTC_USDT&limit=${limit}`)).data;

  test("[SPOT-3] orders show in depth at once, best first, with a checksum a client can verify", async () => {
    await order(maker, "sell", 964_210, 200);
    await order(maker, "sell", 964_230, 300);
    await order(maker, "buy", 964_190, 150);
    await order(maker, "buy", 964_180, 50);
    const found = await depth();
    expect(found).toMatchObject({
      pairCode: "BTC_USDT",
      asks: [
        ["96421.0", "0.00200"],
        ["96423.0", "0.00300"],
      ],
      bids: [
        ["96419.0", "0.00150"],
        ["96418.0", "0.00050"],
      ],
    });
    expect(found.checksum).toBe(depthChecksum(found.bids, found.asks));
    expect((await depth(1)).asks).toHaveLength(1);
  });

  test("[NET-6] depth and trades arrive as numbered updates that lead on from the snapshot", async () => {
    const client = await openClient(place.socketUrl);
    client.send({ event: "sub", channel: "depth", biz: "spot", pairCode: "BTC_USDT" });
    client.send({ event: "sub", channel: "trades", biz: "spot", pairCode: "BTC_USDT" });
    const first = await client.until(({ channel, snapshot }) => channel === "depth" && snapshot === true);
    await client.until(({ channel, snapshot }) => channel === "trades" && snapshot === true);
    await order(taker, "buy", 964_210, 50);
    const delta = await client.until(({ channel, snapshot }) => channel === "depth" && snapshot !== true);
    expect(delta.data as DepthDelta).toMatchObject({ asks: [["96421.0", "0.00150"]], bids: [] });
    expect((delta.data as DepthDelta).first).toBe((first.data as Depth).sequence + 1);
    const trades = await client.until(({ channel, snapshot }) => channel === "trades" && snapshot !== true);
    expect(trades.data as MarketTrade[]).toMatchObject([{ id: 1, price: "96421.0", quantity: "0.00050", side: "buy" }]);
    await order(taker, "buy", 964_210, 150);
    const gone = await client.until(
      ({ channel, data }) => channel === "depth" && (data as DepthDelta).asks[0]?.[1] === "0",
    );
    const { asks } = await depth();
    expect((gone.data as DepthDelta).checksum).toBe(depthChecksum((await depth()).bids, asks));
    client.socket.close();
  });

  test("[SPOT-3] trades give candles, the day's statistics and rankings", async () => {
    const candles: Candle[] = (await place.get("/v1/spot/candles?pairCode=BTC_USDT&interval=1m&limit=5")).data;
    expect(candles.reduce((sum, { trades }) => sum + trades, 0)).toBe(2);
    expect(candles.at(-1)).toMatchObject({ close: "96421.0", isGenerated: false });
    const [quotation] = (await place.get("/v1/spot/quotations?pairCode=BTC_USDT")).data;
    const shown = { last: "96421.0", volume: "0.00200", turnover: "192.842", ask: "96423.0", bid: "96419.0" };
    expect(quotation).toMatchObject({ ...shown, changePercent: "0.00" });
    expect((await place.get("/v1/spot/rankings")).data.turnover).toEqual(["BTC_USDT"]);
    const partitions: { key: string; pairCodes: string[] }[] = (await place.get("/v1/spot/partitions")).data;
    expect(partitions.find(({ key }) => key === "btc")?.pairCodes).toContain("ETH_BTC");
    expect((await place.get("/v1/spot/sparklines")).data[0]).toMatchObject({ pairCode: "BTC_USDT" });
  });

  test("[SPOT-3] every interval reports the same volume, in either time zone", async () => {
    for (const interval of ["1s", "1m", "5m", "30m", "1h", "12h", "1d", "3d", "1w", "1M"]) {
      for (const timezone of ["0", "1"]) {
        const path = `/v1/spot/candles?pairCode=BTC_USDT&interval=${interval}&timezone=${timezone}&limit=1000`;
        const candles: Candle[] = (await place.get(path)).data;
        expect([interval, candles.reduce((sum, { trades }) => sum + trades, 0)]).toEqual([interval, 2]);
      }
    }
  });

  test("[SPOT-3] bad input is refused with its code", async () => {
    expect(await place.get("/v1/spot/depth?pairCode=NO_PAIR")).toMatchObject({ code: "UNKNOWN_PAIR" });
    for (const path of [
      "depth?pairCode=btc",
      "depth?pairCode=BTC_USDT&limit=501",
      "trades?pairCode=BTC_USDT&limit=0",
      "candles?pairCode=BTC_USDT&interval=7m",
      "candles?pairCode=BTC_USDT&interval=1m&from=-1",
      "candles?pairCode=BTC_USDT&interval=1m&timezone=2",
    ]) {
      expect([path, (await fetch(`${place.url}/api/v1/spot/${path}`)).status]).toEqual([path, 400]);
    }
    expect((await fetch(`${place.url}/api/v1/spot/favourites`)).status).toBe(401);
  });

  test("[SPOT-3] a restart keeps book, trades and candles, and continues counting", async () => {
    const read = async () => [
      (await depth(500)).bids,
      (await depth(500)).asks,
      (await depth()).sequence,
      (await place.get("/v1/spot/trades?pairCode=BTC_USDT")).data,
      (await place.get("/v1/spot/candles?pairCode=BTC_USDT&interval=1h&limit=1")).data,
    ];
    const before = await read();
    await place.close();
    await open();
    expect(await read()).toEqual(before);
    await order(taker, "sell", 964_190, 50);
    const trades: MarketTrade[] = (await place.get("/v1/spot/trades?pairCode=BTC_USDT")).data;
    expect(trades.map(({ id }) => id)).toEqual([1, 2, 3]);
    const [hour] = (await place.get("/v1/spot/candles?pairCode=BTC_USDT&interval=1M&limit=1")).data;
    expect(hour).toMatchObject({ trades: 3, open: "96421.0", close: "96419.0" });
  });
});
