// The money of launches: commitments, payments, allocations and refunds, each as one settlement with a reference of its
// own. Holds on the stock are the core's: it alone decides who still gets some and whether a payment was in time.
import { toCoreUnits, units } from "@clockwork/kit/money";
import type { LaunchNeeds } from "./needs.ts";
import { USDT } from "./rules.ts";
import type { OrderRow, ProjectRow, RoundRow } from "./store.ts";

/** Undefined while the ledger cannot answer. */
export type BookEnd = "done" | "later" | string;

type Leg = {
  from: number;
  to: number;
  asset: number;
  units: number;
  business: "launchCommit" | "launchAllocate" | "launchRefund";
  hold?: string;
};
/** The sale account out of which launches are stocked and into which unsold coins go back. */
export const STOCK_SUB = 0;
export const holdName = (orderId: string): string => `sale:${orderId}`;

export class LaunchBook {
  readonly #needs: LaunchNeeds;

  constructor(needs: LaunchNeeds) {
    this.#needs = needs;
  }

  /** Sets coins of the stock aside until a time; the stock's end is INSUFFICIENT_BALANCE. */
  async reserve(order: OrderRow, round: RoundRow, project: ProjectRow): Promise<BookEnd> {
    const { needs, account, asset } = await this.#sale(round, project);
    if (account === undefined || asset === undefined) return "later";
    return read(
      await needs.submit({
        kind: "hold",
        account,
        asset,
        business: "launchAllocate",
        units: toCoreUnits(units(order.token_units)),
        reference: holdName(order.order_id),
        expiresAt: order.until_ms,
      }),
    );
  }

  async releaseOrder(order: OrderRow, round: RoundRow, project: ProjectRow): Promise<BookEnd> {
    const { needs, account } = await this.#sale(round, project);
    if (account === undefined) return "later";
    const hold = holdName(order.order_id);
    return read(await needs.submit({ kind: "release", account, hold, reference: `${hold}:x` }));
  }

  /** The buyer pays and the reserved coins leave the stock, in one settlement. */
  pay(order: OrderRow, round: RoundRow, project: ProjectRow): Promise<BookEnd> {
    return this.#settle(`launch:p:${order.order_id}`, round, project, order.user_id, (legs) => [
      legs.paid(order.cost_units),
      legs.bought(order.token_units, holdName(order.order_id)),
    ]);
  }

  commit(
    reference: string,
    round: RoundRow,
    project: ProjectRow,
    userId: number,
    amountUnits: bigint,
  ): Promise<BookEnd> {
    return this.#settle(reference, round, project, userId, (legs) => [legs.paid(amountUnits)]);
  }

  /** Coins of a subscription leave the stock, and the rest of the commitment is refunded. */
  allocate(order: OrderRow, round: RoundRow, project: ProjectRow, refundUnits: bigint): Promise<BookEnd> {
    return this.#settle(`launch:a:${order.order_id}`, round, project, order.user_id, (legs) => [
      legs.bought(order.token_units),
      legs.returned(refundUnits),
    ]);
  }

  vest(order: OrderRow, round: RoundRow, project: ProjectRow, amountUnits: bigint, day: number): Promise<BookEnd> {
    return this.#settle(`launch:v:${order.order_id}:${day}`, round, project, order.user_id, (legs) => [
      legs.vested(amountUnits),
    ]);
  }

  /** A cancelled launch: the money goes back to the payer and the coins to the stock. */
  refund(order: OrderRow, round: RoundRow, project: ProjectRow): Promise<BookEnd> {
    return this.#settle(`launch:r:${order.order_id}`, round, project, order.user_id, (legs) => [
      legs.returned(order.cost_units),
      legs.restocked(order.token_units - order.released_units),
    ]);
  }

  refundCommit(
    reference: string,
    round: RoundRow,
    project: ProjectRow,
    userId: number,
    amountUnits: bigint,
  ): Promise<BookEnd> {
    return this.#settle(reference, round, project, userId, (legs) => [legs.returned(amountUnits)]);
  }

  /** Unsold coins go back to the book they came from; nothing of a coin that is not there. */
  async giveBack(round: RoundRow, project: ProjectRow, amountUnits: bigint): Promise<BookEnd> {
    const { needs, account, asset } = await this.#sale(round, project);
    const to = await needs.saleAccount(STOCK_SUB);
    if (account === undefined || to === undefined || asset === undefined) return "later";
    const leg: Leg = {
      from: account,
      to,
      asset,
      units: toCoreUnits(units(amountUnits)),
      business: "launchRefund",
    };
    return read(await needs.submit({ kind: "settle", reference: `launch:u:${round.round_id}`, legs: [leg] }));
  }

  /** The stock of all rounds of a launch from the exchange's sales account, in one settlement. */
  async stock(reference: string, rounds: readonly RoundRow[], project: ProjectRow): Promise<BookEnd> {
    const needs = this.#needs;
    const from = await needs.saleAccount(STOCK_SUB);
    const asset = needs.findAsset(project.asset);
    const legs: Leg[] = [];
    for (const { sub, stock_units } of rounds) {
      const to = await needs.saleAccount(sub);
      if (from === undefined || to === undefined || asset === undefined) return "later";
      legs.push({ from, to, asset, units: toCoreUnits(units(stock_units)), business: "launchAllocate" });
    }
    return read(await needs.submit({ kind: "settle", reference, legs }));
  }

  async left(round: RoundRow, project: ProjectRow): Promise<bigint> {
    const { account, asset, needs } = await this.#sale(round, project);
    return account === undefined || asset === undefined ? 0n : needs.freeUnits(account, asset);
  }

  async #sale(round: RoundRow, project: ProjectRow) {
    const needs = this.#needs;
    return { needs, account: await needs.saleAccount(round.sub), asset: needs.findAsset(project.asset) };
  }

  async #settle(
    reference: string,
    round: RoundRow,
    project: ProjectRow,
    userId: number,
    make: (legs: ReturnType<typeof legsOf>) => readonly (Leg | undefined)[],
  ): Promise<BookEnd> {
    const needs = this.#needs;
    const [spot, sale, escrow] = await Promise.all([
      needs.userAccount(userId),
      needs.saleAccount(round.sub),
      needs.escrowAccount(project.sub),
    ]);
    const [coin, money] = [needs.findAsset(project.asset), needs.findAsset(USDT)];
    if (spot === undefined || sale === undefined || escrow === undefined || coin === undefined || money === undefined) {
      return "later";
    }
    const legs = make(legsOf({ spot, sale, escrow, coin, money })).filter((leg) => leg !== undefined);
    return legs.length === 0 ? "done" : read(await needs.submit({ kind: "settle", reference, legs }));
  }
}

interface Places {
  readonly spot: number;
  readonly sale: number;
  readonly escrow: number;
  readonly coin: number;
  readonly money: number;
}

function legsOf({ spot, sale, escrow, coin, money }: Places) {
  const leg = (
    from: number,
    to: number,
    asset: number,
    amount: bigint,
    business: Leg["business"],
    hold?: string,
  ): Leg | undefined =>
    amount === 0n
      ? undefined
      : { from, to, asset, units: toCoreUnits(units(amount)), business, ...(hold === undefined ? {} : { hold }) };
  return {
    paid: (amount: bigint) => leg(spot, escrow, money, amount, "launchCommit"),
    bought: (amount: bigint, hold?: string) => leg(sale, escrow, coin, amount, "launchAllocate", hold),
    returned: (amount: bigint) => leg(escrow, spot, money, amount, "launchRefund"),
    vested: (amount: bigint) => leg(escrow, spot, coin, amount, "launchAllocate"),
    restocked: (amount: bigint) => leg(escrow, sale, coin, amount, "launchRefund"),
  };
}

function read(ack: { readonly done: true } | { readonly done: false; readonly code: string }): BookEnd {
  if (ack.done) return "done";
  return ack.code.startsWith("ENGINE_") ? "later" : ack.code;
}
