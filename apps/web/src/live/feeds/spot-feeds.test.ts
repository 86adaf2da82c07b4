// Own orders, fills and balances remain complete: snapshot and changes, reconnection, plain calls while the socket is
// down.

import { SPOT_MAIN } from "@clockwork/kit/books";
import type { Endpoint } from "@clockwork/kit/endpoint";
import type { Fill, SpotBalance, SpotOrder } from "@clockwork/trading/spot/contract";
import { describe, expect, test } from "vitest";
import type { Answer } from "#live/answer.ts";
import { Feed } from "#live/feed.ts";
import type { RequestClient } from "#live/request.ts";
import { LiveSocket } from "#live/socket.ts";
import { ManualClock, settle } from "#live/test-clock.ts";
import { FakeNetwork } from "#live/test-wire.ts";
import { joinFills, joinOrders } from "./own-feeds.ts";
import { joinBalances, type SpotFeeds, spotFeeds } from "./spot-feeds.ts";

function order(orderId: string, changes: Partial<SpotOrder> = {}): SpotOrder {
  return {
    orderId,
    clientOrderId: null,
    pairCode: "BTC_USDT",
    side: "buy",
    type: "limit",
    timeInForce: "GTC",
    postOnly: false,
    isIceberg: false,
    price: "60000",
    quantity: "1",
    amount: null,
    filledQuantity: "0",
    filledAmount: "0",
    averagePrice: null,
    status: "NEW",
    endReason: null,
    stopPrice: null,
    triggerDirection: null,
    callbackPercent: null,
    currentTrigger: null,
    schedule: null,
    takeProfitPrice: null,
    stopLossPrice: null,
    stopLossLimitPrice: null,
    listId: null,
    listLeg: null,
    createdAtMs: 1_000 + Number(orderId),
    updatedAtMs: 1_000 + Number(orderId),
    ...SPOT_MAIN,
    ...changes,
  };
}

function fill(tradeId: number): Fill {
  return {
    tradeId,
    orderId: "1",
    pairCode: "BTC_USDT",
    side: "buy",
    role: "taker",
    price: "60000",
    quantity: "1",
    amount: "60000",
    fee: "0.001",
    feeAsset: "BTC",
    timeMs: tradeId,
    ...SPOT_MAIN,
  };
}

function balance(asset: string, available: string, worthUsdt: string | null = null): SpotBalance {
  return { asset, name: asset, available, frozen: "0", total: available, worthUsdt, ...SPOT_MAIN };
}

type Answers = Readonly<Record<string, unknown>>;

function requestOf(answers: () => Answers | undefined, requested: string[] = []): RequestClient {
  const call = async <Data>({ path }: Endpoint, query: Readonly<Record<string, unknown>>): Promise<Answer<Data>> => {
    const key = query.state === undefined ? path : `${path}?${String(query.state)}`;
    requested.push(key);
    const data = answers()?.[key];
    if (data === undefined) {
      return { ok: false, code: 500, data: {}, message: "", err: { kind: "network", message: "" } };
    }
    return { ok: true, code: 200, data: data as Data, message: "" };
  };
  return { call } as unknown as RequestClient;
}

function start<State, Row>(request: RequestClient, pick: (feeds: SpotFeeds) => SpotFeeds[keyof SpotFeeds]) {
  const clock = new ManualClock();
  const network = new FakeNetwork();
  network.answersPings = true;
  const socket = new LiveSocket({ url: "ws://test", clock, random: () => 1, open: network.open });
  const definition = pick(spotFeeds(request)) as SpotFeeds["orders"];
  const feed = new Feed<State, Row>(definition as never, { socket, clock });
  feed.hold();
  const say = (message: object) => network.last.say({ event: "data", ...definition.topic, ...message } as never);
  return { clock, network, feed, say };
}

describe("orders", () => {
  test("[SPOT-4] a snapshot, then changes; one that ended moves to the ended and never comes back", () => {
    const { feed, network, say } = start(
      requestOf(() => undefined),
      (feeds) => feeds.orders,
    );
    network.last.open();
    say({ sequence: 10, snapshot: true, data: [order("1"), order("2")] });
    say({ sequence: 25, data: [order("3"), order("1", { status: "PARTIALLY_FILLED", filledQuantity: "0.4" })] });
    say({ sequence: 31, firstSequence: 26, data: [order("2", { status: "CANCELED", endReason: "USER" })] });
    expect(feed.get().status).toBe("live");
    expect(feed.get().value).toMatchObject({
      open: [{ orderId: "3" }, { orderId: "1", filledQuantity: "0.4" }],
      ended: [{ orderId: "2", endReason: "USER" }],
    });
    expect(joinOrders(feed.get().value as never, [order("2")]).open.map(({ orderId }) => orderId)).toEqual(["3", "1"]);
  });

  test("[SPOT-4] what was applied before is not applied again", () => {
    const { feed, network, say } = start(
      requestOf(() => undefined),
      (feeds) => feeds.orders,
    );
    network.last.open();
    say({ sequence: 10, snapshot: true, data: [order("1")] });
    say({ sequence: 12, data: [order("1", { status: "FILLED" })] });
    say({ sequence: 9, data: [order("7")] });
    expect(feed.get().value).toMatchObject({ open: [], ended: [{ orderId: "1" }] });
  });

  test("[SPOT-4] a message that leaves numbers out is a gap, healed by plain calls", async () => {
    const answers: Answers = {
      "/v1/spot/orders?open": { orders: [order("5")], next: null },
      "/v1/spot/orders?plan": { orders: [], next: null },
    };
    const { feed, network, say } = start(
      requestOf(() => answers),
      (feeds) => feeds.orders,
    );
    network.last.open();
    say({ sequence: 10, snapshot: true, data: [order("1")] });
    say({ sequence: 20, firstSequence: 15, data: [order("6")] });
    expect(feed.get().status).toBe("stale");
    await settle();
    expect(feed.counts.gaps).toBe(1);
    expect((feed.get().value as { open: readonly SpotOrder[] }).open.map(({ orderId }) => orderId)).toContain("5");
  });

  test("[SPOT-4] while the socket is down both states are fetched, and time does not run backwards", async () => {
    let answers: Answers | undefined;
    const requested: string[] = [];
    const { feed, network, clock, say } = start(
      requestOf(() => answers, requested),
      (feeds) => feeds.orders,
    );
    network.last.open();
    say({ sequence: 10, snapshot: true, data: [order("1")] });
    answers = {
      "/v1/spot/orders?open": { orders: [order("2")], next: null },
      "/v1/spot/orders?plan": { orders: [order("3", { status: "PENDING_TRIGGER" })], next: null },
    };
    network.last.drop();
    clock.advance(20_000);
    await settle();
    expect(requested).toContain("/v1/spot/orders?plan");
    expect(feed.get()).toMatchObject({ status: "polling", value: { open: [{ orderId: "3" }, { orderId: "2" }] } });
  });

  test("[SPOT-4] broken rows are passed over", () => {
    const { feed, network, say } = start(
      requestOf(() => undefined),
      (feeds) => feeds.orders,
    );
    network.last.open();
    say({ sequence: 10, snapshot: true, data: [order("1"), null, { orderId: 7 }, "x"] });
    expect((feed.get().value as { open: readonly SpotOrder[] }).open).toHaveLength(1);
  });
});

describe("fills and balances", () => {
  test("[SPOT-4] fills are kept once each, newest first", () => {
    const joined = joinFills(joinFills([], [fill(1), fill(2)]), [fill(2), fill(3)]);
    expect(joined.map(({ tradeId }) => tradeId)).toEqual([3, 2, 1]);
  });

  test("[SPOT-4] a changed balance takes the place of the old one; its worth is kept only while the total is the same", () => {
    const before = [balance("BTC", "1", "60000"), balance("USDT", "5", "5")];
    const after = joinBalances(before, [balance("BTC", "2"), { ...balance("USDT", "4"), total: "5" }]);
    expect(after).toMatchObject([
      { asset: "BTC", available: "2", worthUsdt: null },
      { asset: "USDT", available: "4", worthUsdt: "5" },
    ]);
  });
});
