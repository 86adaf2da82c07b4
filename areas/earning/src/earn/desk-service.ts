// Operators' actions on earn: new products, new rates, money for the treasury and coupons, each by two people; closing
// and opening a product takes one. Rates change from the next full hour on, never for past hours.

import type { ProposalCall, ProposalEnd, ProposalKind } from "@clockwork/host/proposal";
import type { RouteRejection } from "@clockwork/host/route";
import type { Tier } from "@clockwork/kit/earn/accrual";
import { parseUnits, toCoreUnits, units } from "@clockwork/kit/money";
import { DAY_MS, HOUR_MS } from "@clockwork/kit/time";
import type { MarketAsset } from "@clockwork/trading/markets/pair";
import { FundPayload, IssueCouponPayload, ProductPayload, RatePayload } from "./contract.ts";
import type { EarnParts } from "./move-service.ts";
import { DESK_REFUSALS, type DeskRefusal } from "./refusals.ts";
import type { ProductRow } from "./row-store.ts";
import { amountOf, hourOf, type SharkTerms, writeTiers } from "./rules.ts";

export const EARN_PERMISSION = "earn.manage";
const RATE_SCALE = 8;
const NO_END = Number.MAX_SAFE_INTEGER;
const TERMS = [7, 14, 30, 60, 90];
/** Of the day a shark fin ends on. */
const SETTLE_HOUR_MS = 8 * HOUR_MS;

type Wrong = RouteRejection<DeskRefusal>;

const wrong = (
  code: DeskRefusal,
  field: string,
  message: string = DESK_REFUSALS[code][1],
  status: number = DESK_REFUSALS[code][0],
): Wrong => ({ code, status, message, fields: { [`body.${field}`]: message } });
const NO_COIN = wrong("UNKNOWN_ASSET", "asset");
const badAmount = (field: string): Wrong => wrong("INVALID_AMOUNT", field, DESK_REFUSALS.INVALID_AMOUNT[1], 400);

export interface DeskNeeds {
  /** Moves money of the exchange to the treasury; true when it has arrived. */
  fund(asset: number, amountUnits: number, reference: string): Promise<"done" | "later" | string>;
  isUser(userId: number): Promise<boolean>;
}

export class DeskService {
  readonly #parts: EarnParts;
  readonly #desk: DeskNeeds;

  constructor(parts: EarnParts, desk: DeskNeeds) {
    this.#parts = parts;
    this.#desk = desk;
  }

  fundKind(): ProposalKind<typeof FundPayload, DeskRefusal> {
    return {
      ...twoPeople("earn.fund"),
      payload: FundPayload,
      check: async ({ asset, amount }) => {
        const coin = this.#parts.needs.findCoin(asset);
        if (coin === undefined) return NO_COIN;
        return (amountOf(amount, coin) ?? 0n) === 0n ? badAmount("amount") : undefined;
      },
      describe: ({ asset, amount, reason }) =>
        `Fund the interest treasury with ${amount} ${asset} from reserves: ${reason}`,
      execute: async ({ asset, amount }, { reference }) => {
        const coin = this.#parts.needs.findCoin(asset);
        const amountUnits = coin === undefined ? undefined : amountOf(amount, coin);
        if (coin === undefined || amountUnits === undefined) return refusal(NO_COIN);
        const end = await this.#desk.fund(coin.asset, toCoreUnits(units(amountUnits)), reference);
        if (end === "later") return { end: "later" };
        return end === "done"
          ? { end: "done", outcome: `${amount} ${asset}` }
          : { end: "refused", code: end, message: "The ledger rejected the transfer." };
      },
    };
  }

  rateKind(): ProposalKind<typeof RatePayload, DeskRefusal> {
    return {
      ...twoPeople("earn.rate"),
      payload: RatePayload,
      check: (payload) => this.#checkRate(payload),
      describe: ({ productId, tiers, reason }) =>
        `Pay ${tiers.map(({ upto, rate }) => `${rate} ${upto === null ? "on the rest" : `up to ${upto}`}`).join(", ")} ` +
        `on ${productId} from the next hour on: ${reason}`,
      execute: async (payload, { timeMs }) => {
        const refused = await this.#checkRate(payload);
        const product = await this.#parts.store.findProduct(payload.productId);
        const coin = product === undefined ? undefined : this.#parts.needs.findCoin(product.asset);
        if (refused !== undefined || coin === undefined) return refusal(refused ?? NO_COIN);
        const tiers = writeTiers(readTierInput(payload.tiers, coin) ?? []);
        await this.#parts.store.putRate({ product_id: payload.productId, from_hour: hourOf(timeMs) + 1, tiers });
        return { end: "done", outcome: payload.productId };
      },
    };
  }

  productKind(): ProposalKind<typeof ProductPayload, DeskRefusal> {
    return {
      ...twoPeople("earn.product"),
      payload: ProductPayload,
      check: async (payload) => {
        const read = this.readProduct(payload, 0);
        if ("code" in read) return read;
        const taken = await this.#parts.store.findProduct(payload.productId);
        return taken === undefined ? undefined : wrong("PRODUCT_EXISTS", "productId");
      },
      describe: ({ productId, kind, asset, days, rate, quota }) =>
        `Offer ${productId}: ${kind} ${asset}${days === 0 ? "" : `, ${days} days`}, rate ${rate}, quota ${quota}`,
      execute: async (payload, call) => this.#addProduct(payload, call),
    };
  }

  couponKind(): ProposalKind<typeof IssueCouponPayload, DeskRefusal> {
    return {
      ...twoPeople("earn.coupon"),
      payload: IssueCouponPayload,
      beneficiariesOf: ({ user }) => [Number(user)],
      check: (payload) => this.#checkCoupon(payload),
      describe: ({ user, kind, asset, rate, cap, days, validDays }) =>
        `Give account ${user} a coupon: ${rate} more on ${kind} ${asset} up to ${cap} for ${days} days, good for ${validDays} days`,
      execute: (payload, call) => this.#issue(payload, call),
    };
  }

  setOpen(productId: string, isOpen: boolean): Promise<boolean> {
    return this.#parts.store.setOpen(productId, isOpen);
  }

  async #checkCoupon({ user, asset, cap }: IssueCouponPayload): Promise<Wrong | undefined> {
    const coin = this.#parts.needs.findCoin(asset);
    if (coin === undefined) return NO_COIN;
    if ((amountOf(cap, coin) ?? 0n) === 0n) return badAmount("cap");
    return (await this.#desk.isUser(Number(user))) ? undefined : wrong("UNKNOWN_USER", "user");
  }

  async #issue(payload: IssueCouponPayload, { reference, timeMs }: ProposalCall): Promise<ProposalEnd> {
    const refused = await this.#checkCoupon(payload);
    const coin = this.#parts.needs.findCoin(payload.asset);
    if (refused !== undefined || coin === undefined) return refusal(refused ?? NO_COIN);
    const couponId = this.#parts.needs.hash(`coupon:${reference}`).slice(0, 16);
    await this.#parts.store.addCoupon({
      coupon_id: couponId,
      user_id: Number(payload.user),
      reference: payload.reference,
      kind: payload.kind,
      asset: payload.asset,
      rate: rateOf(payload.rate),
      cap_units: amountOf(payload.cap, coin) ?? 0n,
      days: payload.days,
      expires_ms: timeMs + payload.validDays * DAY_MS,
      issued_ms: timeMs,
      used_by: null,
      added_parts: null,
    });
    const isMade = (await this.#parts.store.findCoupon(couponId)) !== undefined;
    const message = "The user already has a coupon with this reference.";
    return isMade ? { end: "done", outcome: couponId } : { end: "refused", code: "COUPON_REFERENCE_USED", message };
  }

  async #addProduct(payload: ProductPayload, { timeMs }: ProposalCall): Promise<ProposalEnd> {
    const read = this.readProduct(payload, timeMs);
    if ("code" in read) return refusal(read);
    await this.put(read);
    return { end: "done", outcome: payload.productId };
  }

  /** A product with its first rates; an existing one is unchanged. */
  async put({ row, tiers }: { readonly row: ProductRow; readonly tiers: readonly Tier[] }): Promise<void> {
    const { store } = this.#parts;
    await store.together(async (inside) => {
      if (!(await inside.addProduct(row)) || row.kind !== "flexible") return;
      await inside.putRate({ product_id: row.product_id, from_hour: 0, tiers: writeTiers(tiers) });
    });
  }

  readProduct(
    payload: ProductPayload,
    timeMs: number,
    isSimulated = false,
  ): { row: ProductRow; tiers: Tier[] } | Wrong {
    const { needs } = this.#parts;
    const coin = needs.findCoin(payload.asset);
    if (coin === undefined) return NO_COIN;
    const read = (field: "minimum" | "userMaximum" | "quota" | "dayIn" | "dayOut") => amountOf(payload[field], coin);
    const [min, most, quota, dayIn, dayOut] = [
      read("minimum"),
      read("userMaximum"),
      read("quota"),
      read("dayIn"),
      read("dayOut"),
    ];
    if (min === undefined || most === undefined || quota === undefined || dayIn === undefined || dayOut === undefined) {
      return badAmount("amount");
    }
    if (min === 0n || most < min || quota < min)
      return wrong("INVALID_AMOUNT", "minimum", "Minimum, maximum and quota must be in ascending order.");
    const tiers = readTierInput(payload.tiers ?? [{ upto: null, rate: payload.rate }], coin);
    if (tiers === undefined) return wrong("INVALID_TIERS", "tiers");
    const terms = this.#readTerms(payload);
    if ("code" in terms) return terms;
    return {
      tiers,
      row: {
        product_id: payload.productId,
        kind: payload.kind,
        asset: payload.asset,
        days: payload.days,
        rate: rateOf(payload.rate),
        terms: terms.text,
        min_units: min,
        user_max_units: most,
        quota_units: quota,
        taken_units: 0n,
        day_in_units: dayIn,
        day_out_units: dayOut,
        is_open: true,
        opens_ms: payload.opensAtMs,
        closes_ms: payload.closesAtMs === 0 ? NO_END : payload.closesAtMs,
        starts_ms: payload.startsAtMs ?? 0,
        ends_ms: payload.endsAtMs ?? 0,
        settled_ms: null,
        price_sum: null,
        price_count: null,
        is_knocked_out: false,
        is_simulated: isSimulated,
        created_ms: timeMs,
      },
    };
  }

  #readTerms({
    kind,
    days,
    shark,
    opensAtMs,
    closesAtMs,
    startsAtMs = 0,
    endsAtMs = 0,
  }: ProductPayload): { text: string } | Wrong {
    if (kind === "flexible")
      return days === 0 ? { text: "" } : wrong("INVALID_TERM", "days", "Flexible products have no term.");
    if (kind === "fixed")
      return TERMS.includes(days) ? { text: "" } : wrong("INVALID_TERM", "days", "Choose 7, 14, 30, 60 or 90 days.");
    if (shark === undefined) return wrong("INVALID_TERM", "shark", "A shark fin needs strikes and rates.");
    const low = this.#parts.needs.ticksOf(shark.index, shark.low);
    const high = this.#parts.needs.ticksOf(shark.index, shark.high);
    if (low === undefined || high === undefined || low >= high) return wrong("INVALID_STRIKES", "shark");
    if (closesAtMs <= opensAtMs || closesAtMs > startsAtMs || endsAtMs - startsAtMs !== days * DAY_MS || days === 0) {
      return wrong(
        "INVALID_TERM",
        "endsAtMs",
        "The close must be after the opening and before the start, and the end days later.",
      );
    }
    if (endsAtMs % DAY_MS !== SETTLE_HOUR_MS)
      return wrong("INVALID_TERM", "endsAtMs", "Settlement must be at 08:00 UTC.");
    const [base, least, most] = [rateOf(shark.baseRate), rateOf(shark.lowRate), rateOf(shark.highRate)];
    if (base > least || least > most) return wrong("INVALID_RATES", "shark");
    const terms: SharkTerms = {
      index: shark.index,
      direction: shark.direction,
      isTouch: shark.isTouch,
      low: low.toString(),
      high: high.toString(),
      baseRate: base,
      lowRate: least,
      highRate: most,
    };
    return { text: JSON.stringify(terms) };
  }

  async #checkRate({ productId, tiers }: RatePayload): Promise<Wrong | undefined> {
    const product = await this.#parts.store.findProduct(productId);
    const coin = product === undefined ? undefined : this.#parts.needs.findCoin(product.asset);
    if (product === undefined || coin === undefined || product.kind !== "flexible") {
      return wrong("PRODUCT_UNKNOWN", "productId");
    }
    return readTierInput(tiers, coin) === undefined ? wrong("INVALID_TIERS", "tiers") : undefined;
  }
}

function twoPeople(kind: string) {
  const nobody = (): readonly number[] => [];
  return {
    kind,
    permission: EARN_PERMISSION,
    needsFreshProof: false,
    expiresAfterMs: 3 * DAY_MS,
    beneficiariesOf: nobody,
  };
}

function refusal({ code, message }: Wrong): ProposalEnd {
  return { end: "refused", code, message };
}

export function rateOf(text: string): number {
  const read = parseUnits(text, RATE_SCALE);
  return read.done ? toCoreUnits(read.value) : 0;
}

function readTierInput(
  tiers: readonly { readonly upto: string | null; readonly rate: string }[],
  coin: MarketAsset,
): Tier[] | undefined {
  const read: Tier[] = [];
  let below = 0n;
  for (const [index, { upto, rate }] of tiers.entries()) {
    const isLast = index === tiers.length - 1;
    const uptoUnits = upto === null ? null : amountOf(upto, coin);
    if (uptoUnits === undefined || isLast !== (uptoUnits === null)) return undefined;
    if (uptoUnits !== null && uptoUnits <= below) return undefined;
    below = uptoUnits ?? below;
    read.push({ uptoUnits, rate: rateOf(rate) });
  }
  return read;
}
