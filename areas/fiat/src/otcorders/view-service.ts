// Views of orders: one with its payment account, log and complaint; the list; a user's record; the receipt.
import { APPEAL_AFTER_MS, DECIDE_MS, EVIDENCE_MS } from "@clockwork/kit/otc/order-machine";
import { readMark, writeMark } from "@clockwork/kit/otc/page-mark";
import { escrowOf, otcPriceText } from "@clockwork/kit/otc/price";
import { cutPage } from "@clockwork/kit/pages/page";
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS, formatInstant } from "@clockwork/kit/time";
import type { ChatService } from "./chat-service.ts";
import type { Complaint, OrderPage, OtcOrder, Receipt } from "./contract.ts";
import type { OrderNeeds } from "./needs.ts";
import type { OrderRefusal } from "./refusals.ts";
import {
  bpsText,
  centsText,
  coinText,
  completionOf,
  decidableFromMs,
  isCancel,
  openStatement,
  restsUntil,
  roleOf,
  USDT_SCALE,
} from "./rules.ts";
import type { OrderService } from "./service.ts";
import { type ComplaintRow, type OrderRow, type OrderStore, PAGE } from "./store.ts";

export interface Record30 {
  readonly orders: number;
  readonly completionBps: number | undefined;
  readonly releaseMs: number | undefined;
  /** Until then the user buys nothing; 0 is never. */
  readonly restsUntilMs: number;
}
interface ViewParts {
  readonly store: OrderStore;
  readonly chat: ChatService;
  readonly orders: OrderService;
  readonly needs: OrderNeeds;
}

const WINDOW_MS = 30 * DAY_MS;

export class OrderView {
  readonly #parts: ViewParts;

  constructor(parts: ViewParts) {
    this.#parts = parts;
  }

  async read(userId: number, orderId: string): Promise<Result<OtcOrder, OrderRefusal>> {
    const row = await this.#parts.store.find(orderId);
    if (row === undefined || roleOf(row, userId) === undefined || row.state === "REFUSED")
      return refused("ORDER_UNKNOWN");
    return done(await this.describe(row, userId));
  }

  async describe(row: OrderRow, userId: number): Promise<OtcOrder> {
    const { store, chat, orders, needs } = this.#parts;
    const otherId = row.buyer_id === userId ? row.seller_id : row.buyer_id;
    const [other, record, log, unread, complaint, payerName] = await Promise.all([
      needs.person(otherId),
      this.record(otherId),
      store.listLog(row.order_id),
      chat.countUnread(userId, row.order_id),
      store.findComplaintOf(row.order_id),
      needs.legalName(row.buyer_id),
    ]);
    const payment = JSON.parse(orders.paymentOf(row)) as Pick<OtcOrder["payment"], "name" | "fields">;
    return {
      ...this.#facts(row, userId),
      counterpart: {
        user: String(otherId),
        name: other.name,
        isSimulated: other.isSimulated,
        orders: record.orders,
        completion: record.completionBps === undefined ? null : bpsText(record.completionBps),
        releaseMinutes: record.releaseMs === undefined ? null : Math.max(1, Math.ceil(record.releaseMs / 60_000)),
      },
      payerName: payerName ?? null,
      payment: { kind: row.payment_kind, name: payment.name, fields: payment.fields },
      complaint: complaint === undefined ? null : await this.describeComplaint(complaint, row),
      log: log.map(({ at_ms, actor, action, detail }) => ({ atMs: at_ms, actor, action, detail })),
      unread,
      nowMs: needs.now(),
    };
  }

  #facts(row: OrderRow, userId: number) {
    const scale = this.#parts.needs.coin(row.asset)?.scale ?? 0;
    const isMakerSelling = row.maker_id === row.seller_id;
    const side = row.buyer_id === userId ? ("buy" as const) : ("sell" as const);
    const isMaker = row.maker_id === userId;
    const bought = isMakerSelling ? row.quantity_units : row.quantity_units - row.fee_units;
    const net = side === "buy" ? bought : escrowOf(row.quantity_units, isMakerSelling);
    return {
      orderId: row.order_id,
      adId: String(row.ad_id),
      side,
      isMaker,
      state: row.state,
      asset: row.asset,
      fiat: row.fiat,
      price: otcPriceText(row.price_e4),
      quantity: coinText(row.quantity_units, scale),
      amount: centsText(row.amount_cents, row.fiat),
      fee: isMaker ? coinText(row.fee_units, scale) : "0",
      net: coinText(net, scale),
      reference: `CW ${row.order_id.slice(-4)}`,
      createdAtMs: row.created_ms,
      payByMs: row.pay_by_ms,
      paidAtMs: row.paid_ms === 0 ? null : row.paid_ms,
      endedAtMs: row.ended_ms === 0 ? null : row.ended_ms,
      endBy: row.end_by,
      isCancelAsked: row.is_cancel_asked,
      appealFromMs: row.paid_ms === 0 ? null : row.paid_ms + APPEAL_AFTER_MS,
    };
  }

  async describeComplaint(row: ComplaintRow, order: OrderRow): Promise<Complaint> {
    const files = (await this.#parts.chat.listFiles(row.order_id)).filter(({ purpose }) => purpose === "evidence");
    return {
      complaintId: row.complaint_id,
      by: row.by_role,
      reason: row.reason,
      state: row.state,
      buyerSays: openStatement(this.#parts.needs, row.order_id, row.buyer_says),
      sellerSays: openStatement(this.#parts.needs, row.order_id, row.seller_says),
      openedAtMs: row.opened_ms,
      evidenceByMs: row.opened_ms + EVIDENCE_MS,
      decidableFromMs: decidableFromMs(row),
      decideByMs: row.opened_ms + DECIDE_MS,
      winner: row.state === "DECIDED" ? row.winner : "",
      fault: row.state === "DECIDED" ? row.fault : "",
      compensationUsdt: coinText(row.compensation_units, USDT_SCALE),
      decision: row.state === "DECIDED" ? row.decision : "",
      files: files.map(({ file_id, user_id, created_ms }) => ({
        fileId: file_id,
        by: user_id === order.buyer_id ? "buyer" : "seller",
        atMs: created_ms,
      })),
    };
  }

  async list(userId: number, isOpenOnly: boolean, before: string | undefined): Promise<OrderPage> {
    const { store, needs, chat } = this.#parts;
    const found = await store.list(userId, isOpenOnly, before === undefined ? undefined : readMark(before));
    const { shown: rows, end } = cutPage(found, PAGE);
    const orders = rows.map(async (row) => {
      const { orderId, side, state, asset, fiat, price, quantity, amount, createdAtMs, payByMs } = this.#facts(
        row,
        userId,
      );
      const other = await needs.person(side === "buy" ? row.seller_id : row.buyer_id);
      const unread = await chat.countUnread(userId, row.order_id);
      return {
        orderId,
        side,
        state,
        asset,
        fiat,
        price,
        quantity,
        amount,
        createdAtMs,
        payByMs,
        unread,
        counterpart: other.name,
      };
    });
    const nextBefore = end === undefined ? null : writeMark({ atMs: end.created_ms, id: end.order_id });
    return { orders: await Promise.all(orders), nextBefore };
  }

  /** Orders, completion and release time of the last 30 days. */
  async record(userId: number): Promise<Record30> {
    const rows = await this.#parts.store.listEnded(userId, this.#parts.needs.now() - WINDOW_MS);
    const isAtFault = (row: OrderRow): boolean => row.fault !== "" && row.fault === roleOf(row, userId);
    const good = rows.filter((row) => row.state === "COMPLETED" && !isAtFault(row));
    const released = good.filter((row) => row.seller_id === userId && row.paid_ms > 0);
    const waited = released.reduce((sum, row) => sum + row.ended_ms - row.paid_ms, 0);
    return {
      orders: good.length,
      completionBps: completionOf(good.length, rows.filter(isAtFault).length),
      releaseMs: released.length === 0 ? undefined : Math.round(waited / released.length),
      restsUntilMs: restsUntil(
        rows.filter((row) => row.buyer_id === userId && isCancel(row)).map(({ ended_ms }) => ended_ms),
      ),
    };
  }

  partners(userId: number): Promise<ReadonlySet<number>> {
    return this.#parts.store.listPartners(userId);
  }

  async receipt(userId: number, orderId: string): Promise<Result<Receipt, OrderRefusal>> {
    const read = await this.read(userId, orderId);
    if (!read.done) return read;
    const order = read.value;
    const instant = (timeMs: number | null): string => (timeMs === null ? "-" : formatInstant(timeMs));
    const lines = [
      ["Order", order.orderId],
      ["State", order.state],
      ["Side", order.side === "buy" ? `Buy ${order.asset}` : `Sell ${order.asset}`],
      ["Quantity", `${order.quantity} ${order.asset}`],
      ["Price", `${order.price} ${order.fiat}`],
      ["Amount", `${order.amount} ${order.fiat}`],
      ["Fee", `${order.fee} ${order.asset}`],
      // A name in a script without a font would become question marks; the number is unique.
      ["With", order.counterpart.name, `User ${order.counterpart.user}`],
      ["Reference", order.reference],
      ["Placed", instant(order.createdAtMs)],
      ["Paid", instant(order.paidAtMs)],
      ["Ended", instant(order.endedAtMs)],
      ...order.log.map((line) => [instant(line.atMs), `${line.actor} ${line.action} ${line.detail}`] as const),
    ] as const;
    const bytes = await this.#parts.needs.writeReceipt("OTC order receipt", lines);
    const data = Buffer.from(bytes).toString("base64");
    return done({ name: `otc-${order.orderId}.pdf`, mediaType: "application/pdf", data });
  }
}
