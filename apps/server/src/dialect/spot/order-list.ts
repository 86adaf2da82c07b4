// Spot orders of a caller, read from the exchange's own lists: those that are open, and all there ever were.
import type { OrderPage, SpotOrder } from "@clockwork/domains/spot/api";
import type { DialectCall } from "../endpoint.ts";
import { type Cursor, merge, type Page, readPages, type Wanted } from "../paging.ts";

export const NATIVE = "/api/v1/spot";
/** More than anybody can have open. */
const OPEN_MAX = 10_000;

type Ask = Pick<DialectCall, "ask">;

const pageOf =
  ({ ask }: Ask, query: object) =>
  async (cursor: Cursor): Promise<Page<SpotOrder>> => {
    const { orders, next } = (await ask("GET", `${NATIVE}/orders`, { query: { ...query, ...cursor } })) as OrderPage;
    return { rows: orders, next };
  };

async function listLive(call: Ask, query: object): Promise<readonly (readonly SpotOrder[])[]> {
  // A plan that fires meanwhile becomes an open order: looked for there afterwards.
  const plans = await readPages(pageOf(call, { ...query, state: "plan" }), true, OPEN_MAX);
  return [plans, await readPages(pageOf(call, { ...query, state: "open" }), true, OPEN_MAX)];
}

/** Open orders and plans, oldest first. */
export async function listOpen(call: Ask, pairCode: string | undefined): Promise<readonly SpotOrder[]> {
  return merge(await listLive(call, pairCode === undefined ? {} : { pairCode }));
}

/** Open and ended ones that fit, oldest first: all that are needed to cut the wanted ones from. */
export async function listEvery(
  call: Ask,
  query: { readonly pairCode?: string; readonly fromListId?: number; readonly isListed?: boolean },
  { span, fromId, isForward, limit }: Wanted,
): Promise<readonly SpotOrder[]> {
  const wanted = { ...query, ...span, ...(fromId === undefined ? {} : { fromId }) };
  const live = await listLive(call, wanted);
  const ended = await readPages(pageOf(call, { ...wanted, state: "history" }), isForward, limit);
  return merge([...live, ended], fromId !== undefined);
}
