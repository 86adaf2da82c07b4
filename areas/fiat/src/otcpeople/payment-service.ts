// Payment accounts and blocked users. Accounts are in the name of their owner's identity; the details for a payer are
// sealed and opened only for the other side of an order.
import { isSameName, maskAccount } from "@clockwork/kit/otc/fiat";
import { done, type Result, refused } from "@clockwork/kit/result";
import type { BlockList, Payment, PaymentBody, PaymentList } from "./contract.ts";
import type { PeopleNeeds } from "./needs.ts";
import type { PeopleRefusal } from "./refusals.ts";
import { BLOCKS_MAX, LEVEL_MIN, PAYMENTS_MAX, readFields } from "./rules.ts";
import type { PaymentRow, PeopleStore } from "./store.ts";

type Outcome<Value> = Promise<Result<Value, PeopleRefusal>>;

/** The sealed part of an account, and the part an order stores. */
export interface PaymentDetails {
  readonly name: string;
  readonly fields: readonly { readonly label: string; readonly value: string }[];
}

export class PaymentService {
  readonly #store: PeopleStore;
  readonly #needs: PeopleNeeds;

  constructor({ store, needs }: { readonly store: PeopleStore; readonly needs: PeopleNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  async list(userId: number): Promise<PaymentList> {
    const rows = await this.#store.listPayments(userId);
    return { payments: rows.map((row) => this.#describe(row)), name: (await this.#nameOf(userId, rows)) ?? null };
  }

  async add(userId: number, body: PaymentBody): Outcome<PaymentList> {
    const standing = await this.#needs.standing(userId);
    if (standing === undefined || standing.level < LEVEL_MIN) return refused("IDENTITY_LEVEL");
    const rows = await this.#store.listPayments(userId);
    const own = await this.#nameOf(userId, rows);
    if (own === undefined && !this.#needs.isTestMoney) return refused("PAYMENT_NAME_UNKNOWN");
    if (own !== undefined && !isSameName(own, body.name)) return refused("PAYMENT_NAME");
    const read = readFields(body);
    if ("wrong" in read) return refused("PAYMENT_FIELD", read.wrong);
    const [first, second] = read.fields;
    const details: PaymentDetails = {
      name: body.name.normalize("NFKC").trim(),
      fields: read.fields.map(({ field, value }) => ({ label: field.label, value })),
    };
    const paymentId = this.#needs.randomId();
    const row: Omit<PaymentRow, "slot"> = {
      payment_id: paymentId,
      user_id: userId,
      kind: body.kind,
      fiat: body.fiat,
      label: `${first?.value ?? ""}, ${maskAccount(second?.value ?? "")}`,
      sealed: this.#needs.seal(new TextEncoder().encode(JSON.stringify(details)), contextOf(userId, paymentId)),
      created_ms: this.#needs.now(),
    };
    // As it is written, not as it was read: of two first accounts at once the second is in the first one's name.
    const isFit = (present: readonly PaymentRow[]): boolean => {
      const name = this.#nameAmong(standing.name, present);
      return name === undefined || isSameName(name, body.name);
    };
    const added = await this.#store.addPayment(row, PAYMENTS_MAX, isFit);
    if (added === "unfit") return refused("PAYMENT_NAME");
    return added === "full" ? refused("PAYMENTS_FULL") : done(await this.list(userId));
  }

  async remove(userId: number, paymentId: string): Outcome<PaymentList> {
    if (await this.#needs.isPaymentUsed(userId, paymentId)) return refused("PAYMENT_USED");
    return (await this.#store.removePayment(userId, paymentId))
      ? done(await this.list(userId))
      : refused("PAYMENT_UNKNOWN");
  }

  async find(paymentId: string): Promise<PaymentRow | undefined> {
    return this.#store.findPayment(paymentId);
  }

  /** The details a payer sees once an order exists. */
  details(row: PaymentRow): PaymentDetails {
    const plain = this.#needs.open(row.sealed, contextOf(row.user_id, row.payment_id));
    return JSON.parse(new TextDecoder().decode(plain)) as PaymentDetails;
  }

  #describe(row: PaymentRow): Payment {
    const { name, fields } = this.details(row);
    const { payment_id: paymentId, kind, fiat, label, created_ms: createdAtMs } = row;
    return { paymentId, kind, fiat, name, label, fields: [...fields], createdAtMs };
  }

  /** The holder's name by the identity. */
  async legalName(userId: number): Promise<string | undefined> {
    return this.#nameOf(userId, await this.#store.listPayments(userId));
  }

  /** The identity's; in a run with test money that of the first account, where the identity has none. */
  async #nameOf(userId: number, rows: readonly PaymentRow[]): Promise<string | undefined> {
    return this.#nameAmong((await this.#needs.standing(userId))?.name, rows);
  }

  #nameAmong(name: string | undefined, rows: readonly PaymentRow[]): string | undefined {
    const [first] = rows;
    if (name !== undefined || first === undefined || !this.#needs.isTestMoney) return name;
    return this.details(first).name;
  }

  async listBlocked(userId: number): Promise<BlockList> {
    const rows = await this.#store.listBlocks(userId);
    const blocked = rows.map(async ({ blocked_id, created_ms }) => ({
      user: String(blocked_id),
      name: await this.nameFor(blocked_id),
      createdAtMs: created_ms,
    }));
    return { blocked: await Promise.all(blocked) };
  }

  /** Merchants, and users who have met the blocker: a number does not reveal who else has an account, or their name. */
  async block(userId: number, blockedId: number): Outcome<BlockList> {
    if (blockedId === userId) return refused("BLOCK_SELF");
    const [rows, merchant, haveMet] = await Promise.all([
      this.#store.listBlocks(userId),
      this.#store.findMerchant(blockedId),
      this.#needs.haveMet(userId, blockedId),
    ]);
    if (merchant === undefined && !haveMet) return refused("BLOCK_UNKNOWN");
    if (rows.length >= BLOCKS_MAX) return refused("BLOCKS_FULL");
    await this.#store.addBlock({ user_id: userId, blocked_id: blockedId, created_ms: this.#needs.now() });
    return done(await this.listBlocked(userId));
  }

  async unblock(userId: number, blockedId: number): Promise<BlockList> {
    await this.#store.removeBlock(userId, blockedId);
    return this.listBlocked(userId);
  }

  /** The name other users see: for a merchant the trading name. */
  async nameFor(userId: number): Promise<string> {
    const merchant = await this.#store.findMerchant(userId);
    if (merchant !== undefined) return merchant.name;
    return (await this.#needs.standing(userId))?.nickname ?? String(userId);
  }
}

const contextOf = (userId: number, paymentId: string): string => `otc-payment:${userId}:${paymentId}`;
