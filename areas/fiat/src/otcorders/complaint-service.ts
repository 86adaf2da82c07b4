// Appeals and their end: evidence from both sides, the console, the decision with its compensation. A decision is
// stored before it is carried out, so that an unfinished one is resumed.

import type { ProposalKind } from "@clockwork/host/proposal";
import { parseUnits } from "@clockwork/kit/money";
import { DECIDE_MS, EVIDENCE_MS } from "@clockwork/kit/otc/order-machine";
import { type PageMark, readMark, writeMark } from "@clockwork/kit/otc/page-mark";
import { otcPriceText } from "@clockwork/kit/otc/price";
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS } from "@clockwork/kit/time";
import type { ChatService } from "./chat-service.ts";
import { type ComplaintList, DecisionPayload, type DeskCase, type FileData, type FileSize } from "./contract.ts";
import type { OrderNeeds } from "./needs.ts";
import type { OrderRefusal } from "./refusals.ts";
import {
  bpsText,
  centsText,
  coinText,
  decidableFromMs,
  needsTwoPeople,
  roleOf,
  SEALED_MARK,
  SIMULATED_DECIDES_MS,
  SUPPORT,
  sealStatement,
  USDT_SCALE,
  type Voices,
  winnerBySilence,
} from "./rules.ts";
import type { OrderService } from "./service.ts";
import type { ComplaintRow, OrderRow, OrderStore } from "./store.ts";
import type { OrderView } from "./view-service.ts";

type Outcome<Value> = Promise<Result<Value, OrderRefusal>>;
type Decision = Pick<DecisionPayload, "complaintId" | "winner" | "fault" | "compensationUsdt" | "reason">;
interface Case {
  readonly complaint: ComplaintRow;
  readonly order: OrderRow;
}
interface ComplaintParts {
  readonly store: OrderStore;
  readonly chat: ChatService;
  readonly orders: OrderService;
  readonly view: OrderView;
  readonly needs: OrderNeeds;
}

/** A page of the desk. */
const QUEUE = 100;
const markOf = ({ opened_ms, complaint_id }: ComplaintRow): string =>
  writeMark({ atMs: opened_ms, id: String(complaint_id) });
const BY_SILENCE = "The other side stayed silent within the time for evidence.";

export class ComplaintService {
  readonly #parts: ComplaintParts;

  constructor(parts: ComplaintParts) {
    this.#parts = parts;
  }

  appeal(userId: number, orderId: string, reason: string, statement: string): Outcome<OrderRow> {
    const { store, orders, needs } = this.#parts;
    return orders.act(userId, orderId, "appeal", {
      detail: reason,
      within: async (inside) => {
        const order = await store.find(orderId);
        const role = order === undefined ? undefined : roleOf(order, userId);
        if (role === undefined) return;
        const sealed = sealStatement(needs, orderId, statement);
        const reply = { buyer_says: role === "buyer" ? sealed : "", seller_says: role === "seller" ? sealed : "" };
        const open = {
          winner: "",
          fault: "",
          compensation_units: 0n,
          decision: "",
          decision_id: "",
          decided_ms: 0,
          buyer_pictures: 0,
          seller_pictures: 0,
          state: "OPEN",
        } as const;
        await store.addComplaint(inside, {
          order_id: orderId,
          by_role: role,
          reason,
          ...reply,
          ...open,
          opened_ms: needs.now(),
        });
      },
    });
  }

  async say(userId: number, orderId: string, statement: string): Outcome<OrderRow> {
    const { store, needs } = this.#parts;
    const [order, complaint] = await Promise.all([store.find(orderId), store.findComplaintOf(orderId)]);
    const role = order === undefined ? undefined : roleOf(order, userId);
    if (order === undefined || role === undefined) return refused("ORDER_UNKNOWN");
    if (complaint === undefined || complaint.state !== "OPEN") return refused("COMPLAINT_UNKNOWN");
    if (needs.now() > complaint.opened_ms + EVIDENCE_MS) return refused("EVIDENCE_CLOSED");
    const sealed = sealStatement(needs, orderId, statement);
    if (!(await store.speak(complaint, { by: role, statement: sealed }, needs.now())))
      return refused("COMPLAINT_DECIDED");
    for (const one of [order.buyer_id, order.seller_id]) needs.publish(one, { orderId, what: "order" });
    return done(order);
  }

  withdraw(userId: number, orderId: string): Outcome<OrderRow> {
    const { store, orders } = this.#parts;
    return orders.act(userId, orderId, "withdrawAppeal", {
      within: async (inside) => {
        const complaint = await store.findComplaintOf(orderId);
        if (complaint !== undefined)
          await store.changeComplaint(complaint.complaint_id, { state: "WITHDRAWN" }, inside);
      },
    });
  }

  /** The complaints of a user's orders. */
  async list(userId: number): Promise<ComplaintList> {
    return { complaints: await this.#describe(await this.#parts.store.listComplaints(userId)), nextAfter: null };
  }

  /** Complaints waiting for a decision, the oldest first, page by page. */
  async queue(after: string | undefined): Promise<ComplaintList> {
    const mark = after === undefined ? undefined : readMark(after);
    const found = await this.#parts.store.listOpen(mark, QUEUE + 1);
    const rows = found.slice(0, QUEUE);
    const last = found.length > QUEUE ? rows.at(-1) : undefined;
    return { complaints: await this.#describe(rows), nextAfter: last === undefined ? null : markOf(last) };
  }

  async #describe(rows: readonly ComplaintRow[]): Promise<ComplaintList["complaints"]> {
    const { store, view } = this.#parts;
    const complaints = rows.map(async (row) => {
      const order = await store.find(row.order_id);
      if (order === undefined) return [];
      const scale = this.#parts.needs.coin(order.asset)?.scale ?? 0;
      return [
        {
          ...(await view.describeComplaint(row, order)),
          orderId: order.order_id,
          asset: order.asset,
          fiat: order.fiat,
          quantity: coinText(order.quantity_units, scale),
          amount: centsText(order.amount_cents, order.fiat),
        },
      ];
    });
    return (await Promise.all(complaints)).flat();
  }

  async #case(complaintId: number): Promise<Case | undefined> {
    const complaint = await this.#parts.store.findComplaint(complaintId);
    const order = complaint === undefined ? undefined : await this.#parts.store.find(complaint.order_id);
    return complaint === undefined || order === undefined ? undefined : { complaint, order };
  }

  /** For an operator who is no side of it: operators neither judge nor write in their own case. */
  async #foreignCase(complaintId: number, operatorId: number): Outcome<Case> {
    const found = await this.#case(complaintId);
    if (found === undefined) return refused("COMPLAINT_UNKNOWN");
    return roleOf(found.order, operatorId) === undefined ? done(found) : refused("OWN_COMPLAINT");
  }

  async desk(complaintId: number, operatorId: number): Outcome<DeskCase> {
    const { store, chat, view, needs } = this.#parts;
    const found = await this.#foreignCase(complaintId, operatorId);
    if (!found.done) return found;
    const { complaint, order } = found.value;
    const [log, messages, buyer, seller] = await Promise.all([
      store.listLog(order.order_id),
      chat.readAll(order),
      this.#side(order.buyer_id),
      this.#side(order.seller_id),
    ]);
    return done({
      complaint: await view.describeComplaint(complaint, order),
      isDecidable: needs.now() >= decidableFromMs(complaint),
      orderId: order.order_id,
      orderState: order.state,
      asset: order.asset,
      fiat: order.fiat,
      price: otcPriceText(order.price_e4),
      quantity: coinText(order.quantity_units, needs.coin(order.asset)?.scale ?? 0),
      amount: centsText(order.amount_cents, order.fiat),
      worthUsdt: coinText(order.worth_units, USDT_SCALE),
      payment: order.payment_kind,
      buyer,
      seller,
      log: log.map(({ at_ms, actor, action, detail }) => ({ atMs: at_ms, actor, action, detail })),
      messages,
      needsTwo: this.needsTwo(order),
      byDefault: winnerBySilence(complaint),
    });
  }

  /** A picture of an order with a complaint, for an operator who is no side of it. */
  async deskFile(operatorId: number, fileId: string, size: FileSize | undefined): Outcome<FileData> {
    const { store, chat } = this.#parts;
    const orderId = await chat.orderOf(fileId);
    const complaint = orderId === undefined ? undefined : await store.findComplaintOf(orderId);
    if (complaint === undefined) return refused("FILE_UNKNOWN");
    const found = await this.#foreignCase(complaint.complaint_id, operatorId);
    return found.done ? chat.file(undefined, fileId, size) : found;
  }

  async #side(userId: number): Promise<DeskCase["buyer"]> {
    const { needs, view } = this.#parts;
    const [person, record, legalName] = await Promise.all([
      needs.person(userId),
      view.record(userId),
      needs.legalName(userId),
    ]);
    return {
      legalName: legalName ?? null,
      user: String(userId),
      name: person.name,
      level: person.level,
      orders: record.orders,
      completion: record.completionBps === undefined ? null : bpsText(record.completionBps),
      accountDays: Math.max(0, Math.floor((needs.now() - person.createdMs) / DAY_MS)),
      bondUsdt: person.bondUnits === undefined ? null : coinText(person.bondUnits, USDT_SCALE),
    };
  }

  async writeAsSupport(complaintId: number, operatorId: number, text: string): Outcome<null> {
    const found = await this.#foreignCase(complaintId, operatorId);
    if (!found.done) return found;
    await this.#parts.chat.say(found.value.order, SUPPORT, text);
    return done(null);
  }

  needsTwo({ worth_units }: OrderRow, compensationUsdt = "0"): boolean {
    const taken = parseUnits(compensationUsdt, USDT_SCALE);
    return needsTwoPeople(worth_units, taken.done ? taken.value : 0n);
  }

  /** Why a decision is invalid, and the order it concerns. */
  async check(decision: Decision, { isSilence = false, operatorId = SUPPORT } = {}): Outcome<OrderRow> {
    const found = await this.#foreignCase(decision.complaintId, operatorId);
    if (!found.done) return found;
    const { complaint, order } = found.value;
    if (complaint.state !== "OPEN" || complaint.winner !== "" || order.state !== "APPEAL")
      return refused("COMPLAINT_DECIDED");
    if (!isSilence && this.#parts.needs.now() < decidableFromMs(complaint)) return refused("EVIDENCE_OPEN");
    const compensation = parseUnits(decision.compensationUsdt, USDT_SCALE);
    if (!compensation.done) return refused("COMPENSATION_TOO_LARGE");
    const loser = decision.winner === "buyer" ? order.seller_id : order.buyer_id;
    const bond = (await this.#parts.needs.person(loser)).bondUnits ?? 0n;
    return compensation.value > bond ? refused("COMPENSATION_TOO_LARGE") : done(order);
  }

  /** Above a worth a second person reviews it before it takes effect. */
  decisionKind(): ProposalKind<typeof DecisionPayload, never> {
    return {
      kind: "otc.decision",
      permission: "otc.complaints",
      needsFreshProof: true,
      expiresAfterMs: DAY_MS,
      payload: DecisionPayload,
      // The loser would gain by a refusal.
      beneficiariesOf: ({ users }) => users.split(",").map(Number),
      describe: ({ orderId, winner, compensationUsdt }) =>
        `Decide OTC order ${orderId} for the ${winner}, with ${compensationUsdt} USDT from the bond`,
      execute: async (payload, { reference }) => {
        const decided = await this.decide(payload, reference);
        if (decided.done) return { end: "done", outcome: payload.winner };
        if (decided.code === "LEDGER_AWAY" || decided.code === "ORDER_BUSY") return { end: "later" };
        return { end: "refused", code: decided.code, message: "The complaint does not wait for this any more." };
      },
    };
  }

  async isDecidedBy(complaintId: number, decisionId: string): Promise<boolean> {
    return (await this.#parts.store.findComplaint(complaintId))?.decision_id === decisionId;
  }

  /** By one intent: a repeat with its id completes what is left of the same decision. */
  async decide(decision: Decision, decisionId: string, received?: Voices): Outcome<OrderRow> {
    if (await this.isDecidedBy(decision.complaintId, decisionId)) return this.#carryOut(decision.complaintId);
    const checked = await this.check(decision, { isSilence: received !== undefined });
    if (!checked.done) return checked;
    const { complaintId, winner, reason } = decision;
    const compensation = parseUnits(decision.compensationUsdt, USDT_SCALE);
    const values = {
      winner,
      decision: reason,
      fault: decision.fault === "none" ? "" : decision.fault,
      compensation_units: compensation.done ? compensation.value : 0n,
      decision_id: decisionId,
    };
    if (!(await this.#parts.store.decideComplaint(complaintId, values, received))) return refused("COMPLAINT_DECIDED");
    return this.#carryOut(complaintId);
  }

  /** Carries out a decision, from any state. */
  async #carryOut(complaintId: number): Outcome<OrderRow> {
    const { store, orders, needs } = this.#parts;
    const found = await this.#case(complaintId);
    if (found === undefined) return refused("COMPLAINT_UNKNOWN");
    const { complaint, order } = found;
    if (complaint.state === "DECIDED") return done(order);
    let ended: OrderRow = order;
    if (order.state === "APPEAL") {
      const action = complaint.winner === "buyer" ? "awardBuyer" : "awardSeller";
      const fault = complaint.fault as OrderRow["fault"];
      const stepped = await orders.step(order, "support", action, { change: { fault }, detail: complaint.decision });
      if (!stepped.done) return stepped;
      ended = stepped.value;
    }
    // Withdrawn before it was carried out: no compensation is paid.
    if (ended.end_by !== "support") return refused("COMPLAINT_DECIDED");
    const [winner, loser] =
      complaint.winner === "buyer" ? [order.buyer_id, order.seller_id] : [order.seller_id, order.buyer_id];
    if (complaint.compensation_units > 0n)
      await needs.compensate(loser, winner, complaint.compensation_units, `ok:${complaint.complaint_id}`);
    await store.changeComplaint(complaintId, { state: "DECIDED", decided_ms: needs.now() });
    // Pages received the order's end before its reason was stored.
    for (const one of [order.buyer_id, order.seller_id]) needs.publish(one, { orderId: order.order_id, what: "order" });
    return done(ended);
  }

  /** Seals statements from before sealing existed. */
  async sealPlain(): Promise<void> {
    const { store, needs } = this.#parts;
    for (;;) {
      const rows = await store.listPlain(QUEUE);
      for (const row of rows) {
        const seal = (text: string): string =>
          text.startsWith(SEALED_MARK) ? text : sealStatement(needs, row.order_id, text);
        await store.replaceReply(row, { buyer_says: seal(row.buyer_says), seller_says: seal(row.seller_says) });
      }
      if (rows.length < QUEUE) return;
    }
  }

  /** Carries out stored decisions, and decides by silence when its time has come. */
  async resume(): Promise<void> {
    const nowMs = this.#parts.needs.now();
    let after: PageMark | undefined;
    for (;;) {
      const rows = await this.#parts.store.listOpen(after, QUEUE);
      for (const row of rows) await this.#resumeOne(row, nowMs);
      const last = rows.at(-1);
      if (last === undefined || rows.length < QUEUE) return;
      after = readMark(markOf(last));
    }
  }

  async #resumeOne(row: ComplaintRow, nowMs: number): Promise<void> {
    const order = await this.#parts.store.find(row.order_id);
    if (order === undefined) return;
    if (row.winner !== "") await this.#carryOut(row.complaint_id);
    else if (order.state === "APPEAL" && (await this.#isDue(row, order, nowMs))) await this.#bySilence(row);
  }

  async #isDue(row: ComplaintRow, order: OrderRow, nowMs: number): Promise<boolean> {
    if (nowMs >= row.opened_ms + DECIDE_MS) return true;
    const { hasSimulatedReviewer, person } = this.#parts.needs;
    // In a run whose coins have no value, no user waits a day for a simulated merchant's statement.
    if (!hasSimulatedReviewer || nowMs < row.opened_ms + SIMULATED_DECIDES_MS) return false;
    if (winnerBySilence(row) === roleOf(order, order.maker_id)) return false;
    return (await person(order.maker_id)).isSimulated;
  }

  async #bySilence(row: ComplaintRow): Promise<void> {
    const winner = winnerBySilence(row);
    if (winner === "") return;
    const decision = { winner, fault: winner === "buyer" ? "seller" : "buyer", compensationUsdt: "0" } as const;
    await this.decide({ complaintId: row.complaint_id, ...decision, reason: BY_SILENCE }, "silence", row);
  }
}
