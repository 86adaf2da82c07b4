// Coupons over HTTP: they wait for their volume, become coin at the index once, and belong to one person.
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Visitor } from "../accounts/account-fixture.ts";
import { enterAsOperator } from "../accounts/operator-fixture.ts";
import { type Floor, holds, openFloor, place } from "./spot-fixture.ts";

const LIST = "/spot-coupon/v1/coupons";
const CONVERT = "/spot-coupon/v1/convert";
const ISSUE = "/spot-coupon/v1/issue";

let floor: Floor;
let maker: Visitor;
beforeAll(async () => {
  floor = await openFloor();
  maker = await floor.trader({ BTC: "5" });
  await place(maker, { side: "sell", price: "96000", quantity: "2" });
});
afterAll(() => floor.close());

const idOf = async (visitor: Visitor): Promise<string> => (await visitor.post("/v2/users/top-info")).data.id;
const buy = (visitor: Visitor, quantity: string) => place(visitor, { side: "buy", price: "96000", quantity });
const first = async (visitor: Visitor) => (await visitor.get(LIST)).data[0];

describe("coupons", () => {
  test("[SPOT-5] a coupon waits for its volume and then becomes coin at the index, rounded down, once", async () => {
    const trader = await floor.trader({ USDT: "50000" });
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
    expect(await first(trader)).toMatchObject({ volumeDoneUsdt: "480", state: "OPEN", price: "96000.0" });
    await buy(trader, "0.015");
    expect(await first(trader)).toMatchObject({ volumeDoneUsdt: "1000", state: "READY", amount: "0.00020833" });
    const [before] = await holds(trader, "BTC");
    const answers = await Promise.all([1, 2, 3].map(() => trader.post(CONVERT, { couponId })));
    for (const answer of answers) {
      expect(answer).toMatchObject({
        status: 200,
        data: { state: "CONVERTED", amount: "0.00020833", price: "96000.0" },
      });
    }
    const [after] = await holds(trader, "BTC");
    expect(Number(after) - Number(before)).toBeCloseTo(0.00020833, 10);
    const { bills } = (await trader.get("/asset/v1/api/wallet/bills?business=coupon")).data;
    expect(bills).toMatchObject([{ asset: "BTC", change: "0.00020833", reference: `coupon:${couponId}` }]);
  });

  test("[SPOT-5] what was traded before the first look at the welcome coupon counts", async () => {
    const trader = await floor.trader({ USDT: "50000" });
    await buy(trader, "0.02");
    expect(await first(trader)).toMatchObject({ volumeDoneUsdt: "1000", state: "READY" });
  });

  test("[SPOT-5] a coupon belongs to one person", async () => {
    const owner = await floor.trader();
    const { couponId } = await first(owner);
    const other = await floor.trader();
    expect(await other.post(CONVERT, { couponId })).toMatchObject({ status: 404, code: "UNKNOWN_COUPON" });
    expect((await other.get(LIST)).data).toHaveLength(1);
    expect(await owner.post(CONVERT, { couponId: "nonsense" })).toMatchObject({ status: 400 });
  });

  test("[SPOT-5] what was intended when the process stopped is paid as it was written, once", async () => {
    const trader = await floor.trader();
    const { couponId } = await first(trader);
    const { kysely } = floor;
    if (kysely === undefined) throw new Error("no database");
    await sql`update coupons_coupon set state = 'intended', paid_units = 5000, index_price = '1' where coupon_id = ${couponId}`.execute(
      kysely,
    );
    expect(await first(trader)).toMatchObject({ state: "CONVERTING", amount: "0.00005" });
    expect((await trader.post(CONVERT, { couponId })).data).toMatchObject({ state: "CONVERTED", amount: "0.00005" });
    expect((await trader.post(CONVERT, { couponId })).data).toMatchObject({ state: "CONVERTED" });
    expect(await holds(trader, "BTC")).toEqual(["0.00005", "0"]);
  });

  test("[SPOT-5] operators issue coupons, once per reference; a coin without a price waits for one", async () => {
    const { operator } = await enterAsOperator(floor);
    const trader = await floor.trader();
    const coupon = {
      user: await idOf(trader),
      kind: "etf",
      asset: "ETH",
      faceUsdt: "15",
      volumeUsdt: "0",
      days: 7,
      reference: "spring",
    };
    expect(await trader.post(ISSUE, coupon)).toMatchObject({ status: 403, code: "FORBIDDEN" });
    const issued = await operator.post(ISSUE, coupon);
    expect(issued).toMatchObject({ status: 200, data: { isNew: true } });
    expect((await operator.post(ISSUE, coupon)).data).toEqual({ ...issued.data, isNew: false });
    expect(await operator.post(ISSUE, { ...coupon, asset: "NONE" })).toMatchObject({ code: "UNKNOWN_ASSET" });
    expect(await operator.post(ISSUE, { ...coupon, user: "9" })).toMatchObject({ code: "ACCOUNT_UNKNOWN" });
    expect(await operator.post(ISSUE, { ...coupon, faceUsdt: "0" })).toMatchObject({ code: "INVALID_AMOUNT" });
    const { couponId } = issued.data;
    const refused = await trader.post(CONVERT, { couponId });
    expect(refused).toMatchObject({ status: 503, code: "NO_REFERENCE_PRICE" });
    expect((await trader.get(LIST)).data.find((one: { couponId: string }) => one.couponId === couponId)).toMatchObject({
      kind: "etf",
      state: "READY",
      amount: null,
    });
  });
});
