// Use cases of coupons: issuing, showing progress, turning one into coin at the index once its volume is met. The ledger
// pays once per coupon: the row says first what is intended, and a restart goes on with whatever still is.
import { parseUnits } from "@clockwork/kit/money";
import type { RouteRejection } from "@clockwork/kit/route";
import { DAY_MS } from "@clockwork/kit/time";
import type { Coupon, IssueBody } from "./api.ts";
import type { CouponNeeds, CouponOperator, IssuerRefusal } from "./needs.ts";
import { convertFloor, describeCoupon, stateOf, USDT_SCALE } from "./rules.ts";
import type { CouponRow, CouponStore } from "./store.ts";

export type Told<Value> =
  | { readonly ok: true; readonly data: Value }
  | { readonly ok: false; readonly rejection: RouteRejection };

const refuse = (code: string, status: number, message: string, retryAfterSeconds?: number): Told<never> => ({
  ok: false,
  rejection: { code, status, message, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) },
});

const UNKNOWN = refuse("UNKNOWN_COUPON", 404, "There is no such coupon.");
const NOT_READY = refuse("ACCOUNT_NOT_READY", 503, "The account is being opened; try again in a moment.", 2);
const ON_ITS_WAY = refuse("COUPON_CONVERTING", 503, "The coupon is being converted; look again in a moment.", 2);

const ISSUER_REFUSALS: Readonly<Record<IssuerRefusal, string>> = {
  FORBIDDEN: "Your role does not allow this.",
  OPERATOR_TOTP_REQUIRED: "Operators need an authenticator; bind one in the security centre first.",
  STEP_UP_REQUIRED: "Prove once more that it is you.",
};

/** Everybody's first coupon in the default run. */
const WELCOME = { kind: "bonus", asset: "BTC", faceUnits: 20_000_000n, volumeUnits: 1_000_000_000n, days: 30 } as const;
const WELCOME_REFERENCE = "welcome";

interface Issue {
  readonly kind: string;
  readonly asset: string;
  readonly faceUnits: bigint;
  readonly volumeUnits: bigint;
  readonly days: number;
}

export class CouponService {
  readonly #needs: CouponNeeds;
  readonly #store: CouponStore;

  constructor({ needs, store }: { readonly needs: CouponNeeds; readonly store: CouponStore }) {
    this.#needs = needs;
    this.#store = store;
  }

  async list(userId: number, timeMs: number): Promise<Told<Coupon[]>> {
    const account = await this.#needs.findSpotAccount(userId);
    if (account === undefined) return NOT_READY;
    let rows = await this.#store.list(userId);
    if (this.#needs.hasWelcome && !rows.some(({ reference }) => reference === WELCOME_REFERENCE)) {
      // Theirs since they signed up: what they traded before they first looked counts.
      await this.#add(userId, WELCOME, WELCOME_REFERENCE, (await this.#needs.findJoinedMs(userId)) ?? timeMs);
      rows = await this.#store.list(userId);
    }
    await this.#needs.settled(account);
    const coupons: Coupon[] = [];
    for (const row of rows) coupons.push(await this.#describe(row, account, timeMs));
    return { ok: true, data: coupons };
  }

  async convert(userId: number, couponId: string, timeMs: number): Promise<Told<Coupon>> {
    const account = await this.#needs.findSpotAccount(userId);
    if (account === undefined) return NOT_READY;
    const row = await this.#store.find(couponId, userId);
    if (row === undefined) return UNKNOWN;
    await this.#needs.settled(account);
    const volumeUnits = await this.#volume(row, account, timeMs);
    switch (stateOf(row, volumeUnits, timeMs)) {
      case "CONVERTED":
        return { ok: true, data: await this.#describe(row, account, timeMs) };
      case "EXPIRED":
        return refuse("COUPON_EXPIRED", 409, "This coupon has expired.");
      case "OPEN":
        return refuse("COUPON_VOLUME_SHORT", 409, "Trade more before you convert this coupon.");
      case "READY": {
        const refused = await this.#intend(row, timeMs);
        if (refused !== undefined) return refused;
        break;
      }
      case "CONVERTING":
        break;
    }
    const intended = await this.#store.find(couponId, userId);
    if (intended === undefined) return UNKNOWN;
    return (await this.#pay(intended, account)) ?? this.#answer(couponId, userId, account, timeMs);
  }

  async issue(
    operator: CouponOperator,
    body: IssueBody,
    timeMs: number,
  ): Promise<Told<{ couponId: string; isNew: boolean }>> {
    const permitted = await this.#needs.permit(operator, timeMs);
    if (!permitted.done) return refuse(permitted.code, 403, ISSUER_REFUSALS[permitted.code]);
    const userId = Number(body.user);
    if (this.#needs.findAsset(body.asset) === undefined) return refuse("UNKNOWN_ASSET", 404, "There is no such coin.");
    if ((await this.#needs.findJoinedMs(userId)) === undefined)
      return refuse("ACCOUNT_UNKNOWN", 404, "Nobody has this number.");
    const face = parseUnits(body.faceUsdt, USDT_SCALE);
    const volume = parseUnits(body.volumeUsdt, USDT_SCALE);
    if (!face.done || face.value === 0n || !volume.done) {
      return refuse("INVALID_AMOUNT", 400, `Amounts have at most ${USDT_SCALE} decimals; the face is above zero.`);
    }
    const { kind, asset, days, reference, faceUsdt } = body;
    await this.#needs.audit(operator, body.user, `${kind} ${faceUsdt} USDT in ${asset}, ${reference}`, timeMs);
    const wanted = { kind, asset, days, faceUnits: face.value, volumeUnits: volume.value };
    const isNew = await this.#add(userId, wanted, reference, timeMs);
    const row = await this.#store.findReference(userId, reference);
    return row === undefined ? UNKNOWN : { ok: true, data: { couponId: row.coupon_id, isNew } };
  }

  /** Pays what a stopped process left unpaid. */
  async resume(): Promise<void> {
    for (const row of await this.#store.listIntended()) {
      const account = await this.#needs.findSpotAccount(row.user_id);
      if (account !== undefined) await this.#pay(row, account);
    }
  }

  #add(userId: number, wanted: Issue, reference: string, issuedMs: number): Promise<boolean> {
    return this.#store.add({
      coupon_id: this.#needs.randomId(),
      user_id: userId,
      kind: wanted.kind,
      asset: wanted.asset,
      face_units: wanted.faceUnits,
      volume_units: wanted.volumeUnits,
      reference,
      issued_ms: issuedMs,
      expires_ms: issuedMs + wanted.days * DAY_MS,
      state: "open",
      paid_units: null,
      index_price: null,
      converted_ms: null,
    });
  }

  async #intend(row: CouponRow, timeMs: number): Promise<Told<never> | undefined> {
    const index = this.#needs.readIndex(row.asset, timeMs);
    if (index === undefined) return refuse("NO_REFERENCE_PRICE", 503, "This coin has no price yet.", 10);
    const paidUnits = convertFloor(row.face_units, index);
    if (paidUnits === 0n) return refuse("COUPON_TOO_SMALL", 422, "At this price the coupon brings nothing.");
    // Whoever was faster has intended the same; both go on with what is written.
    await this.#store.intend(row.coupon_id, paidUnits, index.text);
    return undefined;
  }

  /** Undefined when it is paid. */
  async #pay(row: CouponRow, account: number): Promise<Told<never> | undefined> {
    const asset = this.#needs.findAsset(row.asset);
    if (row.state === "converted") return undefined;
    if (asset === undefined || row.paid_units === null) return ON_ITS_WAY;
    const paid = await this.#needs.pay(account, asset.asset, row.paid_units, `coupon:${row.coupon_id}`);
    if (paid.done) {
      await this.#store.complete(row.coupon_id, paid.timeMs);
      return undefined;
    }
    // The engine cannot answer now: the row stays as it is and is taken up again.
    if (paid.code.startsWith("ENGINE_")) return ON_ITS_WAY;
    await this.#store.reopen(row.coupon_id);
    return refuse("COUPON_BUDGET_SPENT", 503, "Coupons cannot be paid at the moment; try again later.", 60);
  }

  async #answer(couponId: string, userId: number, account: number, timeMs: number): Promise<Told<Coupon>> {
    const row = await this.#store.find(couponId, userId);
    return row === undefined ? UNKNOWN : { ok: true, data: await this.#describe(row, account, timeMs) };
  }

  async #describe(row: CouponRow, account: number, timeMs: number): Promise<Coupon> {
    return describeCoupon(row, {
      volumeUnits: await this.#volume(row, account, timeMs),
      asset: this.#needs.findAsset(row.asset),
      index: row.state === "open" ? this.#needs.readIndex(row.asset, timeMs) : undefined,
      timeMs,
    });
  }

  /** Spot turnover since the coupon was issued, in USDT. */
  async #volume(row: CouponRow, account: number, timeMs: number): Promise<bigint> {
    if (row.state !== "open" || row.volume_units === 0n) return row.volume_units;
    const untilMs = Math.min(row.expires_ms, timeMs + 1);
    const sums = await this.#store.sumTurnover(account, row.issued_ms, untilMs);
    return sums.reduce((total, { market, sum }) => {
      const quote = this.#needs.quoteOf(market);
      return total + (quote === undefined ? 0n : (this.#needs.worthUnits(quote, sum) ?? 0n));
    }, 0n);
  }
}
