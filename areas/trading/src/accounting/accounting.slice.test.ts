// One account performs one of every action. After each step all pages and calls agree on equity, available and reserved
// funds and today's profit, and the folded history is reproducible whatever prices do later.

import { offer, saver } from "@clockwork/earning/earn/earn-fixture";
import { coins as dot, launchOf } from "@clockwork/earning/earn/launch-fixture";
import type { Visitor } from "@clockwork/server/process/account-fixture";
import { afterAll, beforeAll, expect, test } from "vitest";
import { place, startTradingServer, type TradingServer } from "../spot/spot-fixture.ts";

const ALL = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
let server: TradingServer;
let maker: Visitor;
let visitor: Visitor;
beforeAll(async () => {
  server = await startTradingServer();
  maker = await server.trader({ BTC: "5", ETH: "100", USDT: "500000" });
  visitor = await saver(server, "20000");
}, 180_000);
afterAll(() => server?.close());

/** A trade at a price between the maker and another user. */
async function trade(taker: Visitor, side: "buy" | "sell", pairCode: string, price: string, quantity: string) {
  const other = side === "buy" ? "sell" : "buy";
  expect(await place(maker, { pairCode, side: other, price, quantity })).toMatchObject({ status: 200 });
  expect(await place(taker, { pairCode, side, price, quantity })).toMatchObject({ status: 200 });
}

/** USDT in millionths. */
const micros = (text: string | null): bigint => {
  const [whole = "0", part = ""] = (text ?? "0").replace("-", "").split(".");
  const units = BigInt(whole) * 1_000_000n + BigInt(part.slice(0, 6).padEnd(6, "0"));
  return text?.startsWith("-") ? -units : units;
};

async function readAll() {
  const [wallet, portfolio, profit] = await Promise.all([
    visitor.post("/asset/v1/api/wallet/account", { walletTypeList: ALL }),
    visitor.get("/v1/portfolio/spot"),
    visitor.get("/asset/v1/api/profit/analysis"),
  ]);
  return { wallet: wallet.data, portfolio: portfolio.data, profit: profit.data };
}

interface Coin {
  readonly asset: string;
  readonly worthUsdt: string | null;
  readonly todayUsdt: string | null;
  readonly realisedUsdt: string;
}

async function compare() {
  const { wallet, portfolio, profit } = await readAll();
  const today = profit.days.at(-1);
  const equity = { equity: wallet.allUsdt, committed: wallet.committedUsdt };
  expect({ equity: portfolio.totalUsdt, committed: portfolio.committedUsdt }).toEqual(equity);
  expect([profit.equityUsdt, today.equityUsdt]).toEqual([wallet.allUsdt, wallet.allUsdt]);
  expect(portfolio.todayUsdt).toBe(today.pnlUsdt);
  const parts = [wallet.availableUsdt, wallet.reservedUsdt, wallet.investedUsdt].map(micros);
  expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(micros(wallet.allUsdt));
  const worth = (coins: readonly Coin[]): bigint => coins.reduce((sum, one) => sum + micros(one.worthUsdt), 0n);
  expect(worth(wallet.coins)).toBe(micros(wallet.allUsdt));
  // The portfolio reports committed funds separately from its coins.
  expect(worth(portfolio.coins) + micros(portfolio.committedUsdt)).toBe(micros(wallet.allUsdt));
  const gains = (portfolio.coins as readonly Coin[]).reduce((sum, one) => sum + micros(one.todayUsdt), 0n);
  expect(gains).toBe(micros(portfolio.todayUsdt));
  return {
    wallet,
    portfolio,
    today,
    coin: (asset: string): Coin => portfolio.coins.find((one: Coin) => one.asset === asset),
  };
}

test("[WAL-3] after any action all pages report the same equity; committed funds are not lost, invested funds are not available, and swapped coins keep their cost", async () => {
  expect((await compare()).wallet).toMatchObject({ allUsdt: "20000", availableUsdt: "20000", investedUsdt: "0" });
  // At the fair prices that value coins: only the fees are lost.
  await trade(visitor, "buy", "BTC_USDT", "96420", "0.1");
  await trade(visitor, "buy", "ETH_USDT", "3318", "1");
  expect((await compare()).today.pnlUsdt).toMatch(/^-12\.9/);

  // An open order: its money is reserved and still counted.
  const before = await compare();
  expect(await place(visitor, { side: "buy", price: "80000", quantity: "0.01" })).toMatchObject({ status: 200 });
  const waiting = await compare();
  expect(waiting.wallet).toMatchObject({ allUsdt: before.wallet.allUsdt, reservedUsdt: "800" });

  // Into futures and into earn: invested, neither available nor lost.
  const move = { asset: "USDT", amount: "500", from: "1", to: "3", clientId: "to-futures" };
  expect((await visitor.post("/asset/v1/api/wallet/transfer", move)).status).toBe(200);
  if (server.kysely !== undefined) await offer(server.kysely, { product_id: "usdt" });
  const earn = { productId: "usdt", amount: "300", clientId: "into-earn" };
  expect((await visitor.post("/financial/v1/subscribe", earn)).status).toBe(200);
  const invested = await compare();
  expect(invested.wallet).toMatchObject({ allUsdt: before.wallet.allUsdt, investedUsdt: "800" });
  expect(micros(invested.wallet.availableUsdt)).toBe(micros(before.wallet.availableUsdt) - 1_600_000_000n);

  // Committed to a launch: reserved, and no loss.
  const round = await launchOf(server, "subscription", dot(1_000));
  const commit = { roundId: round.round_id, amount: "200", clientId: "commit-1" };
  expect((await visitor.post("/seckill/join", commit)).status).toBe(200);
  const committed = await compare();
  expect(committed.wallet).toMatchObject({
    allUsdt: before.wallet.allUsdt,
    committedUsdt: "200",
    reservedUsdt: "1000",
  });
  expect(committed.today.pnlUsdt).toBe(before.today.pnlUsdt);

  // A coin swapped for another at the core's value of a closed minute, whatever an outlying trade printed: the coin
  // given is sold, the coin received costs its value.
  const outsider = await server.trader({ USDT: "50000" });
  await trade(outsider, "buy", "BTC_USDT", "100000", "0.001");
  server.wait(120_000);
  await trade(visitor, "sell", "ETH_BTC", "0.035", "0.999");
  const swapped = await compare();
  expect(swapped.coin("ETH")).toMatchObject({ total: "0", unrealisedUsdt: null });
  // 0.03493 BTC after the fee, worth 96420 each, less the cost of the ETH, 3318.
  expect(micros(swapped.portfolio.realisedUsdt)).toBeGreaterThan(micros("49"));
  expect(micros(swapped.portfolio.realisedUsdt)).toBeLessThan(micros("51"));

  // Later prices do not change the gain, and a fold from the start gives the same.
  server.wait(120_000);
  await trade(outsider, "buy", "BTC_USDT", "100000", "0.001");
  const later = await compare();
  expect(later.portfolio.realisedUsdt).toBe(swapped.portfolio.realisedUsdt);
  for (const table of ["accounting_fold", "accounting_day"] as const) {
    await server.kysely?.$extendTables<Record<string, object>>().deleteFrom(table).execute();
  }
  const again = await compare();
  expect(again.portfolio).toEqual(later.portfolio);
  expect(again.wallet).toEqual(later.wallet);
});
