// Orders, fills and positions that change while a user's stream still reads what is open are sent once, and whole.

import type { Live } from "@clockwork/host/channel";
import { SILENT_LOG } from "@clockwork/host/log";
import type { ContractInfo } from "@clockwork/trading/markets/contract";
import type { Fill, SpotOrder } from "@clockwork/trading/spot/contract";
import { describe, expect, it } from "vitest";
import { contractsOf, LINEAR } from "../contract/contracts.ts";
import { type ContractUserParts, followContractUser } from "./contract-user.ts";
import { followSpotUser, type SpotUserParts } from "./spot-user.ts";

const START = 1_000;
type Event = Record<string, unknown>;

/** A stream whose read is held open: events in between are sent to the channels, then it is answered. */
async function held<Answer>(
  follow: (live: Live, read: () => Promise<Answer>, publish: (event: object) => void) => Promise<() => void>,
  during: (send: (channel: string, rows: readonly object[]) => void) => void,
  answer: Answer,
): Promise<Event[]> {
  const taps = new Map<string, (data: unknown) => void>();
  const live = {
    tap: ({ channel }: { readonly channel: string }, take: (data: unknown) => void) => {
      taps.set(channel, take);
      return () => void taps.delete(channel);
    },
  } as unknown as Live;
  const gate = Promise.withResolvers<Answer>();
  const events: Event[] = [];
  const following = follow(
    live,
    () => gate.promise,
    (event) => void events.push(event as Event),
  );
  during((channel, rows) => taps.get(channel)?.(rows));
  gate.resolve(answer);
  const stop = await following;
  await new Promise((resolve) => void setImmediate(() => setImmediate(resolve)));
  stop();
  return events;
}

describe("[API-8] a user's stream that is still reading", () => {
  const order = (own: Partial<SpotOrder>): SpotOrder =>
    ({
      orderId: "7",
      clientOrderId: null,
      callbackPercent: null,
      listId: null,
      pairCode: "BTC_USDT",
      side: "buy",
      type: "limit",
      timeInForce: "GTC",
      quantity: "2",
      price: "10",
      filledQuantity: "0",
      filledAmount: "0",
      status: "NEW",
      createdAtMs: START,
      updatedAtMs: START,
      ...own,
    }) as unknown as SpotOrder;
  const fill = (quantity: string): Fill =>
    ({
      orderId: "7",
      tradeId: 3,
      quantity,
      amount: `${Number(quantity) * 10}`,
      price: "10",
      fee: "0",
      feeAsset: "BTC",
    }) as unknown as Fill;
  const spot = (
    during: (send: (channel: string, rows: readonly object[]) => void) => void,
    read: readonly SpotOrder[],
  ) =>
    held(
      (live, answer, publish) =>
        followSpotUser({ live, clock: () => START, read: answer } as SpotUserParts, 5, publish),
      during,
      { orders: read, balances: [] },
    );
  const steps = (events: readonly Event[]): unknown[] => events.map(({ x, X, z, Z }) => [x, X, z, Z]);

  it("reports a spot order placed during the read as new, whether or not the answer contains it", async () => {
    for (const read of [[], [order({})]]) {
      const events = await spot((send) => send("orders", [order({})]), read);
      expect(steps(events)).toEqual([["NEW", "NEW", "0.00000000", "0.00000000"]]);
    }
  });

  it("counts a spot fill during the read once", async () => {
    const filled = order({ createdAtMs: 1, filledQuantity: "1.5", filledAmount: "15", status: "PARTIALLY_FILLED" });
    const before = order({ createdAtMs: 1, updatedAtMs: 1, filledQuantity: "1", filledAmount: "10" });
    for (const read of [[before], [filled]]) {
      const events = await spot((send) => {
        send("orders", [filled]);
        send("fills", [fill("0.5")]);
      }, read);
      expect(steps(events)).toEqual([["TRADE", "PARTIALLY_FILLED", "1.50000000", "15.00000000"]]);
    }
  });

  it("reports only the end of an order that ended during the read, also when the answer lacks it", async () => {
    const ended = order({ createdAtMs: 1, status: "CANCELED" });
    const events = await spot((send) => send("orders", [ended]), []);
    expect(steps(events)).toEqual([["CANCELED", "CANCELED", "0.00000000", "0.00000000"]]);
  });

  it("does the same for contracts, and for the position of a fill during the read", async () => {
    const contract = { pairCode: "BTC_USDT", base: "BTC", quote: "USDT", settle: "USDT", faceValue: null };
    const contracts = contractsOf(LINEAR, () => [contract as unknown as ContractInfo]);
    const own = { ...order({ status: "FILLED", filledQuantity: "2" }), positionSide: "both", reduceOnly: false };
    const traded = { orderId: "7", tradeId: 3, quantity: "2", price: "10", fee: "0", realizedPnl: "0", role: "taker" };
    const position = {
      positionId: "1",
      pairCode: "BTC_USDT",
      side: "long",
      positionSide: "both",
      quantity: "2",
      mode: "cross",
      entryPrice: "10",
      margin: "0",
      funding: "0",
      realizedPnl: "0",
      unrealizedPnl: "0",
      breakEvenPrice: "10",
    };
    for (const read of [
      { orders: [], positions: [] },
      { orders: [own], positions: [position] },
    ]) {
      const events = await held(
        (live, answer, publish) =>
          followContractUser(
            { contracts, live, clock: () => START, log: SILENT_LOG, read: answer } as unknown as ContractUserParts,
            5,
            publish,
          ),
        (send) => {
          send("orders", [own]);
          send("fills", [traded]);
          send("positions", [position]);
        },
        { ...read, accounts: [], settings: [] },
      );
      expect(events.map(({ e, o, a }) => [e, (o as Event)?.x, (a as { P: Event[] })?.P.map(({ pa }) => pa)])).toEqual([
        ["ACCOUNT_UPDATE", undefined, ["2"]],
        ["ORDER_TRADE_UPDATE", "NEW", undefined],
        ["TRADE_LITE", undefined, undefined],
        ["ORDER_TRADE_UPDATE", "TRADE", undefined],
      ]);
    }
  });
});
