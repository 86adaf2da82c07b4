// Stops and plans moved over the network, as by dragging a line on the chart.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type FuturesServer, meet, order, positionsOf, startFuturesServer } from "./futures-fixture.ts";

let server: FuturesServer;
beforeAll(async () => {
  server = await startFuturesServer();
});
afterEach(() => server.sweep());
afterAll(() => server.close());

const LONG = { price: "50000", quantity: "1" };

test("[FUT-2] a stop of a whole position or of a part moves in place, its pair is unchanged; a trailing stop does not move", async () => {
  const [alice, bob] = [await server.player("10000"), await server.player("100000")];
  await meet(alice, bob, LONG);
  const [{ positionId }] = await positionsOf(alice);
  const stop = (body: object) => alice.futures("/v1/futuresc/positions/stop", { positionId, ...body });
  const set = await stop({ profit: { triggerPrice: "51000" }, loss: { triggerPrice: "49500" } });
  const loss = set.data.stops.find(({ kind }: { kind: string }) => kind === "loss");
  const move = (orderId: string, stopPrice: string) =>
    alice.futures(`/v1/futuresc/orders/${orderId}`, { stopPrice }, "PATCH");
  const moved = await move(loss.orderId, "49400");
  const { orderId } = loss;
  expect(moved.data).toMatchObject({ orderId, stopPrice: "49400.0", isWhole: true, positionId });
  const stops: { kind: string; triggerPrice: string }[] = (await positionsOf(alice))[0].stops;
  expect(stops.map(({ kind, triggerPrice }) => `${kind} ${triggerPrice}`).sort()).toEqual([
    "loss 49400.0",
    "profit 51000.0",
  ]);
  const reached = await move(orderId, "50500");
  expect([reached.code, Object.keys(reached.fields ?? {})]).toEqual(["TRIGGER_ALREADY_TRUE", ["body.stopPrice"]]);
  expect((await positionsOf(alice))[0].stops).toHaveLength(2);
  const part = {
    quantity: "0.100",
    profit: { triggerPrice: "52000" },
    loss: { triggerPrice: "49000", price: "48900" },
  };
  const parts = (await stop(part)).data.stops.filter(({ isWhole }: { isWhole: boolean }) => !isWhole);
  const half = parts.find(({ kind }: { kind: string }) => kind === "loss");
  expect((await move(half.orderId, "48950")).data).toMatchObject({
    orderId: half.orderId,
    stopPrice: "48950.0",
    price: "48900.0",
    quantity: "0.100",
    isWhole: false,
  });
  expect((await move(half.orderId, "48950")).code).toBe("AMEND_NO_CHANGE");
  expect((await move(half.orderId, "48950.05")).code).toBe("INVALID_TRIGGER");
  expect((await bob.futures(`/v1/futuresc/orders/${half.orderId}`, { stopPrice: "48000" }, "PATCH")).code).toBe(
    "UNKNOWN_ORDER",
  );
  expect((await positionsOf(alice))[0].stops).toHaveLength(4);
  const trails = await stop({ trailing: { trailBps: 100 } });
  const trailing = trails.data.stops.find(({ kind }: { kind: string }) => kind === "trailing");
  expect((await move(trailing.orderId, "49000")).code).toBe("AMEND_NOT_ALLOWED");
});

test("[FUT-2] an independent plan takes another trigger in place", async () => {
  const alice = await server.player("10000");
  const plan = await order(alice, { side: "buy", type: "stopMarket", stopPrice: "52000", quantity: "0.1" });
  const path = `/v1/futuresc/orders/${plan.data.orderId}`;
  expect((await alice.futures(path, { stopPrice: "53000" }, "PATCH")).data).toMatchObject({
    orderId: plan.data.orderId,
    stopPrice: "53000.0",
    status: "PENDING_TRIGGER",
  });
  expect((await alice.futures(path, { stopPrice: "49000" }, "PATCH")).code).toBe("TRIGGER_ALREADY_TRUE");
});
