// Coupons over HTTP: they require turnover, become coin at the index once, and belong to one user.
import { HOUSE_BOOKS } from "@clockwork/core/protocol/names";
import { openHouseAccount } from "@clockwork/identity/accounts/house";
import { approve, enterAsOperator, TWO_OPERATORS } from "@clockwork/identity/accounts/operator-fixture";
import { ADDRESS_SLOTS } from "@clockwork/identity/claimants/service";
import { present } from "@clockwork/kit/assert";
import { Visitor } from "@clockwork/server/process/account-fixture";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ledgerView } from "../projectors/ledger/ledger-view.ts";
import { holds, place, startTradingServer, type TradingServer } from "../spot/spot-fixture.ts";

const LIST = "/spot-coupon/v1/coupons";
const CONVERT = "/spot-coupon/v1/convert";
const ISSUE = "/spot-coupon/v1/issue";

let server: TradingServer;
let maker: Visitor;
let chief: Visitor;
let second: Visitor;
let treasuryAccount = 0;
beforeAll(async () => {
  server = await startTradingServer(TWO_OPERATORS);
  treasuryAccount = present(await openHouseAccount(server.engine.submit, "couponTreasury"), "SPOT-5", "treasury");
  chief = (await enterAsOperator(server, 0)).operator;
  second = (await enterAsOperator(server, 1)).operator;
  maker = await server.trader({ BTC: "5" });
  await place(maker, { side: "sell", price: "96420", quantity: "2" });
});
afterAll(() => server.close());

async function verified(): Promise<Visitor> {
  const visitor = await server.trader();
  await visitor.dev("/identity", { level: 1 });
  return visitor;
}
const idOf = async (visitor: Visitor): Promise<string> => (await visitor.post("/v2/users/top-info")).data.id;
const buy = (visitor: Visitor, quantity: string) => place(visitor, { side: "buy", price: "96420", quantity });
const first = async (visitor: Visitor) => (await visitor.get(LIST)).data[0];

describe("coupons", () => {
  test("[SPOT-5] a coupon waits for its turnover and then becomes coin at the index, rounded down, once", async () => {
    const trader = await server.trader({ USDT: "50000" });
    expect(await first(trader)).toMatchObject({
      kind: "bonus",
      asset: "BTC",
      faceUsdt: "20",
      volumeNeededUsdt: "1000",
      volumeDoneUsdt: "0",
      state: "OPEN",
      convertedAtMs: null,
    });
    const { couponId } = await first(trader);
    expect(await trader.post(CONVERT, { couponId })).toMatchObject({ status: 409, code: "COUPON_VOLUME_SHORT" });
    await buy(trader, "0.005");
    expect(await first(trader)).toMatchObject({ volumeDoneUsdt: "482.1", state: "OPEN", price: "96420.0" });
    await buy(trader, "0.015");
    expect(await first(trader)).toMatchObject({ volumeDoneUsdt: "1000", state: "READY", amount: "0.00020742" });
    const [before] = await holds(trader, "BTC");
    expect(await trader.post(CONVERT, { couponId })).toMatchObject({ status: 403, code: "KYC_LEVEL_REQUIRED" });
    expect((await first(trader)).state).toBe("READY");
    await trader.dev("/identity", { level: 1 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => trader.post(CONVERT, { couponId })));
    for (const answer of answers) {
      expect(answer).toMatchObject({
        status: 200,
        data: { state: "CONVERTED", amount: "0.00020742", price: "96420.0" },
      });
    }
    const [after] = await holds(trader, "BTC");
    expect(Number(after) - Number(before)).toBeCloseTo(0.00020742, 10);
    const { bills } = (await trader.get("/asset/v1/api/wallet/bills?business=coupon")).data;
    expect(bills).toMatchObject([{ asset: "BTC", change: "0.00020742", reference: `coupon:${couponId}` }]);
  });

  test("[SPOT-5] a user who has earned a bonus is notified once, and again when it is paid", async () => {
    const trader = await server.trader({ USDT: "50000" });
    await buy(trader, "0.015");
    const kinds = async () =>
      (await trader.get("/v2/users/letters")).data.letters.map((one: { kind: string }) => one.kind) as string[];
    await expect.poll(kinds).toContain("coupon-ready");
    const { letters } = (await trader.get("/v2/users/letters")).data;
    expect(letters.find((one: { kind: string }) => one.kind === "coupon-ready").path).toBe("/spot/BTC_USDT?coupons=1");
    await buy(trader, "0.001");
    const { couponId } = await first(trader);
    await trader.dev("/identity", { level: 1 });
    await trader.post(CONVERT, { couponId });
    await trader.post(CONVERT, { couponId });
    expect((await kinds()).filter((kind) => kind.startsWith("coupon-")).sort()).toEqual([
      "coupon-converted",
      "coupon-ready",
    ]);
  });

  test("[SPOT-5] volume traded before the welcome coupon was first read counts", async () => {
    const trader = await server.trader({ USDT: "50000" });
    await buy(trader, "0.02");
    expect(await first(trader)).toMatchObject({ volumeDoneUsdt: "1000", state: "READY" });
  });

  test("[SPOT-5] welcome coupons are given once to a device and to a mailbox, and a few times to an address", async () => {
    const convert = async (email: string, headers?: Record<string, string>) => {
      const visitor = new Visitor(server, headers);
      await visitor.signUp(email);
      await visitor.faucet("USDT", "50000");
      await visitor.dev("/identity", { level: 1 });
      await buy(visitor, "0.011");
      return { visitor, code: (await visitor.post(CONVERT, { couponId: (await first(visitor)).couponId })).code };
    };
    const { visitor, code } = await convert("one.person@gmail.com");
    expect(code).toBe(200);
    expect((await convert("another@example.com", visitor.headers)).code).toBe("DEVICE_USED");
    expect((await convert("oneperson+2@googlemail.com")).code).toBe("MAILBOX_USED");
    const codes: unknown[] = [];
    for (let at = 0; at <= ADDRESS_SLOTS; at++) codes.push((await convert(`farm-${at}@example.com`)).code);
    // Other users of this file had theirs from this address too.
    expect(codes.filter((one) => one === 200).length).toBeLessThan(ADDRESS_SLOTS);
    expect(codes.at(-1)).toBe("ADDRESS_USED");
  });

  test("[SPOT-5] a coupon belongs to one person", async () => {
    const owner = await server.trader();
    const { couponId } = await first(owner);
    const other = await server.trader();
    expect(await other.post(CONVERT, { couponId })).toMatchObject({ status: 404, code: "UNKNOWN_COUPON" });
    expect((await other.get(LIST)).data).toHaveLength(1);
    expect(await owner.post(CONVERT, { couponId: "nonsense" })).toMatchObject({ status: 400 });
  });

  test("[SPOT-5] an intent stored when the process stopped is paid as stored, once", async () => {
    const trader = await server.trader();
    const { couponId } = await first(trader);
    const { kysely } = server;
    if (kysely === undefined) throw new Error("no database");
    await sql`update coupons_coupon set state = 'intended', paid_units = 5000, index_price = '1' where coupon_id = ${couponId}`.execute(
      kysely,
    );
    expect(await first(trader)).toMatchObject({ state: "CONVERTING", amount: "0.00005" });
    expect((await trader.post(CONVERT, { couponId })).data).toMatchObject({ state: "CONVERTED", amount: "0.00005" });
    expect((await trader.post(CONVERT, { couponId })).data).toMatchObject({ state: "CONVERTED" });
    expect(await holds(trader, "BTC")).toEqual(["0.00005", "0"]);
  });

  const coupon = async (visitor: Visitor, more: object = {}) => ({
    user: await idOf(visitor),
    kind: "etf",
    asset: "ETH",
    faceUsdt: "15",
    volumeUsdt: "0",
    days: 7,
    reference: "spring",
    clientId: crypto.randomUUID(),
    ...more,
  });
  const ownOf = async (visitor: Visitor, reference: string) => {
    const { rows } = await sql<{
      coupon_id: string;
    }>`select coupon_id from coupons_coupon where user_id = ${Number(await idOf(visitor))} and reference = ${reference}`.execute(
      present(server.kysely, "SPOT-5", "no database"),
    );
    return rows[0]?.coupon_id;
  };
  const assetOf = async (symbol: string) => {
    const listing = await server.engine.readListing();
    return present(listing?.assets.find((one) => one.symbol === symbol)?.asset, "SPOT-5", symbol);
  };
  const treasury = async (symbol: string) => {
    const view = await server.engine.cache.open(treasuryAccount, Date.now());
    return view.of(ledgerView).balances.get(await assetOf(symbol))?.available_units ?? 0n;
  };

  test("[SPOT-5] one administrator alone cannot issue money: not to themselves, and to others only with a second person", async () => {
    const trader = await verified();
    expect(await trader.post(ISSUE, await coupon(trader))).toMatchObject({ status: 403, code: "FORBIDDEN" });
    const own = await chief.post(ISSUE, await coupon(chief, { asset: "BTC", faceUsdt: "960000" }));
    expect([own.status, own.code]).toEqual([403, "BENEFICIARY_DECIDES"]);
    expect(await ownOf(chief, "spring")).toBeUndefined();
    const made = await chief.post(ISSUE, await coupon(trader, { asset: "BTC" }));
    expect(made).toMatchObject({ status: 200, data: { state: "PROPOSED" } });
    expect(await ownOf(trader, "spring")).toBeUndefined();
    expect((await approve(chief, made)).code).toBe("PROPOSER_IS_APPROVER");
    const before = [await treasury("USDT"), await treasury("BTC")];
    expect((await approve(second, made)).data).toMatchObject({ state: "EXECUTED" });
    const couponId = await ownOf(trader, "spring");
    expect((await trader.post(CONVERT, { couponId })).data).toMatchObject({ state: "CONVERTED", amount: "0.00015556" });
    // Its face leaves the treasury and buys the coin of the reserves.
    expect([await treasury("USDT"), await treasury("BTC")]).toEqual([(before[0] ?? 0n) - 15_000_000n, before[1]]);
  });

  test("[SPOT-5] a reference gives a user one coupon, whoever proposes it; invalid ones are not stored", async () => {
    const trader = await verified();
    const request = await coupon(trader);
    const made = await chief.post(ISSUE, request);
    expect((await chief.post(ISSUE, request)).data).toEqual(made.data);
    expect(await chief.post(ISSUE, { ...request, faceUsdt: "16" })).toMatchObject({ code: "CLIENT_ID_REUSED" });
    for (const [wrong, code] of [
      [{ asset: "NONE" }, "UNKNOWN_ASSET"],
      [{ user: "9" }, "ACCOUNT_UNKNOWN"],
      [{ faceUsdt: "0" }, "INVALID_AMOUNT"],
    ] as const) {
      expect(await chief.post(ISSUE, { ...request, ...wrong, clientId: crypto.randomUUID() })).toMatchObject({ code });
    }
    const other = await second.post(ISSUE, await coupon(trader, { faceUsdt: "1500" }));
    expect((await approve(second, made)).data).toMatchObject({ state: "EXECUTED" });
    expect((await approve(chief, other)).data).toMatchObject({
      state: "FAILED",
      outcome: expect.stringContaining("COUPON_REFERENCE_USED"),
    });
    // A coin without a market has no value.
    const [listing, eth] = [await server.engine.readListing(), await assetOf("ETH")];
    for (const { market, base } of listing?.markets ?? [])
      if (base === eth) await server.engine.submit({ kind: "setMarketStatus", market, status: "DELISTED" });
    const refused = await trader.post(CONVERT, { couponId: await ownOf(trader, "spring") });
    expect(refused).toMatchObject({ status: 503, code: "NO_REFERENCE_PRICE" });
  });

  test("[SPOT-5] what exceeds the treasury is not paid; the coupon is unchanged", async () => {
    const trader = await verified();
    const asset = await assetOf("USDT");
    const all = Number(await treasury("USDT"));
    const move = { kind: "transfer", asset, business: "adjustment", units: all } as const;
    const fees = HOUSE_BOOKS.indexOf("fees");
    await server.engine.submit({ ...move, account: treasuryAccount, to: fees, reference: "drain" });
    const made = await chief.post(ISSUE, await coupon(trader, { asset: "BTC" }));
    await approve(second, made);
    const couponId = await ownOf(trader, "spring");
    expect(await trader.post(CONVERT, { couponId })).toMatchObject({ status: 503, code: "COUPON_BUDGET_SPENT" });
    expect((await trader.get(LIST)).data).toMatchObject([{ couponId, state: "READY" }, {}]);
    expect(await holds(trader, "BTC")).toEqual(["0", "0"]);
    await server.engine.submit({ ...move, account: fees, to: treasuryAccount, reference: "refill" });
    expect((await trader.post(CONVERT, { couponId })).data).toMatchObject({ state: "CONVERTED" });
  });
});
