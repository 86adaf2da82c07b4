// Orders from the first intent to the end. The table of states defines who may do what; each step is stored as an
// intent, done by one ledger command named by the order, and ended in one transaction. An unfinished step is repeated
// by its finder: the ledger moves nothing twice and decides every race with the timer.
import {
  APPEAL_AFTER_MS,
  findRule,
  type OtcAction,
  type OtcActor,
  type OtcRule,
  REQUESTS_MAX,
} from "@clockwork/kit/otc/order-machine";
import { feeOf } from "@clockwork/kit/otc/price";
import { done, type Result, refused } from "@clockwork/kit/result";
import { formatDate } from "@clockwork/kit/time";
import type { Kysely } from "kysely";
import type { ChatService } from "./chat-service.ts";
import type { AddOrderBody } from "./contract.ts";
import type { EscrowReply, OrderNeeds, PaymentFound, TakenAd } from "./needs.ts";
import type { OrderRefusal } from "./refusals.ts";
import { centsText, coinText, faultOf, isRefusal, OPEN_MAX, roleOf, UNDER_WAY_MS } from "./rules.ts";
import type { OrderChange, OrderRow, OrderStore } from "./store.ts";

type Outcome = Promise<Result<OrderRow, OrderRefusal>>;
/** The data of a step besides its state. */
interface StepExtras {
  readonly change?: OrderChange;
  readonly detail?: string;
  readonly within?: (inside: Kysely<unknown>) => Promise<void>;
  /** The buyer's confirmation that nothing was paid, or that it was returned. */
  readonly isUnpaid?: boolean;
  /** The security version of the user who proved the step: it starts only while that is current. */
  readonly version?: number | undefined;
}

/** The releasing user, and their proof. */
export interface Prover {
  readonly userId: number;
  /** Undefined once the session is over. */
  readonly readVersion: () => Promise<number | undefined>;
  readonly prove: () => Promise<Result<null, "PROOF_REQUIRED" | "PROOF_WRONG" | "TOO_MANY_TRIES">>;
}

/** An account's versions count from 0. */
const NO_VERSION = -1;

const REPLIES: Readonly<Record<Exclude<EscrowReply, "done">, OrderRefusal>> = {
  expired: "ORDER_EXPIRED",
  short: "INSUFFICIENT_BALANCE",
  restricted: "RESTRICTED",
  blocked: "ACCOUNT_BLOCKED",
  unpriced: "NO_PRICE",
  away: "LEDGER_AWAY",
  refused: "LEDGER_REFUSED",
};

export class OrderService {
  readonly #store: OrderStore;
  readonly #chat: ChatService;
  readonly #needs: OrderNeeds;

  constructor({ store, chat, needs }: { store: OrderStore; chat: ChatService; needs: OrderNeeds }) {
    this.#store = store;
    this.#chat = chat;
    this.#needs = needs;
  }

  /** Takes an ad; a repeat with the same clientId returns the same order. */
  async place(takerId: number, body: AddOrderBody): Outcome {
    const known = await this.#store.findIntent(takerId, body.clientId);
    if (known !== undefined) return this.#placed(known);
    const { adId, amount, quantity, matchId, price } = body;
    const ad = await this.#needs.take(takerId, { adId: Number(adId), amount, quantity, matchId, price });
    if (typeof ad === "string") return refused(isRefusal(ad) ? ad : "AD_UNKNOWN");
    const payment = await this.#paymentOf(takerId, ad, body.paymentId);
    if (payment === undefined) return refused("PAYMENT_UNKNOWN");
    const row = this.#makeRow(takerId, body.clientId, ad, payment);
    if (row === undefined) return refused("NO_PRICE");
    const nowMs = this.#needs.now();
    const placed = await this.#store.place(
      row,
      { openMax: OPEN_MAX, nowMs },
      // A held price belongs to one order, and is used with its coins.
      async (inside) =>
        (ad.matchId === "" || (await this.#needs.takeMatch(inside, ad.matchId, row.order_id))) &&
        this.#needs.reserve(inside, ad, nowMs),
    );
    if (placed === "known" || placed === "again") return this.place(takerId, body);
    if (placed === "full") return refused("ORDERS_FULL");
    if (placed === "rests") return refused(row.buyer_id === takerId ? "BUYING_RESTS" : "BUYER_RESTS");
    if (placed === "taken") return refused(ad.matchId === "" ? "STOCK_TOO_SMALL" : "MATCH_UNKNOWN");
    return this.#hold(row);
  }

  #placed(row: OrderRow): Outcome {
    if (row.state === "PLACING") return this.#hold(row);
    return Promise.resolve(
      row.state === "REFUSED" ? refused(isRefusal(row.end_by) ? row.end_by : "LEDGER_REFUSED") : done(row),
    );
  }

  #makeRow(takerId: number, clientId: string, ad: TakenAd, payment: PaymentFound): OrderRow | undefined {
    const coin = this.#needs.coin(ad.asset);
    const worthUnits = coin === undefined ? undefined : this.#needs.worthUnits(coin, ad.quantityUnits);
    if (worthUnits === undefined) return undefined;
    const nowMs = this.#needs.now();
    const isMakerSelling = ad.side === "sell";
    const orderId = `${formatDate(nowMs).replaceAll("-", "").slice(2)}${this.#needs.randomDigits(8)}`;
    return {
      order_id: orderId,
      ad_id: ad.adId,
      maker_id: ad.makerId,
      taker_id: takerId,
      client_id: clientId,
      buyer_id: isMakerSelling ? takerId : ad.makerId,
      seller_id: isMakerSelling ? ad.makerId : takerId,
      slot: isMakerSelling ? ad.slot : 0,
      asset: ad.asset,
      fiat: ad.fiat,
      price_e4: ad.priceE4,
      quantity_units: ad.quantityUnits,
      fee_units: feeOf(ad.quantityUnits),
      amount_cents: ad.amountCents,
      worth_units: worthUnits,
      payment_kind: payment.kind,
      payment_sealed: this.#needs.seal(new TextEncoder().encode(payment.details), paymentContext(orderId)),
      state: "PLACING",
      intent: "",
      intent_by: "",
      intent_ms: 0,
      paid_ms: 0,
      is_cancel_asked: false,
      pay_by_ms: nowMs + ad.windowMinutes * 60_000,
      end_by: "",
      fault: "",
      ended_ms: 0,
      created_ms: nowMs,
    };
  }

  /** The seller's: one of the ad's, or one of the taker's own of a kind the ad accepts. */
  async #paymentOf(takerId: number, ad: TakenAd, paymentId: string): Promise<PaymentFound | undefined> {
    const found = await this.#needs.findPayment(paymentId);
    if (found === undefined || found.fiat !== ad.fiat) return undefined;
    if (ad.side === "sell") return ad.paymentIds.includes(paymentId) && found.userId === ad.makerId ? found : undefined;
    return found.userId === takerId && ad.paymentKinds.includes(found.kind) ? found : undefined;
  }

  async #hold(row: OrderRow): Outcome {
    const coin = this.#needs.coin(row.asset);
    if (coin === undefined) return refused("NO_PRICE");
    const response = await this.#needs.escrow.hold(row, coin);
    if (response === "away") return refused("LEDGER_AWAY");
    if (response !== "done") return this.#refuse(row, REPLIES[response]);
    const detail = `${coinText(row.quantity_units, coin.scale)} ${row.asset}`;
    const log = { at_ms: this.#needs.now(), actor: "taker", action: "placed", detail };
    const { reply } = await this.#needs.person(row.maker_id);
    const placed = await this.#store.end(row, { state: "WAIT_PAY" }, log, async (inside) => {
      await this.#chat.note(inside, row.order_id, "escrow");
      if (reply !== "") await this.#chat.greet(inside, row, reply);
    });
    if (placed === undefined) {
      const now = await this.#store.find(row.order_id);
      return now === undefined || now.state === "REFUSED" ? refused("ORDER_STATE") : done(now);
    }
    await this.#answer(placed.order, "placed", placed.stepId);
    return done(placed.order);
  }

  async #refuse(row: OrderRow, code: OrderRefusal): Outcome {
    const nowMs = this.#needs.now();
    const log = { at_ms: nowMs, actor: "timer", action: "refused", detail: code };
    const ended = await this.#store.end(row, { state: "REFUSED", end_by: code, ended_ms: nowMs }, log, (inside) =>
      this.#needs.giveBack(inside, row.ad_id, row.quantity_units, nowMs),
    );
    if (ended !== undefined) {
      await this.#needs.adChanged(ended.order);
      await this.#store.markNotified(ended.stepId);
    }
    return refused(code);
  }

  /** By its seller, with a proof; any change of the account's security after its version was read wins. */
  async release(seller: Prover, orderId: string): Outcome {
    const version = await seller.readVersion();
    const row = await this.#store.find(orderId);
    // No code is spent on an order that is not the caller's to release.
    if (row?.seller_id !== seller.userId) return refused("ORDER_UNKNOWN");
    if (row.state !== "PAID") return refused("ORDER_STATE");
    const proved = await seller.prove();
    return proved.done ? this.act(seller.userId, orderId, "release", { version: version ?? NO_VERSION }) : proved;
  }

  /** A step by one of the two sides, determined by the caller. */
  async act(userId: number, orderId: string, action: OtcAction, extras: StepExtras = {}): Outcome {
    const row = await this.#store.find(orderId);
    const role = row === undefined ? undefined : roleOf(row, userId);
    if (row === undefined || role === undefined || row.state === "REFUSED") return refused("ORDER_UNKNOWN");
    const wrong = await this.#wrong(row, role, action, extras);
    return wrong === undefined ? this.step(row, role, action, extras) : refused(wrong);
  }

  async #wrong(
    row: OrderRow,
    role: "buyer" | "seller",
    action: OtcAction,
    { isUnpaid }: StepExtras,
  ): Promise<OrderRefusal | undefined> {
    if (findRule(row.state, role, action) === undefined) return "ORDER_STATE";
    // Of the state the step starts from: an order paid since is not cancelled by a confirmation for an unpaid one.
    if (action === "cancel" && row.state === "PAID" && isUnpaid !== true) return "CONFIRM_UNPAID";
    if (action === "appeal" && this.#needs.now() < row.paid_ms + APPEAL_AFTER_MS) return "APPEAL_TOO_EARLY";
    if (action !== "withdrawAppeal") return undefined;
    return (await this.#store.findComplaintOf(row.order_id))?.by_role === role ? undefined : "APPEAL_NOT_YOURS";
  }

  async step(row: OrderRow, by: OtcActor, action: OtcAction, extras: StepExtras = {}): Outcome {
    const rule = findRule(row.state, by, action);
    if (rule === undefined) return refused("ORDER_STATE");
    const timeMs = this.#needs.now();
    // Before that the core still holds the coins, and nothing would return them.
    if (action === "expire" && timeMs < row.pay_by_ms) return refused("ORDER_STATE");
    const beginning = await this.#begin(row, { action, by, timeMs }, extras.version);
    if (!beginning.done) return beginning;
    const started = { ...row, intent: action, intent_by: by, intent_ms: timeMs };
    // Counted under the order's lock, so that the limit holds for concurrent requests.
    if (action === "askCancel" && (await this.#store.countSteps(row.order_id, action)) >= REQUESTS_MAX) {
      await this.#store.callOff(started);
      return refused("ASKS_FULL");
    }
    return this.#finish(started, rule, extras);
  }

  async #begin(row: OrderRow, intent: { action: OtcAction; by: OtcActor; timeMs: number }, version?: number) {
    const begin = async (inside?: Kysely<unknown>) =>
      (await this.#store.begin(row.order_id, row.state, intent, inside)) ? done(null) : refused("ORDER_BUSY");
    if (version === undefined) return begin();
    const userId = intent.by === "seller" ? row.seller_id : row.buyer_id;
    const started = await this.#needs.changeAt(userId, version, begin);
    if (started.done) return started;
    return refused(started.code === "OVERTAKEN" ? "SECURITY_CHANGED" : started.code);
  }

  /** The ledger first, then the state. */
  async #finish(row: OrderRow, rule: OtcRule, extras: StepExtras): Outcome {
    const response = await this.#move(row, rule);
    if (response === "away") return refused("LEDGER_AWAY");
    if (response === "expired" && rule.escrow === "keep") {
      // The timer was first, and the core has returned the coins.
      await this.#conclude(row, { ...rule, by: "timer", action: "expire", to: "CANCELLED", escrow: "expired" }, {});
      return refused("ORDER_EXPIRED");
    }
    if (response !== "done") {
      await this.#store.callOff(row);
      return refused(REPLIES[response]);
    }
    const ended = await this.#conclude(row, rule, extras);
    if (ended !== undefined) return done(ended);
    // It took so long that another process resumed it: the requested step is done all the same.
    const now = await this.#store.find(row.order_id);
    return now !== undefined && now.intent === "" && now.state === rule.to && rule.to !== row.state
      ? done(now)
      : refused("ORDER_BUSY");
  }

  async #move(row: OrderRow, { escrow }: OtcRule): Promise<EscrowReply> {
    const coin = this.#needs.coin(row.asset);
    if (coin === undefined) return "away";
    switch (escrow) {
      case "none":
      case "expired":
        return "done";
      case "keep":
        return this.#needs.escrow.keep(row);
      case "refund":
        return this.#needs.escrow.refund(row);
      case "release":
        return this.#needs.escrow.release(row, coin);
    }
  }

  async #conclude(row: OrderRow, rule: OtcRule, extras: StepExtras): Promise<OrderRow | undefined> {
    const nowMs = this.#needs.now();
    const isEnd = rule.to === "COMPLETED" || rule.to === "CANCELLED";
    const change: OrderChange = {
      state: rule.to,
      ...(rule.action === "pay" ? { paid_ms: nowMs } : {}),
      ...(rule.action === "askCancel" ? { is_cancel_asked: true } : {}),
      ...(isEnd ? { ended_ms: nowMs, end_by: rule.by } : {}),
      ...(rule.to === "CANCELLED" && rule.by !== "support" ? { fault: faultOf(row, rule.by) } : {}),
      ...extras.change,
    };
    const log = { at_ms: nowMs, actor: rule.by, action: rule.action, detail: extras.detail ?? "" };
    const ended = await this.#store.end(row, change, log, async (inside) => {
      if (rule.to === "CANCELLED") await this.#needs.giveBack(inside, row.ad_id, row.quantity_units, nowMs);
      await this.#chat.note(inside, row.order_id, rule.action);
      await extras.within?.(inside);
    });
    if (ended !== undefined) await this.#answer(ended.order, rule.action, ended.stepId);
    return ended?.order;
  }

  /** Effects of a step outside its transaction; repeated after a stop, each notice is deduplicated by the step's id. */
  async #answer(row: OrderRow, what: OtcAction | "placed", stepId: number): Promise<void> {
    if (what === "placed" || row.ended_ms > 0) await this.#needs.adChanged(row);
    for (const userId of [row.buyer_id, row.seller_id]) {
      this.#needs.publish(userId, { orderId: row.order_id, what: "order" });
      if (row.ended_ms > 0) this.#needs.recordChanged(userId);
    }
    const scale = this.#needs.coin(row.asset)?.scale ?? 0;
    const coins = `${coinText(row.quantity_units, scale)} ${row.asset}`;
    const money = `${centsText(row.amount_cents, row.fiat)} ${row.fiat}`;
    for (const [userId, words] of wordsOf(row, what, coins, money))
      await this.#needs.notify(userId, { topic: `otc-${what}`, orderId: row.order_id, stepId, ...words });
    await this.#store.markNotified(stepId);
  }

  /** Applies what has become due and resumes what a stop left unfinished. */
  async resume(): Promise<void> {
    const nowMs = this.#needs.now();
    for (const row of await this.#store.listDue(nowMs, UNDER_WAY_MS)) {
      if (row.state === "PLACING") await this.#hold(row);
      else if (row.intent === "") await this.step(row, "timer", "expire");
      else await this.#resumeStep(row);
    }
    for (const { id, order_id, action } of await this.#store.listUntold(nowMs - UNDER_WAY_MS)) {
      const row = await this.#store.find(order_id);
      if (row === undefined) continue;
      if (action === "refused") {
        await this.#needs.adChanged(row);
        await this.#store.markNotified(id);
      } else await this.#answer(row, action as OtcAction | "placed", id);
    }
  }

  /** Steps that need more than a state are undone while the ledger has not moved; users repeat those. */
  async #resumeStep(row: OrderRow): Promise<void> {
    const rule = findRule(row.state, row.intent_by as OtcActor, row.intent as OtcAction);
    if (rule === undefined || rule.escrow === "none") await this.#store.callOff(row);
    else await this.#finish(row, rule, rule.by === "support" ? await this.#decided(row) : {});
  }

  /** The fault and the reason of a decision that was being carried out. */
  async #decided({ order_id }: OrderRow): Promise<StepExtras> {
    const complaint = await this.#store.findComplaintOf(order_id);
    if (complaint === undefined) return {};
    return { change: { fault: complaint.fault as OrderRow["fault"] }, detail: complaint.decision };
  }

  paymentOf(row: OrderRow): string {
    return new TextDecoder().decode(this.#needs.open(row.payment_sealed, paymentContext(row.order_id)));
  }
}

const paymentContext = (orderId: string): string => `otc-order-payment:${orderId}`;

/** The notice for each side; the acting side gets none. */
function wordsOf(
  row: OrderRow,
  what: OtcAction | "placed",
  coins: string,
  money: string,
): readonly (readonly [number, { readonly title: string; readonly body: string }])[] {
  const { buyer_id: buyer, seller_id: seller, maker_id: maker } = row;
  const both = (title: string, body: string) => [buyer, seller].map((userId) => [userId, { title, body }] as const);
  switch (what) {
    case "placed":
      return [
        [maker, { title: `New OTC order for ${coins}`, body: `${money} for ${coins}; the coins are in escrow.` }],
      ];
    case "pay":
      return [[seller, { title: `Marked as paid: ${money}`, body: `Check your account and release ${coins}.` }]];
    case "release":
      return [
        [buyer, { title: `${coins} received`, body: `The seller released ${coins} to your funding account.` }],
        [seller, { title: `${coins} released`, body: `You released ${coins} for ${money}.` }],
      ];
    case "cancel":
      return [[seller, { title: "OTC order cancelled", body: `The buyer cancelled; ${coins} went back.` }]];
    case "expire":
      return both("OTC order timed out", `The time to pay was over; ${coins} went back to the seller.`);
    case "askCancel":
      return [
        [buyer, { title: "The seller asks to cancel", body: "Cancel only if you have not paid or were paid back." }],
      ];
    case "appeal":
      return both("Appeal opened", "Both sides have 60 minutes for evidence.");
    case "withdrawAppeal":
      return both("Appeal withdrawn", "The order goes on as paid.");
    case "awardBuyer":
      return both("Appeal decided for the buyer", `${coins} go to the buyer.`);
    case "awardSeller":
      return both("Appeal decided for the seller", `${coins} go back to the seller.`);
  }
}
