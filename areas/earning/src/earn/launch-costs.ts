// The cost of coins a launch distributes, by the reference of their movement.
import type { Kysely } from "kysely";

/** The references of the launch book: `launch:v:` order `:` day. */
const REFERENCE = /^launch:[a-z]:([^:]+)(?::|$)/;

type Tables = { launchpad_order: { order_id: string; token_units: bigint; cost_units: bigint } };

/** Rounded up: the last part takes the remainder. */
export function launchCosts(kysely: Kysely<unknown>) {
  const tables = kysely.$extendTables<Tables>();
  return async (reference: string, amountUnits: bigint): Promise<bigint | undefined> => {
    const orderId = REFERENCE.exec(reference)?.[1];
    if (orderId === undefined) return undefined;
    const query = tables.selectFrom("launchpad_order").select(["token_units", "cost_units"]);
    const order = await query.where("order_id", "=", orderId).executeTakeFirst();
    if (order === undefined || order.token_units === 0n) return undefined;
    return (order.cost_units * amountUnits + order.token_units - 1n) / order.token_units;
  };
}
