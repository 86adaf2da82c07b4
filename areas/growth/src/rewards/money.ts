// The money of rewards: campaigns' treasury accounts, and what is withdrawn from them, paid, reserved and returned.
// Every movement is one command with a reference of its own. Contains no rules.

import { RESERVES_ACCOUNT } from "@clockwork/core/protocol/names";
import type { EarnBooks } from "@clockwork/earning/earn/earn-books";
import type { CouponRow, HoldingRow } from "@clockwork/earning/earn/row-store";
import { boostAdded } from "@clockwork/earning/earn/rules";
import { earnStore } from "@clockwork/earning/earn/store";
import { termInterest } from "@clockwork/kit/earn/terms";
import { parseUnits, toCoreUnits, units } from "@clockwork/kit/money";
import { DAY_MS } from "@clockwork/kit/time";
import { bonusStore } from "@clockwork/trading/bonus/store";
import type { PartContext } from "@clockwork/trading/context";
import { couponStore } from "@clockwork/trading/coupons/store";
import type { MoneyEnd } from "../spring/needs.ts";
import type { Reward } from "./contract.ts";
import type { Given } from "./needs.ts";
import { usdtUnits } from "./rules.ts";
import type { RewardStore } from "./store.ts";

type Of<Kind extends Reward["kind"]> = Extract<Reward, { readonly kind: Kind }>;
type Ack = Awaited<ReturnType<PartContext["engine"]["submit"]>>;
type Leg = { from: number; to: number; units: bigint; business: "reward" | "coupon" | "bonus"; hold?: string };

const RATE_SCALE = 8;
const PERCENT_BPS = 100;
/** The account a claim's cost is paid from afterwards. */
const SOURCES = {
  spotCoupon: "couponTreasury",
  feeCoupon: "couponTreasury",
  earnCoupon: "interestTreasury",
} as const;

export class RewardMoney {
  readonly #context: PartContext;
  readonly #books: EarnBooks;
  readonly #store: RewardStore;

  constructor(context: PartContext, books: EarnBooks, store: RewardStore) {
    this.#context = context;
    this.#books = books;
    this.#store = store;
  }

  campaign(number: number): Promise<number | undefined> {
    return this.#books.house("campaignTreasury", number);
  }

  get #usdt(): number {
    return this.#context.market.pairs.findAsset("USDT")?.asset ?? 0;
  }

  async #target({ reward, userId }: Given): Promise<number | undefined> {
    if (reward.kind === "gold") return undefined;
    return reward.kind === "airdrop" ? this.#books.user(userId, "spot") : this.#books.house(SOURCES[reward.kind]);
  }

  async take(number: number, given: Given): Promise<MoneyEnd> {
    if (given.reward.kind === "gold") return this.#giveGold(number, given, given.reward);
    const [from, to] = await Promise.all([this.campaign(number), this.#target(given)]);
    const business = given.reward.kind === "airdrop" ? "reward" : "coupon";
    return this.#settle(`reward:${given.claimId}`, { from, to, units: given.costUnits, business });
  }

  async giveBack(number: number, given: Given, unusedUnits: bigint): Promise<MoneyEnd> {
    const [from, to] = await Promise.all([this.#target(given), this.campaign(number)]);
    return this.#settle(`unused:${given.claimId}`, { from, to, units: unusedUnits, business: "coupon" });
  }

  async payFees(userId: number, amountUnits: bigint, reference: string): Promise<MoneyEnd> {
    const [from, to] = await Promise.all([this.#books.house("couponTreasury"), this.#books.user(userId, "spot")]);
    return this.#settle(reference, { from, to, units: amountUnits, business: "coupon" });
  }

  async fund(number: number, amountUnits: bigint, reference: string): Promise<MoneyEnd> {
    const to = await this.campaign(number);
    return this.#settle(reference, { from: RESERVES_ACCOUNT, to, units: amountUnits, business: "reward" });
  }

  async readLeft(number: number): Promise<bigint> {
    const account = await this.campaign(number);
    return account === undefined ? 0n : (await this.#books.read(account, this.#usdt)).freeUnits;
  }

  /** With receipts, once the tables hold everything published to the account. */
  async readBudget(number: number, sumBetween: (account: number, other: number, asset: number) => Promise<bigint>) {
    const account = await this.campaign(number);
    if (account === undefined) return { leftUnits: 0n, heldUnits: 0n, fundedUnits: 0n, goldBackUnits: 0n };
    const { ledger, database } = this.#context;
    await ledger.settled((await ledger.openView(account)).changedSequence);
    const { freeUnits, heldUnits } = await this.#books.read(account, this.#usdt);
    return {
      leftUnits: freeUnits,
      heldUnits,
      fundedUnits: await sumBetween(account, RESERVES_ACCOUNT, this.#usdt),
      goldBackUnits: await bonusStore(database.kysely).sumReturned(number, this.#usdt),
    };
  }

  async setAside(number: number, drawId: string, amountUnits: bigint): Promise<MoneyEnd> {
    const account = await this.campaign(number);
    if (account === undefined) return "later";
    const held = { account, asset: this.#usdt, business: "reward", units: toCoreUnits(units(amountUnits)) } as const;
    return read(await this.#context.engine.submit({ kind: "hold", ...held, reference: `spr:${drawId}` }));
  }

  async payPrize(
    number: number,
    prize: {
      readonly drawId: string;
      readonly userId: number;
      readonly prizeUnits: bigint;
      readonly restUnits: bigint;
    },
  ): Promise<MoneyEnd> {
    const { drawId, userId, prizeUnits, restUnits } = prize;
    const [from, to] = await Promise.all([this.campaign(number), this.#books.user(userId, "spot")]);
    const hold = `spr:${drawId}`;
    const leg = { from, to, units: prizeUnits, business: "reward", hold } as const;
    const paid = await this.#settle(`spp:${drawId}`, leg);
    if (paid !== "done" || restUnits === 0n || from === undefined) return paid;
    return read(
      await this.#context.engine.submit({ kind: "release", account: from, hold, reference: `spx:${drawId}` }),
    );
  }

  /** Grants what was paid for: a repeat grants nothing more. */
  async give(given: Given): Promise<MoneyEnd> {
    const { reward } = given;
    switch (reward.kind) {
      case "airdrop":
      case "gold":
        return "done";
      case "spotCoupon":
        return this.#giveSpotCoupon(given, reward);
      case "earnCoupon":
        return this.#giveEarnCoupon(given, reward);
      case "feeCoupon":
        return this.#giveFeeCoupon(given, reward);
    }
  }

  /**
   * Straight from the campaign's treasury, to which the expired or voided part returns: one command, nothing in
   * between.
   */
  async #giveGold(number: number, given: Given, { days, ratioPercent, maxLeverage }: Of<"gold">): Promise<MoneyEnd> {
    const { engine, ledger, database } = this.#context;
    const [account, campaign] = await Promise.all([
      ledger.accounts.open(given.userId, "linear"),
      this.campaign(number),
    ]);
    if (account === undefined || campaign === undefined) return "later";
    const ack = await engine.submit({
      kind: "grantBonus",
      account,
      asset: this.#usdt,
      units: toCoreUnits(units(given.costUnits)),
      reference: `gold:${given.claimId}`,
      ratioBps: ratioPercent * PERCENT_BPS,
      leverageMax: maxLeverage,
      expiresAt: given.madeMs + days * DAY_MS,
      source: number,
    });
    if (!ack.done) return read(ack);
    const store = bonusStore(database.kysely);
    const repeated = ack.events.find((event) => event.kind === "repeated");
    if (repeated !== undefined) await ledger.settled(ack.sequence);
    const granted = ack.events.find((event) => event.kind === "bonusChanged");
    const grant =
      granted?.grant ??
      (repeated === undefined ? undefined : (await store.findAt(account, repeated.firstSequence))?.grant_id);
    if (grant === undefined) return "later";
    const terms = { ratio_percent: ratioPercent, leverage_max: maxLeverage, reason: `task ${given.taskId}` };
    await store.putTerms({ grant_id: grant, ...terms });
    return "done";
  }

  async #giveSpotCoupon(given: Given, { asset, volume, days }: Of<"spotCoupon">): Promise<MoneyEnd> {
    await couponStore(this.#context.database.kysely).add({
      coupon_id: given.claimId,
      user_id: given.userId,
      kind: "bonus",
      asset,
      face_units: given.costUnits,
      volume_units: usdtUnits(volume) ?? 0n,
      reference: `task:${given.taskId}`,
      issued_ms: given.madeMs,
      expires_ms: given.madeMs + days * DAY_MS,
      state: "open",
      paid_units: null,
      index_price: null,
      converted_ms: null,
    });
    return "done";
  }

  async #giveEarnCoupon(given: Given, reward: Of<"earnCoupon">): Promise<MoneyEnd> {
    const rate = parseUnits(reward.rate, RATE_SCALE);
    await earnStore(this.#context.database.kysely).addCoupon({
      coupon_id: given.claimId,
      user_id: given.userId,
      reference: `task:${given.taskId}`,
      kind: reward.product,
      asset: "USDT",
      rate: rate.done ? toCoreUnits(rate.value) : 0,
      cap_units: usdtUnits(reward.cap) ?? 0n,
      days: reward.days,
      issued_ms: given.madeMs,
      expires_ms: given.madeMs + reward.validDays * DAY_MS,
      used_by: null,
      added_parts: null,
    });
    return "done";
  }

  async #giveFeeCoupon(given: Given, { biz, ratioPercent, days }: Of<"feeCoupon">): Promise<MoneyEnd> {
    await this.#store.addFeeCoupon({
      coupon_id: given.claimId,
      user_id: given.userId,
      biz,
      ratio_bps: ratioPercent * PERCENT_BPS,
      face_units: given.costUnits,
      paid_units: 0n,
      pending_units: 0n,
      turn: 0,
      cursor_sequence: this.#context.engine.health().sequence,
      state: "OPEN",
      issued_ms: given.madeMs,
      expires_ms: given.madeMs + days * DAY_MS,
    });
    return "done";
  }

  /** The unused part of an expired coupon; undefined while that is open. */
  async unusedUnits({ claimId, userId, reward, costUnits }: Given, timeMs: number): Promise<bigint | undefined> {
    const { kysely } = this.#context.database;
    if (reward.kind === "feeCoupon") {
      const row = await this.#store.findFeeCoupon(claimId);
      if (row === undefined || row.state === "OPEN") return undefined;
      return row.face_units - row.paid_units;
    }
    if (reward.kind === "spotCoupon") {
      const row = await couponStore(kysely).find(claimId, userId);
      if (row?.state === "intended") return undefined;
      return row?.state === "open" ? costUnits : 0n;
    }
    if (reward.kind !== "earnCoupon") return 0n;
    return this.#unusedInterest(claimId, costUnits, timeMs);
  }

  /** The unused part of an interest coupon; undefined while the term runs, or its hours on flexible money. */
  async #unusedInterest(couponId: string, costUnits: bigint, timeMs: number): Promise<bigint | undefined> {
    const store = earnStore(this.#context.database.kysely);
    const coupon = await store.findCoupon(couponId);
    if (coupon === undefined) return 0n;
    if (coupon.used_by === null) return costUnits;
    const [move] = await store.listByReference([coupon.used_by]);
    const holding = move === undefined ? undefined : await store.findHolding(move.holding_id);
    if (holding === undefined) return 0n;
    const added = holding.kind === "flexible" ? boostAdded(coupon, holding, timeMs) : termAdded(coupon, holding);
    if (added === undefined) return undefined;
    return added < costUnits ? costUnits - added : 0n;
  }

  async #settle(
    reference: string,
    leg: Omit<Leg, "from" | "to"> & { readonly from: number | undefined; readonly to: number | undefined },
  ): Promise<MoneyEnd> {
    const { from, to, units: amount, ...rest } = leg;
    if (from === undefined || to === undefined) return "later";
    const legs = [{ ...rest, from, to, asset: this.#usdt, units: toCoreUnits(units(amount)) }];
    return read(await this.#context.engine.submit({ kind: "settle", reference, legs }));
  }
}

/** The amount a coupon added to a fixed term: zero when it was left early; undefined while it runs. */
function termAdded(coupon: CouponRow, { state, term, principal_units, days }: HoldingRow): bigint | undefined {
  if (state === "OPEN" && term === 1) return undefined;
  if (state === "REDEEMED" && term === 1) return 0n;
  const boost = { rate: coupon.rate, capUnits: coupon.cap_units, days: coupon.days };
  return termInterest(principal_units, 0, days, boost);
}

function read(ack: Ack): MoneyEnd {
  if (ack.done) return "done";
  return ack.code.startsWith("ENGINE_") ? "later" : { code: ack.code };
}
