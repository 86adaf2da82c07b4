// Market data of perpetual contracts, from a simulated futures market's own journal: all published data equals a plain
// count of the events, and a restart in the middle neither loses nor doubles anything.
import { type Listing, readListing } from "@clockwork/core/inspect/listing";
import { createMachine } from "@clockwork/core/machine/machine";
import { decodeEvents } from "@clockwork/core/protocol/codec";
import type { MachineEvent } from "@clockwork/core/protocol/event";
import { INSURANCE_ACCOUNT } from "@clockwork/core/protocol/names";
import { SILENT_LOG } from "@clockwork/host/log";
import { priceText, quantityText, valueFloor, valueText } from "@clockwork/kit/instrument";
import { createRandom } from "@clockwork/kit/random";
import { clockOf } from "@clockwork/server/clock/clock-fixture";
import { ROOT_FOLDER } from "@clockwork/server/root-folder";
import { collectMigrations, migrate } from "@clockwork/server/storage/migrations";
import { forEachMigrated } from "@clockwork/server/storage/test-databases";
import { openFuturesStage } from "@clockwork/sim/market/futures/futures-stage";
import { beforeAll, expect, test } from "vitest";
import { ContractService } from "../markets/contract-service.ts";
import type { EventBytes } from "../markets/projector.ts";
import { type MarketData, openMarketData } from "./data.ts";

const MINUTE_MS = 60_000;
const NEWEST = { sequence: Number.MAX_SAFE_INTEGER, place: 0 };
const batches: EventBytes[] = [];
const events: MachineEvent[] = [];
let listing: Listing;
let endMs = 0;

/** Three minutes of trading with a crash in the middle. */
beforeAll(() => {
  const stage = openFuturesStage({ seed: 5, participants: 40, seconds: 2 });
  stage.run(180);
  for (const coin of ["DOGE", "SOL", "ETH"]) stage.shock(coin, -0.15);
  stage.run(180);
  const machine = createMachine();
  let chunk: Uint8Array[] = [];
  let timeBeforeMs = 0;
  for (const [index, command] of stage.driver.journal.entries()) {
    if (chunk.length === 0) timeBeforeMs = machine.now;
    const before = machine.now;
    machine.events.clear();
    machine.apply(command, 0);
    chunk.push(machine.events.bytes.slice(0, machine.events.length));
    events.push(...decodeEvents(machine.events.bytes, 0, machine.events.length, before));
    if (index % 23 !== 0 && index + 1 < stage.driver.journal.length) continue;
    batches.push({ lastSequence: machine.sequence, timeBeforeMs, bytes: Buffer.concat(chunk) });
    chunk = [];
  }
  listing = readListing(machine);
  endMs = stage.driver.time;
});

async function openData(kysely: Parameters<typeof openMarketData>[0]["kysely"]): Promise<MarketData> {
  const clock = clockOf(() => endMs);
  const data = await openMarketData({ kysely, log: SILENT_LOG, clock, isSimulated: true, folder: "" });
  data.bind("journal");
  await data.connect(async () => listing);
  return data;
}

function serviceOf(data: MarketData): ContractService {
  const { pairs, projector, series, store } = data;
  const needs = {
    listPairs: () => pairs.pairs,
    findPair: pairs.findPair.bind(pairs),
    listContracts: pairs.listContracts.bind(pairs),
    findListed: pairs.findListed.bind(pairs),
    worthUnits: () => undefined,
    partitions: [],
  };
  return new ContractService({ needs, projector, series, store });
}

/** Everything the reader returns for every contract. */
async function publishAll(data: MarketData) {
  // Current values are read from the core.
  await data.refresh();
  const service = serviceOf(data);
  const answer = [];
  for (const biz of ["futures", "delivery"] as const) {
    for (const { pairCode } of service.listContracts(biz)) {
      const candles = [];
      for (const kind of ["last", "mark", "index", "interest"] as const) {
        const request = { biz, pairCode, kind, interval: "1m", limit: 10 } as const;
        candles.push(await service.readCandles(request, endMs));
      }
      answer.push({
        biz,
        pairCode,
        candles,
        quotation: service.readQuotation(biz, pairCode, endMs),
        trades: await data.history.readTrades(biz, pairCode, { limit: 100 }),
        liquidations: await service.listLiquidations(biz, pairCode, NEWEST, 100),
        fundings: await service.listFundings(biz, pairCode, Number.MAX_SAFE_INTEGER, 100),
      });
    }
  }
  return answer;
}

const eventsOf = <K extends MachineEvent["kind"]>(kind: K, market: number) =>
  events.filter(
    (event): event is Extract<MachineEvent, { kind: K }> =>
      event.kind === kind && "market" in event && event.market === market,
  );

forEachMigrated("contracts", (place) => {
  const open = async (): Promise<MarketData> => {
    await migrate(place.database(), collectMigrations(ROOT_FOLDER));
    return openData(place.database().kysely);
  };

  test("[MARKET-9] events that cannot be folded stop the cursor where it is stored; a restart begins again there", async () => {
    const data = await open();
    const cut = Math.floor(batches.length / 2);
    for (const batch of batches.slice(0, cut)) data.listen(batch);
    await data.flush();
    const before = await data.store.readCursor();
    const fold = data.projector.fold.bind(data.projector);
    // Fails after processing a whole batch.
    data.projector.fold = (batch) => {
      fold(batch);
      throw new Error("cannot be folded");
    };
    for (const batch of batches.slice(cut)) data.listen(batch);
    await data.close();
    expect(data.failure).toBe(`market data stopped after ${before?.sequence}`);
    expect(await data.store.readCursor()).toEqual(before);
    const again = await open();
    expect([again.sequence, again.failure]).toEqual([before?.sequence, undefined]);
    for (const batch of batches.slice(cut)) again.listen(batch);
    await again.close();
    expect((await again.store.readCursor())?.sequence).toBe(batches.at(-1)?.lastSequence);
  });

  test("[FUT-1] trades, mark, index, open interest and liquidations are those of the events", async () => {
    const data = await open();
    for (const batch of batches) data.listen(batch);
    await data.flush();
    let liquidated = 0;
    for (const { biz, pairCode, candles, quotation, trades, liquidations } of await publishAll(data)) {
      const pair = data.pairs.findListed(biz, pairCode);
      if (pair === undefined || !quotation.done || quotation.value === null) throw new Error(pairCode);
      const prints = eventsOf("trade", pair.market);
      const value = prints.reduce((sum, { lots, price }) => sum + valueFloor(pair, lots, price), 0n);
      const lots = prints.reduce((sum, trade) => sum + BigInt(trade.lots), 0n);
      const marks = eventsOf("referencePrice", pair.market);
      const now = listing.markets[pair.market - 1]?.contract;
      expect(marks.at(-1)?.markTicks).toBe(now?.markTicks);
      expect(quotation.value).toMatchObject({
        last: priceText(pair, prints.at(-1)?.price ?? 0),
        mark: priceText(pair, now?.markTicks ?? 0),
        index: priceText(pair, now?.indexTicks ?? 0),
        volume: quantityText(pair, lots),
        turnover: valueText(pair, value),
        openInterest: quantityText(pair, now?.openLots ?? 0),
        isDegraded: false,
      });
      const [, mark] = candles;
      if (!mark?.done) throw new Error(pairCode);
      const newest = marks.filter(({ time }) => time >= endMs - (endMs % MINUTE_MS)).map(({ markTicks }) => markTicks);
      expect(mark.value.at(-1)).toMatchObject({
        high: priceText(pair, Math.max(...newest)),
        low: priceText(pair, Math.min(...newest)),
      });
      const numbers = trades.done ? trades.value.map(({ id }) => id) : [];
      expect(numbers).toEqual(prints.slice(-100).map(({ tradeNumber }) => tradeNumber));
      const liquidation = eventsOf("liquidationPrint", pair.market).toReversed();
      expect(liquidations.done && liquidations.value.map(({ price, side }) => [price, side])).toEqual(
        liquidation.slice(0, 100).map((one) => [priceText(pair, one.price), one.lots > 0 ? "long" : "short"]),
      );
      liquidated += liquidation.length;
      // One per page: several prints of one command are not lost when paging.
      const paged: string[] = [];
      let before = NEWEST;
      for (;;) {
        const page = await serviceOf(data).listLiquidations(biz, pairCode, before, 1);
        const id = page.done ? page.value[0]?.id : undefined;
        if (id === undefined) break;
        paged.push(id);
        const [sequence = 0, at = 0] = id.split("-").map(Number);
        before = { sequence, place: at };
      }
      expect(paged.slice(0, 100)).toEqual(liquidations.done && liquidations.value.map(({ id }) => id));
    }
    expect(liquidated).toBeGreaterThan(3);
    for (const biz of ["futures", "delivery"] as const) {
      const service = serviceOf(data);
      const all = await service.listLiquidations(biz, undefined, NEWEST, 500);
      const each = [];
      for (const { pairCode } of service.listContracts(biz)) {
        const one = await service.listLiquidations(biz, pairCode, NEWEST, 500);
        if (one.done) each.push(...one.value);
      }
      // All together, newest first: by command and place, as in their ids.
      const places = (id: string) => id.split("-").map(Number) as [number, number];
      each.sort((left, right) => {
        const [[sequence, at], [other, place]] = [places(left.id), places(right.id)];
        return other - sequence || place - at;
      });
      expect(all.done && all.value).toEqual(each);
    }
    const usdt = data.pairs.findAsset("USDT");
    if (usdt === undefined) throw new Error("USDT");
    const postings = events.filter(
      (event) => event.kind === "posting" && event.account === INSURANCE_ACCOUNT && event.asset === usdt.asset,
    ) as Extract<MachineEvent, { kind: "posting" }>[];
    const fund = await serviceOf(data).readFund(usdt, 0);
    const [inflow = 0, outflow = 0] = [1, -1].map((sign) =>
      postings.reduce((sum, { deltaUnits }) => sum + Math.max(0, sign * deltaUnits), 0),
    );
    expect(fund.days.map((day) => [Number(day.inflow) * 1e6, Number(day.outflow) * 1e6])).toEqual([
      [expect.closeTo(inflow, 0), expect.closeTo(outflow, 0)],
    ]);
    expect(Number(fund.balance) * 1e6).toBeCloseTo(postings.at(-1)?.availableUnits ?? 0, 0);
  });

  test("[FUT-1] restarts in the middle that repeat some events lose and double nothing", async () => {
    const straight = await open();
    for (const batch of batches) straight.listen(batch);
    await straight.flush();
    const expected = await publishAll(straight);
    const { kysely } = place.database();
    for (const table of ["cursor", "pair", "candle", "price_candle", "trade", "funding", "liquidation", "fund"]) {
      await kysely.$extendTables<Record<string, object>>().deleteFrom(`markets_${table}`).execute();
    }
    const random = createRandom(3);
    let data = await openData(kysely);
    for (const [index, batch] of batches.entries()) {
      data.listen(batch);
      if (!random.chance(1, 12)) continue;
      if (random.chance(1, 2)) await data.flush();
      data = await openData(kysely);
      // The engine redelivers from the position of the slowest listener.
      const from = batches.findIndex(({ lastSequence }) => lastSequence > data.sequence);
      for (const again of batches.slice(Math.max(0, from - random.below(3)), index + 1)) data.listen(again);
    }
    await data.flush();
    expect(await publishAll(data)).toEqual(expected);
    expect(await publishAll(await openData(kysely))).toEqual(expected);
  });
});
