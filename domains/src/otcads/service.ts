// Use cases of ads: posted, changed, taken online and offline. Going online moves the coins of a seller into the book of
// the ad by one ledger command named by the ad and its round; every step is a compare-and-set on the row's version.
import { decimalText, trimZeros } from "@clockwork/kit/decimal";
import { amountOf, feeOf, INDEX_SCALE, PRICE_SCALE, RATE_SCALE, stockWithFee } from "@clockwork/kit/otc/price";
import { done, type Result, refused } from "@clockwork/kit/result";
import type { AdChecks, AdDraft, AddAdBody, CheckAdBody, OwnAd, OwnAds, UpdateAdBody } from "./api.ts";
import type { AdBook } from "./book-store.ts";
import type { AdCoin, AdNeeds, MakerInfo } from "./needs.ts";
import {
  type AdRefusal,
  bpsText,
  centsText,
  coinText,
  isFair,
  LEVEL_MIN,
  priceOf,
  priceText,
  readTerms,
  type Terms,
  WINDOW_DEFAULT,
  worthOfCents,
} from "./rules.ts";
import type { AdRow, AdStore } from "./store.ts";

type Told<Value = AdRow> = Promise<Result<Value, AdRefusal>>;
const SLOTS = 20;

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
>;

export class AdService {
  readonly #store: AdStore;
  readonly #needs: AdNeeds;
  readonly #book: AdBook;

  constructor({ store, needs, book }: { readonly store: AdStore; readonly needs: AdNeeds; readonly book: AdBook }) {
    this.#store = store;
    this.#needs = needs;
    this.#book = book;
  }

  async own(userId: number): Promise<OwnAds> {
    const [rows, maker] = await Promise.all([this.#store.listOwn(userId), this.#needs.maker(userId)]);
    return { ads: await Promise.all(rows.map((row) => this.#describe(row))), adsMax: maker.adsMax };
  }

  /** Posts an ad; asked again with the same clientId it is the same ad. */
  async add(userId: number, { online, clientId, ...draft }: AddAdBody): Told {
    const known = await this.#store.findIntent(userId, clientId);
    if (known !== undefined) return done(known);
    const maker = await this.#needs.maker(userId);
    const columns = await this.#columns(userId, draft, maker);
    if (!columns.done) return columns;
    const nowMs = this.#needs.now();
    const row: Omit<AdRow, "ad_id" | "slot"> = {
      ...columns.value,
      ...{ user_id: userId, client_id: clientId, stock_units: 0n, state: "OFFLINE", reason: "", version: 1, round: 0 },
      ...{ created_ms: nowMs, changed_ms: nowMs },
    };
    const taken = new Set((await this.#store.listOwn(userId)).map(({ slot }) => slot));
    if (taken.size >= maker.adsMax) return refused("ADS_FULL");
    for (let slot = 1; slot <= Math.min(SLOTS, maker.adsMax); slot += 1) {
      if (taken.has(slot)) continue;
      const added = await this.#store.add({ ...row, slot });
      if (added === undefined) {
        const meanwhile = await this.#store.findIntent(userId, clientId);
        if (meanwhile !== undefined) return done(meanwhile);
        continue;
      }
      return online === true ? this.#open(added) : done(added);
    }
    return refused("ADS_FULL");
  }

  async update(userId: number, { adId, state, terms }: UpdateAdBody): Told {
    const row = await this.#store.find(Number(adId));
    if (row === undefined || row.user_id !== userId || row.state === "DELETED") return refused("AD_UNKNOWN");
    if ((state === undefined) === (terms === undefined)) return refused("AD_NOTHING");
    if (terms !== undefined) return this.#change(row, terms);
    if (state === "ONLINE") return this.#open(row);
    return state === "OFFLINE" ? this.#close(row, "OFFLINE", "") : this.#remove(row);
  }

  async #change(row: AdRow, draft: AdDraft): Told {
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

  /** A change nobody's open order may meet. */
  async #alone(row: AdRow, change: Partial<AdRow>): Told {
    const { ad_id: _, user_id: __, client_id: ___, version: ____, ...values } = { ...row, ...change };
    const stepped = await this.#store.stepAlone(
      row,
      values,
      async (inside) => (await this.#needs.countOpenOrders(row.ad_id, inside)) === 0,
    );
    if (stepped === "busy") return refused("AD_ORDERS_OPEN");
    if (stepped === undefined) return refused("AD_STATE");
    await this.#book.note(stepped);
    return done(stepped);
  }

  async #open(row: AdRow): Told {
    if (row.state === "ONLINE" || row.state === "SOLD_OUT") return done(row);
    if (row.state === "BANNED") return refused("AD_BANNED");
    if (row.state !== "OFFLINE") return refused("AD_STATE");
    const maker = await this.#needs.maker(row.user_id);
    if (!maker.mayPost) return refused(maker.state === "ACTIVE" ? "BOND_INCOMPLETE" : "MERCHANT_REQUIRED");
    if (!isFair(row, this.#needs.indexE6(row.asset), this.#needs.rateE8(row.fiat))) return refused("AD_PRICE_BAND");
    const values = { state: "OPENING", round: row.round + 1, changed_ms: this.#needs.now() } as const;
    const opening = await this.#store.step(row, values);
    return opening === undefined ? refused("AD_STATE") : this.#freeze(opening);
  }

  /** The coins first, then the word; found half done after a stop it is done again, and the ledger moves nothing twice. */
  async #freeze(row: AdRow): Told {
    const coin = this.#needs.coin(row.asset);
    if (coin === undefined || row.slot === null) return refused("AD_STATE");
    const said =
      row.side === "buy"
        ? "done"
        : await this.#needs.freeze(
            row.user_id,
            row.slot,
            coin,
            stockWithFee(row.quantity_units),
            `oa:${row.ad_id}:${row.round}`,
          );
    if (said === "away") return refused("LEDGER_AWAY");
    const changed_ms = this.#needs.now();
    if (said !== "done") {
      await this.#store.step(row, { state: "OFFLINE", changed_ms });
      return refused("INSUFFICIENT_BALANCE");
    }
    const online = await this.#store.step(row, { state: "ONLINE", stock_units: row.quantity_units, changed_ms });
    if (online === undefined) return refused("AD_STATE");
    await this.#book.note(online);
    return done(online);
  }

  /** Nothing can be taken from now on; what is free goes back, what is in escrow stays until its order ends. */
  async #close(row: AdRow, to: "OFFLINE" | "BANNED", reason: string): Told {
    if (row.state === to) return done(row);
    if (row.state === "OFFLINE" && to === "BANNED") {
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

  async #thaw(row: AdRow): Told {
    const said = await this.sweep(row, `oz:${row.ad_id}:${row.round}`);
    if (said === "away") return refused("LEDGER_AWAY");
    const state = row.reason === "" ? "OFFLINE" : "BANNED";
    const closed = await this.#store.step(row, { state, changed_ms: this.#needs.now() });
    return closed === undefined ? refused("AD_STATE") : done(closed);
  }

  /** What is free in the book of an ad goes back to the seller. */
  async sweep(row: AdRow, reference: string): Promise<"done" | "short" | "away" | "refused"> {
    const coin = this.#needs.coin(row.asset);
    if (row.side === "buy" || coin === undefined || row.slot === null) return "done";
    return this.#needs.thaw(row.user_id, row.slot, coin, reference);
  }

  async #remove(row: AdRow): Told {
    if (row.state !== "OFFLINE" && row.state !== "BANNED") return refused("AD_ONLINE");
    return this.#alone(row, { state: "DELETED", slot: null, changed_ms: this.#needs.now() });
  }

  async ban(adId: number, isBanned: boolean, reason: string): Told {
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

  /** Goes on with what a stop left half done. */
  async resume(): Promise<void> {
    for (const row of await this.#store.listStates(["OPENING"])) await this.#freeze(row);
    for (const row of await this.#store.listStates(["CLOSING"])) await this.#thaw(row);
  }

  async #columns(userId: number, draft: AdDraft, maker: MakerInfo): Told<TermColumns> {
    if (!maker.mayPost) return refused(maker.state === "ACTIVE" ? "BOND_INCOMPLETE" : "MERCHANT_REQUIRED");
    const coin = this.#needs.coin(draft.asset);
    if (coin === undefined) return refused("NO_PRICE");
    const terms = readTerms(draft, coin);
    if (typeof terms === "string") return refused(terms);
    if (!isFair(terms, this.#needs.indexE6(draft.asset), this.#needs.rateE8(draft.fiat)))
      return refused("AD_PRICE_BAND");
    if (worthOfCents(terms.max_cents, this.#needs.rateE8(draft.fiat)) > maker.orderMaxUnits)
      return refused("AD_ORDER_MAX");
    const payments = await this.#payments(userId, draft);
    if (payments === undefined) return refused("AD_PAYMENT");
    return done({
      ...terms,
      ...{ side: draft.side, asset: draft.asset, fiat: draft.fiat },
      payments: payments.map(({ paymentId }) => paymentId).join(","),
      payment_kinds: payments.map(({ kind }) => kind).join(","),
      window_minutes: draft.windowMinutes ?? WINDOW_DEFAULT,
      note: (draft.note ?? "").normalize("NFKC").trim(),
      need_level: draft.needLevel ?? LEVEL_MIN,
      need_days: draft.needDays ?? 0,
      need_orders: draft.needOrders ?? 0,
      need_completion: draft.needCompletion ?? 0,
    });
  }

  /** In the order they were chosen; undefined when one is not the merchant's own in this currency. */
  async #payments(userId: number, { paymentIds, fiat }: AdDraft) {
    const own = await this.#needs.listPayments(userId);
    const found = paymentIds.map((id) => own.find((one) => one.paymentId === id && one.fiat === fiat));
    return found.every((one) => one !== undefined) ? found : undefined;
  }

  /** Every rule by its name, so that a form can say what is missing before anything is posted. */
  async validate(userId: number, { adId, ...draft }: CheckAdBody): Told<AdChecks> {
    const coin = this.#needs.coin(draft.asset);
    if (coin === undefined) return refused("NO_PRICE");
    const terms = readTerms(draft, coin);
    if (typeof terms === "string") return refused(terms);
    const [maker, own, free, payments] = await Promise.all([
      this.#needs.maker(userId),
      this.#store.listOwn(userId),
      this.#needs.freeUnits(userId, coin),
      this.#payments(userId, draft),
    ]);
    const changed = own.find(({ ad_id }) => String(ad_id) === adId);
    if (adId !== undefined && changed === undefined) return refused("AD_UNKNOWN");
    const others = own.length - (changed === undefined ? 0 : 1);
    const rateE8 = this.#needs.rateE8(draft.fiat);
    const frozen = draft.side === "sell" ? stockWithFee(terms.quantity_units) : 0n;
    // An ad that is online holds its coins already.
    const isHeld = changed?.state === "ONLINE" || changed?.state === "SOLD_OUT";
    const missing = isHeld || free >= frozen ? 0n : frozen - free;
    const checks: AdChecks["checks"] = [
      { rule: "merchant", isMet: maker.state === "ACTIVE", value: maker.state },
      { rule: "bond", isMet: maker.mayPost, value: maker.bondText },
      { rule: "slots", isMet: others < maker.adsMax, value: `${others}/${maker.adsMax}` },
      {
        rule: "price",
        isMet: isFair(terms, this.#needs.indexE6(draft.asset), rateE8),
        value: draft.premium ?? draft.price ?? "",
      },
      { rule: "limits", isMet: terms.min_cents <= terms.max_cents, value: `${draft.min}–${draft.max}` },
      {
        rule: "orderMax",
        isMet: worthOfCents(terms.max_cents, rateE8) <= maker.orderMaxUnits,
        value: coinText(maker.orderMaxUnits, 6),
      },
      { rule: "payments", isMet: payments !== undefined, value: String(draft.paymentIds.length) },
      { rule: "funds", isMet: missing === 0n, value: coinText(free, coin.scale) },
    ];
    return done({ checks, ...this.#effect(userId, draft, coin, terms, { frozen, free, missing }) });
  }

  #effect(
    userId: number,
    draft: AdDraft,
    coin: AdCoin,
    terms: Terms,
    { frozen, free, missing }: { readonly frozen: bigint; readonly free: bigint; readonly missing: bigint },
  ): Omit<AdChecks, "checks"> {
    const { asset, fiat, side } = draft;
    const indexE6 = this.#needs.indexE6(asset);
    const rateE8 = this.#needs.rateE8(fiat);
    const price = priceOf(terms, indexE6, rateE8);
    const indexPrice = this.#book.indexPrice(asset, fiat);
    const { offers } = this.#book.offers(side === "sell" ? "buy" : "sell", asset, fiat, undefined);
    const rivals = offers.filter(({ ad }) => ad.user_id !== userId).map(({ priceE4 }) => priceE4);
    const isBetter = (one: bigint): boolean => price !== undefined && (side === "sell" ? one <= price : one >= price);
    return {
      price: price === undefined ? null : priceText(price),
      indexPrice: indexPrice === undefined ? null : priceText(indexPrice),
      index: indexE6 === undefined ? null : trimZeros(decimalText(indexE6, INDEX_SCALE)),
      rate: trimZeros(decimalText(rateE8, RATE_SCALE)),
      frozen: coinText(frozen, coin.scale),
      fee: coinText(feeOf(terms.quantity_units), coin.scale),
      total: price === undefined ? "0" : centsText(amountOf(terms.quantity_units, coin.scale, price, fiat), fiat),
      free: coinText(free, coin.scale),
      missing: coinText(missing, coin.scale),
      rivals: rivals.slice(0, 50).map(priceText),
      rank: rivals.filter(isBetter).length + 1,
    };
  }

  async #describe(row: AdRow): Promise<OwnAd> {
    const scale = this.#needs.coin(row.asset)?.scale ?? 0;
    const isFloating = row.premium_bps !== 0;
    const floating = this.#book.price(row);
    // A fixed price exactly as it was given: whoever edits the ad keeps it.
    const fixed = decimalText(row.price_e4, PRICE_SCALE);
    const moving = floating === undefined ? null : priceText(floating);
    return {
      adId: String(row.ad_id),
      ...{ side: row.side, asset: row.asset, fiat: row.fiat, state: row.state, reason: row.reason, note: row.note },
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
      openOrders: await this.#needs.countOpenOrders(row.ad_id),
      createdAtMs: row.created_ms,
    };
  }
}
