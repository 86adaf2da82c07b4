// Trading and leading over the network, for tests of copy trading.
import { DAY_MS } from "@clockwork/kit/time";
import type { TestServer, Visitor } from "@clockwork/server/process/account-fixture";
import { order } from "@clockwork/trading/futures/futures-fixture";
import type { TradingServer } from "@clockwork/trading/spot/spot-fixture";
import { sql } from "kysely";
import { expect } from "vitest";

/** A user trades against the maker, which quotes for the trade. */
export async function tradeWith(
  maker: Visitor,
  who: Visitor,
  side: "buy" | "sell",
  quantity: string,
  price: string,
  more: object = {},
): Promise<void> {
  const other = side === "buy" ? "sell" : "buy";
  // Followers need something left in the book.
  const offered = await order(maker, { side: other, price, quantity: "5" });
  if (offered.status !== 200) throw new Error(`the maker was refused: ${offered.message}`);
  const taken = await order(who, { side, price, quantity, timeInForce: "IOC", ...more });
  if (taken.status !== 200) throw new Error(`refused: ${taken.code} ${taken.message}`);
  await maker.futures("/v1/futuresc/orders/clear", { biz: "futures" });
}

/**
 * A leader's public page, computed from tables that hold everything up to now. Figures are cached for some seconds, and
 * those computed while the tables were being written may be half outdated.
 */
// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
export async function pageOf(server: TradingServer, who: Visitor, path: string): Promise<any> {
  const { durableSequence } = server.engine.health();
  await server.engine.projection.reached(durableSequence);
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  let page: any;
  await expect
    .poll(async () => {
      page = (await who.get(path)).data;
      return page?.sequence;
    })
    .toBeGreaterThanOrEqual(durableSequence);
  return page;
}

/** Meets the five conditions, applies and is approved by the simulated reviewer; returns the number of the leader. */
export async function beginLeading(
  server: TestServer,
  maker: Visitor,
  leader: Visitor,
  nickname = "Ada",
): Promise<string> {
  await leader.dev("/identity", { level: 2 });
  await leader.post("/follow/v1/transfer", { direction: "in", amount: "5000", clientId: "lead" });
  for (let round = 0; round < 10; round++) {
    await tradeWith(maker, leader, "buy", "0.01", "50000", { account: "lead" });
    await tradeWith(maker, leader, "sell", "0.01", "50000", { account: "lead" });
  }
  await sql`update users_account set created_at_ms = created_at_ms - ${31 * DAY_MS}`.execute(server.kysely as never);
  const identity = async () => (await leader.get("/follow/v1/identity")).data;
  const unmet = async () => (await identity()).conditions.filter(({ isMet }: { isMet: boolean }) => !isMet);
  await expect.poll(unmet).toEqual([]);
  const applied = await leader.post("/follow/v1/apply", { nickname, bio: "Trends only.", shareRate: "0.1" });
  if (applied.status !== 200) throw new Error(`refused: ${applied.code}`);
  expect(applied.data?.state).toBe("APPLIED");
  server.wait(6_000);
  await expect.poll(async () => (await identity()).state).toBe("ACTIVE");
  return (await identity()).leaderId;
}
