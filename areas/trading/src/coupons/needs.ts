// What coupons take of prices, the engine that pays, users and notices.
import { createHash, randomBytes } from "node:crypto";
import { RESERVES_ACCOUNT } from "@clockwork/core/protocol/names";
import type { EngineHandle, Refused } from "@clockwork/host/engine";
import { openHouseAccount } from "@clockwork/identity/accounts/house";
import { priceText } from "@clockwork/kit/instrument";
import { toCoreUnits, units } from "@clockwork/kit/money";
import type { NoticeKind } from "@clockwork/kit/notice";
import type { PartContext } from "../context.ts";

export type CouponContext = Pick<
  PartContext,
  "database" | "log" | "clock" | "engine" | "market" | "accounts" | "isTestMoney"
>;
export interface SpotCalls extends Pick<EngineHandle, "submit"> {
  findSpotAccount(userId: number): Promise<number | undefined>;
  openView(account: number): Promise<{ readonly changedSequence: number }>;
  settled(sequence: number): Promise<void>;
}

/** Opens the list of the user's coupons. */
const COUPONS_PAGE = "/spot/BTC_USDT?coupons=1";
const COUPONS: NoticeKind = { kind: "coupons", group: "products", defaults: ["live", "letter"] };

/** The price of a coin: USDT units for units of the coin, exactly, and the same as text. */
export interface IndexPrice {
  readonly quoteUnits: bigint;
  readonly baseUnits: bigint;
  readonly text: string;
}

interface CouponPayment {
  /** USDT. */
  readonly faceUnits: bigint;
  readonly asset: number;
  readonly amountUnits: bigint;
}

type PayAnswer =
  | { readonly done: true; readonly timeMs: number }
  | { readonly done: false; readonly code: Refused["code"] };

interface CouponNotice {
  readonly topic: string;
  readonly reference: string;
  readonly title: string;
  readonly body: string;
}

export type CouponNeeds = ReturnType<typeof couponNeeds>;

export function couponNeeds(context: CouponContext, spot: SpotCalls) {
  const { market, isTestMoney } = context;
  const { pairs } = market;
  let treasury: number | undefined;
  const { users, notices, claimants } = context.accounts;
  notices.register(COUPONS);
  return {
    /** When the user signed up; undefined when no user has this number. */
    findJoinedMs: async (userId: number) => (await users.find(userId))?.created_at_ms,
    // Coins of this run have no value: every user gets a first coupon.
    hasWelcome: isTestMoney,
    takeReward: claimants.take,
    findAsset: (symbol: string) => pairs.findAsset(symbol),
    /** The index of a coin in USDT; undefined without one. */
    readIndex: (symbol: string) => readIndex(market, symbol),
    worthUnits: (asset: number, amountUnits: bigint) => pairs.worthUnits(asset, amountUnits),
    quoteOf: (of: number) => pairs.findMarket(of)?.quote.asset,
    findSpotAccount: spot.findSpotAccount,
    /** Resolves when the tables hold everything published to the account, or after a timeout. */
    settled: async (account: number) => spot.settled((await spot.openView(account)).changedSequence),
    /**
     * The face value moves from the treasury to the reserves and the coin from those to the account, in one entry; once
     * per reference, however often it is called, and rejected when either is short.
     */
    pay: async (
      account: number,
      { faceUnits, asset, amountUnits }: CouponPayment,
      reference: string,
    ): Promise<PayAnswer> => {
      treasury ??= await openHouseAccount(context.engine.submit, "couponTreasury");
      const usdt = pairs.findAsset("USDT")?.asset;
      if (treasury === undefined || usdt === undefined) return { done: false, code: "ENGINE_STARTING" };
      const leg = (from: number, to: number, of: number, amount: bigint) =>
        ({ from, to, asset: of, units: toCoreUnits(units(amount)), business: "coupon" }) as const;
      const legs = [
        leg(treasury, RESERVES_ACCOUNT, usdt, faceUnits),
        leg(RESERVES_ACCOUNT, account, asset, amountUnits),
      ];
      const answer = await spot.submit({ kind: "settle", reference, legs });
      return answer.done ? { done: true, timeMs: answer.timeMs } : { done: false, code: answer.code };
    },
    randomId: () => randomBytes(8).toString("hex"),
    /** Notifies once per reference, by the channels the user chose. */
    notify: async (userId: number, notice: CouponNotice, timeMs: number): Promise<void> => {
      await notices.notify(userId, { kind: COUPONS.kind, path: COUPONS_PAGE, ...notice }, timeMs);
    },
    /** The stable id of a coupon issued under a reference. */
    idOf: (reference: string) => createHash("sha256").update(reference).digest("hex").slice(0, 16),
  };
}

/** A coin by the exchange's one valuation, in ticks of its market against USDT; USDT is one of itself. */
function readIndex(market: CouponContext["market"], symbol: string): IndexPrice | undefined {
  const { pairs } = market;
  if (symbol === "USDT") return { quoteUnits: 1n, baseUnits: 1n, text: "1" };
  const pair = pairs.findPair(`${symbol}_USDT`);
  const ticks = pair === undefined ? 0 : pairs.fairTicks(pair.market);
  if (pair === undefined || ticks === 0) return undefined;
  const quoteUnits = BigInt(ticks) * BigInt(pair.factor);
  return { quoteUnits, baseUnits: BigInt(pair.stepUnits), text: priceText(pair, ticks) };
}
