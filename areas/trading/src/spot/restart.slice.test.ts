// The process is killed in the middle of trading and restarted: everything confirmed is there.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestServer, Visitor } from "@clockwork/server/process/account-fixture";
import { serveProgram } from "@clockwork/server/process/program-fixture";
import { expect, test } from "vitest";
import { holds, place } from "./spot-fixture.ts";

test("[SPOT-2] killed while orders pour in: confirmed orders, balances and client order ids are all there", async () => {
  const folder = await mkdtemp(join(tmpdir(), "cw-restart-"));
  let served = await serveProgram(folder);
  try {
    const at = { url: served.url } as { -readonly [Key in keyof TestServer]: TestServer[Key] };
    const visitor = new Visitor(at);
    expect((await visitor.signUp("restart@example.com")).code).toBe(0);
    expect((await visitor.faucet("USDT", "100000")).status).toBe(200);
    const canceled = await place(visitor, { side: "buy", price: "80000", quantity: "0.01", clientOrderId: "canceled" });
    await visitor.delete(`/v1/spot/orders/${canceled.data.orderId}`);
    const confirmed = new Map<string, string>();
    let running = true;
    const pour = async (lane: number): Promise<void> => {
      for (let index = 0; running && index < 40; index++) {
        const clientOrderId = `${lane}-${index}`;
        const order = { side: "buy", price: String(80_000 + lane), quantity: "0.001", clientOrderId };
        const answer = await place(visitor, order).catch(() => undefined);
        if (answer?.status === 200) confirmed.set(clientOrderId, answer.data.orderId);
      }
    };
    const lanes = [1, 2, 3, 4].map(pour);
    while (confirmed.size < 50) await new Promise((done) => setTimeout(done, 5));
    await served.kill();
    running = false;
    await Promise.all(lanes);

    served = await serveProgram(folder);
    at.url = served.url;
    const { orders } = (await visitor.get("/v1/spot/orders?state=open&limit=200")).data as {
      orders: { orderId: string; clientOrderId: string }[];
    };
    const open = new Map(orders.map(({ clientOrderId, orderId }) => [clientOrderId, orderId]));
    for (const [clientOrderId, orderId] of confirmed) expect(open.get(clientOrderId)).toBe(orderId);
    const frozen = orders.reduce((sum, { clientOrderId }) => sum + 80_000 + Number(clientOrderId.split("-")[0]), 0);
    expect(await holds(visitor, "USDT")).toEqual([String((100_000_000 - frozen) / 1_000), String(frozen / 1_000)]);
    const [[clientOrderId, orderId] = ["", ""]] = confirmed;
    const order = { side: "buy", price: String(80_000 + Number(clientOrderId.split("-")[0])), quantity: "0.001" };
    const again = await place(visitor, { ...order, clientOrderId });
    expect(again.data).toMatchObject({ orderId, isRepeat: true });
    const history = (await visitor.get("/v1/spot/orders?state=history")).data.orders;
    expect(history).toMatchObject([{ clientOrderId: "canceled", status: "CANCELED" }]);
  } finally {
    await served.kill();
    await rm(folder, { recursive: true, force: true });
  }
}, 300_000);
