// Use cases of ads: posted, changed, taken online and offline. Going online moves the coins of a seller into the book
// of the ad by one ledger command named by the ad and its round; every step is a compare-and-set on the row's version.

import { decimalText } from "@clockwork/kit/decimal";
import { otcPriceText, PRICE_SCALE, stockWithFee } from "@clockwork/kit/otc/price";
import { done, type Result, refused } from "@clockwork/kit/result";
import type { LedgerReply } from "../otcpeople/needs.ts";
import type { AdBook } from "./book-store.ts";
import { findPayments } from "./check-service.ts";
import type { AdDraft, AddAdBody, OwnAd, OwnAds, UpdateAdBody } from "./contract.ts";
import type { AdNeeds, MakerInfo } from "./needs.ts";
import type { AdRefusal } from "./refusals.ts";
import {
  bpsText,
  centsText,
  coinText,
  isFair,
  isRefusal,
  LEVEL_MIN,
  readTerms,
  WINDOW_DEFAULT,
  worthOfCents,
} from "./rules.ts";
import type { AdRow, AdStore } from "./store.ts";

type Outcome<Value = AdRow> = Promise<Result<Value, AdRefusal>>;
const SLOTS = 20;
/** Longer than any call may take: a step under way for this long was left by a stop. */
const UNDER_WAY_MS = 5_000;
/** Between two attempts after a refusal of the ledger. */
const AGAIN_MS = 60_000;
const TRIES = 20;
/** The reason of an ad that opens for the first time, in the moment it is posted. */
const NEW = "new";
/** Ads in these states are not offered, and have nothing in the book. */
const IS_OUT: readonly AdRow["state"][] = ["OFFLINE", "BANNED", "CLOSING"];

type TermColumns = Pick<
  AdRow,
  | "side"
  | "asset"
  | "fiat"
  | "price_e4"
  | "premium_bps"
  | "quantity_units"
  | "min_cents"
  | "max_cents"
  | "payments"
  | "payment_kinds"
  | "window_minutes"
  | "note"
  | "need_level"
  | "need_days"
  | "need_orders"
  | "need_completion"
  | "need_traded"
>;

export class AdService {
  readonly #store: AdStore;
  readonly #needs: AdNeeds;
  readonly #book: AdBook;
  /** When the ledger is retried for coins it refused to return. */
  readonly #notBefore = new Map<number, number>();

  constructor({ store, needs, book }: { readonly store: AdStore; readonly needs: AdNeeds; readonly book: AdBook }) {
    this.#store = store;
    this.#needs = needs;
    this.#book = book;
  }

  async own(userId: number): Promise<OwnAds> {
    const [rows, maker] = await Promise.all([this.#store.listOwn(userId), this.#needs.maker(userId)]);
    return { ads: await Promise.all(rows.map((row) => this.#describe(row))), adsMax: maker.adsMax };
  }

  /** Posts an ad; a repeat with the same clientId returns the same ad. */
  async add(userId: number, { online, clientId, ...draft }: AddAdBody): Outcome {
    const known = await this.#store.findIntent(userId, clientId);
    if (known !== undefined) return this.#posted(known);
    const maker = await this.#needs.maker(userId);
    const columns = await this.#columns(userId, draft, maker);
    if (!columns.done) return columns;
    const nowMs = this.#needs.now();
    const row: Omit<AdRow, "ad_id" | "slot"> = {
      ...columns.value,
      user_id: userId,
      client_id: clientId,
      stock_units: 0n,
      version: 1,
      ...(online === true
        ? ({ state: "OPENING", reason: NEW, round: 1 } as const)
        : ({ state: "OFFLINE", reason: "", round: 0 } as const)),
      created_ms: nowMs,
      changed_ms: nowMs,
    };
    const taken = new Set((await this.#store.listOwn(userId)).map(({ slot }) => slot));
    if (taken.size >= maker.adsMax) return refused("ADS_FULL");
    for (let slot = 1; slot <= Math.min(SLOTS, maker.adsMax); slot += 1) {
      if (taken.has(slot)) continue;
      const added = await this.#store.add({ ...row, slot });
      if (added === undefined) {
        const during = await this.#store.findIntent(userId, clientId);
        if (during !== undefined) return this.#posted(during);
        continue;
      }
      return this.#posted(added);
    }
    return refused("ADS_FULL");
  }

  /** The result of posting an ad; a repeat while it opens continues it. */
  #posted(row: AdRow): Outcome {
    if (row.state === "OPENING") return this.#freeze(row);
    return Promise.resolve(row.state === "DELETED" && isRefusal(row.reason) ? refused(row.reason) : done(row));
  }

  async update(userId: number, { adId, state, terms }: UpdateAdBody): Outcome {
    const row = await this.#store.find(Number(adId));
    if (row === undefined || row.user_id !== userId || row.state === "DELETED") return refused("AD_UNKNOWN");
    if ((state === undefined) === (terms === undefined)) return refused("AD_NOTHING");
    if (terms !== undefined) return this.#change(row, terms);
    if (state === "ONLINE") return this.#open(row);
    return state === "OFFLINE" ? this.#close(row, "OFFLINE", "") : this.#remove(row);
  }

  async #change(row: AdRow, draft: AdDraft): Outcome {
    const maker = await this.#needs.maker(row.user_id);
    const columns = await this.#columns(row.user_id, draft, maker);
    if (!columns.done) return columns;
    const { side, asset, fiat, quantity_units } = columns.value;
    const isOther =
      side !== row.side || asset !== row.asset || fiat !== row.fiat || quantity_units !== row.quantity_units;
    if (row.state !== "OFFLINE" && isOther) return refused("AD_ONLINE");
    if (!["OFFLINE", "ONLINE", "SOLD_OUT"].includes(row.state)) return refused("AD_STATE");
    return this.#alone(row, { ...columns.value, changed_ms: this.#needs.now() });
  }

  /** A change that must not meet an open order. */
  async #alone(row: AdRow, change: Partial<AdRow>): Outcome {
    const { ad_id: _, user_id: __, client_id: ___, version: ____, ...values } = { ...row, ...change };
    const stepped = await this.#store.stepAlone(
      row,
      values,
      async (inside) => !(await this.#needs.hasCoinsOut(row.ad_id, inside)),
    );
    if (stepped === "busy") return refused("AD_ORDERS_OPEN");
    if (stepped === undefined) return refused("AD_STATE");
    await this.#book.note(stepped);
    return done(stepped);
  }

  async #open(row: AdRow): Outcome {
    if (row.state === "ONLINE") return done(row);
    if (row.state === "SOLD_OUT") return this.#restock(row);
    if (row.state === "BANNED") return refused("AD_BANNED");
    if (row.state !== "OFFLINE") return refused("AD_STATE");
    const maker = await this.#needs.maker(row.user_id);
    if (!maker.mayPost) return refused(maker.state === "ACTIVE" ? "BOND_INCOMPLETE" : "MERCHANT_REQUIRED");
    const [indexE6, rateE8] = [this.#needs.indexE6(row.asset), this.#needs.rateE8(row.fiat)];
    if (indexE6 === undefined || rateE8 === undefined) return refused("NO_PRICE");
    if (!isFair(row, indexE6, rateE8)) return refused("AD_PRICE_BAND");
    const values = { state: "OPENING", round: row.round + 1, changed_ms: this.#needs.now() } as const;
    // Coins moving into the book or out of it would be counted for both rounds, or for none.
    const opening = await this.#store.stepAlone(
      row,
      values,
      async (inside) => !(await this.#needs.isUnsettled(row.ad_id, inside)),
    );
    if (opening === "busy") return refused("AD_BUSY");
    return opening === undefined ? refused("AD_STATE") : this.#freeze(opening);
  }

  /** The initial quantity, once more. */
  async #restock(row: AdRow): Outcome {
    const closed = await this.#close(row, "OFFLINE", "");
    return closed.done ? this.#open(closed.value) : closed;
  }

  /** The coins first, then the state; resumed after a stop it is repeated, and the ledger moves nothing twice. */
  async #freeze(row: AdRow): Outcome {
    const coin = this.#needs.coin(row.asset);
    if (coin === undefined || row.slot === null) return refused("AD_STATE");
    const reply =
      row.side === "buy"
        ? "done"
        : await this.#needs.freeze(
            row.user_id,
            row.slot,
            coin,
            stockWithFee(row.quantity_units),
            `oa:${row.ad_id}:${row.round}`,
          );
    if (reply === "away") return refused("LEDGER_AWAY");
    if (reply !== "done") {
      await this.#notFrozen(row);
      return refused("INSUFFICIENT_BALANCE");
    }
    const online = await this.#store.stock(row, this.#needs.now());
    if (online === undefined) return refused("AD_STATE");
    await this.#book.note(online);
    return done(online);
  }

  /** An ad that was never online is removed with its refusal; coins returned to another's book go to its owner. */
  async #notFrozen(row: AdRow): Promise<void> {
    const changed_ms = this.#needs.now();
    if (row.reason === NEW) {
      await this.#store.step(row, { state: "DELETED", slot: null, reason: "INSUFFICIENT_BALANCE", changed_ms });
      return;
    }
    const closing = await this.#store.step(row, {
      ...({ state: "CLOSING", stock_units: 0n, round: row.round + 1, changed_ms } as const),
    });
    if (closing !== undefined) await this.#thaw(closing);
  }

  /** Nothing can be taken from now on; free coins are returned, those in escrow remain until their order ends. */
  async #close(row: AdRow, to: "OFFLINE" | "BANNED", reason: string): Outcome {
    if (row.state === to) return done(row);
    if ((row.state === "OFFLINE" || row.state === "CLOSING") && to === "BANNED") {
      if (row.state === "CLOSING") return this.#banClosing(row, reason);
      const banned = await this.#store.step(row, { state: "BANNED", reason, changed_ms: this.#needs.now() });
      return banned === undefined ? refused("AD_STATE") : done(banned);
    }
    if (row.state !== "ONLINE" && row.state !== "SOLD_OUT") return refused("AD_STATE");
    const values = {
      state: "CLOSING",
      stock_units: 0n,
      reason: to === "BANNED" ? reason : "",
      changed_ms: this.#needs.now(),
    } as const;
    const closing = await this.#store.step(row, values);
    if (closing === undefined) return refused("AD_STATE");
    await this.#book.note(closing);
    return this.#thaw(closing);
  }

  async #banClosing(row: AdRow, reason: string): Outcome {
    const banned = await this.#store.step(row, { reason });
    return banned === undefined ? refused("AD_STATE") : this.#thaw(banned);
  }

  /** It is closing until the coins are out, whatever the ledger answers: the coins of a blocked seller wait. */
  async #thaw(row: AdRow): Outcome {
    const reply = await this.#sweep(row);
    if (reply === "away") return refused("LEDGER_AWAY");
    if (reply !== "done") {
      this.#notBefore.set(row.ad_id, this.#needs.now() + AGAIN_MS);
      return done(row);
    }
    this.#notBefore.delete(row.ad_id);
    const state = row.reason === "" ? "OFFLINE" : "BANNED";
    const closed = await this.#store.step(row, { state, changed_ms: this.#needs.now() });
    return closed === undefined ? refused("AD_STATE") : done(closed);
  }

  /** Free coins in the book of an ad go back to the seller, once for each round. */
  async #sweep(row: AdRow): Promise<LedgerReply> {
    if (row.side === "buy" || row.slot === null) return "done";
    const coin = this.#needs.coin(row.asset);
    return coin === undefined ? "away" : this.#needs.thaw(row.user_id, row.slot, coin, `oz:${row.ad_id}:${row.round}`);
  }

  /**
   * Coins of an order came back. While the ad is online they join its stock again; otherwise it closes once more, under
   * a new name for the ledger, and they go to the seller. Stored before the end of the order is notified.
   */
  async comeBack(adId: number): Promise<void> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const row = await this.#store.find(adId);
      if (row === undefined || row.side === "buy" || !IS_OUT.includes(row.state)) return;
      const values = { state: "CLOSING", round: row.round + 1, changed_ms: this.#needs.now() } as const;
      const closing = await this.#store.step(row, values);
      if (closing === undefined) continue;
      await this.#thaw(closing);
      return;
    }
    throw new Error(`ad ${adId} changes all the time`);
  }

  async #remove(row: AdRow): Outcome {
    if (row.state !== "OFFLINE" && row.state !== "BANNED") return refused("AD_ONLINE");
    return this.#alone(row, { state: "DELETED", slot: null, changed_ms: this.#needs.now() });
  }

  async ban(adId: number, isBanned: boolean, reason: string): Outcome {
    const row = await this.#store.find(adId);
    if (row === undefined || row.state === "DELETED") return refused("AD_UNKNOWN");
    if (isBanned) return this.#close(row, "BANNED", reason);
    if (row.state !== "BANNED") return refused("AD_STATE");
    const freed = await this.#store.step(row, { state: "OFFLINE", reason: "", changed_ms: this.#needs.now() });
    return freed === undefined ? refused("AD_STATE") : done(freed);
  }

  async closeAll(userId: number): Promise<void> {
    for (const row of await this.#store.listOwn(userId)) await this.#close(row, "OFFLINE", "");
  }

  /** Resumes what a stop left unfinished, and closes ads their owner may no longer offer. */
  async resume(): Promise<void> {
    const nowMs = this.#needs.now();
    for (const row of await this.#store.listStates(["OPENING", "CLOSING"])) {
      if (nowMs - row.changed_ms < UNDER_WAY_MS || nowMs < (this.#notBefore.get(row.ad_id) ?? 0)) continue;
      await (row.state === "OPENING" ? this.#freeze(row) : this.#thaw(row));
    }
    for (const adId of this.#book.listUnwelcome()) {
      const row = await this.#store.find(adId);
      if (row !== undefined && !(await this.#needs.maker(row.user_id)).mayPost) await this.#close(row, "OFFLINE", "");
    }
  }

  async #columns(userId: number, draft: AdDraft, maker: MakerInfo): Outcome<TermColumns> {
    if (!maker.mayPost) return refused(maker.state === "ACTIVE" ? "BOND_INCOMPLETE" : "MERCHANT_REQUIRED");
    const coin = this.#needs.coin(draft.asset);
    if (coin === undefined) return refused("NO_PRICE");
    const terms = readTerms(draft, coin);
    if (typeof terms === "string") return refused(terms);
    const [indexE6, rateE8] = [this.#needs.indexE6(draft.asset), this.#needs.rateE8(draft.fiat)];
    if (indexE6 === undefined || rateE8 === undefined) return refused("NO_PRICE");
    if (!isFair(terms, indexE6, rateE8)) return refused("AD_PRICE_BAND");
    if (worthOfCents(terms.max_cents, rateE8) > maker.orderMaxUnits) return refused("AD_ORDER_MAX");
    const payments = await findPayments(this.#needs, userId, draft);
    if (payments === undefined) return refused("AD_PAYMENT");
    return done({
      ...terms,
      side: draft.side,
      asset: draft.asset,
      fiat: draft.fiat,
      payments: payments.map(({ paymentId }) => paymentId).join(","),
      payment_kinds: payments.map(({ kind }) => kind).join(","),
      window_minutes: draft.windowMinutes ?? WINDOW_DEFAULT,
      note: (draft.note ?? "").normalize("NFKC").trim(),
      need_level: draft.needLevel ?? LEVEL_MIN,
      need_days: draft.needDays ?? 0,
      need_orders: draft.needOrders ?? 0,
      need_completion: draft.needCompletion ?? 0,
      need_traded: draft.needTraded ?? false,
    });
  }

  async #describe(row: AdRow): Promise<OwnAd> {
    const scale = this.#needs.coin(row.asset)?.scale ?? 0;
    const isFloating = row.premium_bps !== 0;
    const floating = this.#book.price(row);
    // A fixed price exactly as entered: editing the ad keeps it.
    const fixed = decimalText(row.price_e4, PRICE_SCALE);
    const moving = floating === undefined ? null : otcPriceText(floating);
    return {
      adId: String(row.ad_id),
      side: row.side,
      asset: row.asset,
      fiat: row.fiat,
      state: row.state,
      note: row.note,
      reason: row.reason === NEW ? "" : row.reason,
      isFloating,
      price: isFloating ? moving : fixed,
      premium: bpsText(row.premium_bps),
      quantity: coinText(row.quantity_units, scale),
      stock: coinText(row.stock_units, scale),
      min: centsText(row.min_cents, row.fiat),
      max: centsText(row.max_cents, row.fiat),
      paymentIds: row.payments.split(","),
      windowMinutes: row.window_minutes,
      needLevel: row.need_level,
      needDays: row.need_days,
      needOrders: row.need_orders,
      needCompletion: row.need_completion,
      needTraded: row.need_traded,
      openOrders: await this.#needs.countOpenOrders(row.ad_id),
      createdAtMs: row.created_ms,
    };
  }
}
