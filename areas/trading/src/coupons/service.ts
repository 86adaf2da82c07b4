// Use cases of coupons: issuing, showing progress, converting one to coin at the index once its volume is met. The
// ledger pays once per coupon: the row stores the intent first, and a restart resumes outstanding payments.

import type { Claimant } from "@clockwork/host/claimant";
import type { ProposalCall, ProposalEnd } from "@clockwork/host/proposal";
import { type Outcome, type RouteRejection, refuseBy } from "@clockwork/host/route";
import { formatUnits, parseUnits, units } from "@clockwork/kit/money";
import { DAY_MS } from "@clockwork/kit/time";
import type { Coupon, IssuePayload } from "./contract.ts";
import type { CouponNeeds } from "./needs.ts";
import { type CouponRefusal, ISSUE_REFUSALS, type IssueRefusal, REFUSALS } from "./refusals.ts";
import { convertFloor, describeCoupon, describeNotice, stateOf, USDT_SCALE } from "./rules.ts";
import type { CouponRow, CouponStore } from "./store.ts";

const refuse = (code: CouponRefusal) => refuseBy(REFUSALS, { code });

/** The welcome coupon of the default run. */
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

  async list(userId: number, timeMs: number): Promise<Outcome<Coupon[], CouponRefusal>> {
    const account = await this.#needs.findSpotAccount(userId);
    if (account === undefined) return refuse("ACCOUNT_NOT_READY");
    const rows = await this.#ownRows(userId, timeMs);
    await this.#needs.settled(account);
    const coupons: Coupon[] = [];
    for (const row of rows) coupons.push(await this.#describe(row, account, timeMs));
    return { ok: true, data: coupons };
  }

  async convert(claimant: Claimant, couponId: string): Promise<Outcome<Coupon, CouponRefusal>> {
    const { userId, timeMs } = claimant;
    const account = await this.#needs.findSpotAccount(userId);
    if (account === undefined) return refuse("ACCOUNT_NOT_READY");
    const row = await this.#store.find(couponId, userId);
    if (row === undefined) return refuse("UNKNOWN_COUPON");
    await this.#needs.settled(account);
    const volumeUnits = await this.#volume(row, account, timeMs);
    switch (stateOf(row, volumeUnits, timeMs)) {
      case "CONVERTED":
        return { ok: true, data: await this.#describe(row, account, timeMs) };
      case "EXPIRED":
        return refuse("COUPON_EXPIRED");
      case "OPEN":
        return refuse("COUPON_VOLUME_SHORT");
      case "READY": {
        // For a coupon given by two other people only the identity counts, not shared devices.
        const isWelcome = row.reference === WELCOME_REFERENCE;
        const taken = await this.#needs.takeReward(isWelcome ? "coupon:welcome" : `coupon:${row.coupon_id}`, claimant);
        if (taken !== undefined) return refuse(taken);
        const refused = await this.#intend(row);
        if (refused !== undefined) return refused;
        break;
      }
      case "CONVERTING":
        break;
    }
    const intended = await this.#store.find(couponId, userId);
    if (intended === undefined) return refuse("UNKNOWN_COUPON");
    return (await this.#pay(intended, account)) ?? this.#answer(couponId, userId, account, timeMs);
  }

  /** The checks of a proposal, before another operator approves it. */
  async check(body: IssuePayload): Promise<RouteRejection<IssueRefusal> | undefined> {
    const read = await this.#readIssue(body);
    return read.ok ? undefined : read.rejection;
  }

  /** Carries out an approval: repeated after a crash, it issues nothing twice. */
  async issue(body: IssuePayload, { reference, timeMs }: ProposalCall): Promise<ProposalEnd> {
    const read = await this.#readIssue(body);
    if (!read.ok) return { end: "refused", code: read.rejection.code, message: read.rejection.message };
    const couponId = this.#needs.idOf(reference);
    await this.#add(Number(body.user), read.data, body.reference, { couponId, issuedMs: timeMs });
    const row = await this.#store.findReference(Number(body.user), body.reference);
    if (row?.coupon_id === couponId) {
      await this.#needs.notify(row.user_id, describeNotice("coupon-issued", row, ""), timeMs);
      return { end: "done", outcome: `coupon ${couponId}` };
    }
    return { end: "refused", code: "COUPON_REFERENCE_USED", message: "The person has a coupon of this reference." };
  }

  async #readIssue(body: IssuePayload): Promise<Outcome<Issue, IssueRefusal>> {
    if (this.#needs.findAsset(body.asset) === undefined) return refuseBy(ISSUE_REFUSALS, { code: "UNKNOWN_ASSET" });
    if ((await this.#needs.findJoinedMs(Number(body.user))) === undefined)
      return refuseBy(ISSUE_REFUSALS, { code: "ACCOUNT_UNKNOWN" });
    const face = parseUnits(body.faceUsdt, USDT_SCALE);
    const volume = parseUnits(body.volumeUsdt, USDT_SCALE);
    if (!face.done || face.value === 0n || !volume.done) {
      return refuseBy(ISSUE_REFUSALS, { code: "INVALID_AMOUNT" });
    }
    const { kind, asset, days } = body;
    return { ok: true, data: { kind, asset, days, faceUnits: face.value, volumeUnits: volume.value } };
  }

  /** Called when a user has traded: notifies once if the turnover of a coupon is met. */
  async notifyReady(userId: number, timeMs: number): Promise<void> {
    const account = await this.#needs.findSpotAccount(userId);
    if (account === undefined) return;
    await this.#needs.settled(account);
    for (const row of await this.#ownRows(userId, timeMs)) {
      if (row.state !== "open" || row.volume_units === 0n || timeMs >= row.expires_ms) continue;
      const state = stateOf(row, await this.#volume(row, account, timeMs), timeMs);
      if (state === "READY") await this.#needs.notify(userId, describeNotice("coupon-ready", row, ""), timeMs);
    }
  }

  /** Pays what a stopped process left unpaid. */
  async resume(): Promise<void> {
    for (const row of await this.#store.listIntended()) {
      const account = await this.#needs.findSpotAccount(row.user_id);
      if (account !== undefined) await this.#pay(row, account);
    }
  }

  /** With the first coupon of the default run. */
  async #ownRows(userId: number, timeMs: number): Promise<readonly CouponRow[]> {
    const rows = await this.#store.list(userId);
    if (!this.#needs.hasWelcome || rows.some(({ reference }) => reference === WELCOME_REFERENCE)) return rows;
    // Counts from sign-up: volume traded before the coupon was first read counts.
    const issuedMs = (await this.#needs.findJoinedMs(userId)) ?? timeMs;
    await this.#add(userId, WELCOME, WELCOME_REFERENCE, { couponId: this.#needs.randomId(), issuedMs });
    return this.#store.list(userId);
  }

  #add(
    userId: number,
    wanted: Issue,
    reference: string,
    { couponId, issuedMs }: { readonly couponId: string; readonly issuedMs: number },
  ): Promise<void> {
    return this.#store.add({
      coupon_id: couponId,
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

  async #intend(row: CouponRow): Promise<Outcome<never, CouponRefusal> | undefined> {
    const index = this.#needs.readIndex(row.asset);
    if (index === undefined) return refuse("NO_REFERENCE_PRICE");
    const paidUnits = convertFloor(row.face_units, index);
    if (paidUnits === 0n) return refuse("COUPON_TOO_SMALL");
    // A concurrent caller has stored the same intent; both continue with what is stored.
    await this.#store.intend(row.coupon_id, paidUnits, index.text);
    return undefined;
  }

  /** Undefined when it is paid. */
  async #pay(row: CouponRow, account: number): Promise<Outcome<never, CouponRefusal> | undefined> {
    const asset = this.#needs.findAsset(row.asset);
    if (row.state === "converted") return undefined;
    if (asset === undefined || row.paid_units === null) return refuse("COUPON_CONVERTING");
    const paid = await this.#needs.pay(
      account,
      { faceUnits: row.face_units, asset: asset.asset, amountUnits: row.paid_units },
      `coupon:${row.coupon_id}`,
    );
    if (paid.done) {
      await this.#store.complete(row, paid.timeMs);
      const amount = formatUnits(units(row.paid_units), asset.scale);
      await this.#needs.notify(row.user_id, describeNotice("coupon-converted", row, amount), paid.timeMs);
      return undefined;
    }
    // The engine cannot answer now, or another call has just paid it at another price: the row is read again.
    if (paid.code.startsWith("ENGINE_") || paid.code === "REFERENCE_REUSED") return refuse("COUPON_CONVERTING");
    await this.#store.reopen(row.coupon_id);
    return refuse("COUPON_BUDGET_SPENT");
  }

  async #answer(
    couponId: string,
    userId: number,
    account: number,
    timeMs: number,
  ): Promise<Outcome<Coupon, CouponRefusal>> {
    const row = await this.#store.find(couponId, userId);
    return row === undefined
      ? refuse("UNKNOWN_COUPON")
      : { ok: true, data: await this.#describe(row, account, timeMs) };
  }

  async #describe(row: CouponRow, account: number, timeMs: number): Promise<Coupon> {
    return describeCoupon(row, {
      volumeUnits: await this.#volume(row, account, timeMs),
      asset: this.#needs.findAsset(row.asset),
      index: row.state === "open" ? this.#needs.readIndex(row.asset) : undefined,
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
