// Spot orders of a caller, read from the exchange's own lists: those that are open, and all there ever were.
import type { OrderPage, SpotOrder } from "@clockwork/trading/spot/contract";
import type { DialectCall } from "../endpoint.ts";
import { type Cursor, findStart, merge, type Page, readPages, type Wanted } from "../paging.ts";
import { DialectRefusal } from "../refusal.ts";

export const NATIVE = "/api/v1/spot";
/** More than a user can have open. */
const OPEN_MAX = 10_000;

type Ask = Pick<DialectCall, "ask">;

const pageOf =
  ({ ask }: Ask, query: object) =>
  async (cursor: Cursor): Promise<Page<SpotOrder>> => {
    const { orders, next } = (await ask("GET", `${NATIVE}/orders`, { query: { ...query, ...cursor } })) as OrderPage;
    return { rows: orders, next };
  };

async function listLive(call: Ask, query: object, after?: string): Promise<readonly (readonly SpotOrder[])[]> {
  const read = (state: string) => readPages(pageOf(call, { ...query, state }), true, OPEN_MAX, undefined, after);
  // A plan that fires in between becomes an open order: read afterwards.
  const plans = await read("plan");
  return [plans, await read("open")];
}

/** One of the caller's orders of a pair, if there is such a one. */
const finder =
  ({ ask }: Ask, pairCode: string | undefined) =>
  async (id: string): Promise<SpotOrder | undefined> => {
    try {
      const order = (await ask("GET", `${NATIVE}/orders/:id`, { params: { id } })) as SpotOrder;
      return pairCode === undefined || order.pairCode === pairCode ? order : undefined;
    } catch (error) {
      if (error instanceof DialectRefusal && error.code === -2013) return undefined;
      throw error;
    }
  };

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
  const { after, ...start } = await findStart(fromId, finder(call, query.pairCode));
  const wanted = { ...query, ...span, ...start };
  const live = await listLive(call, wanted, after);
  const page = pageOf(call, { ...wanted, state: "history" });
  return merge([...live, await readPages(page, isForward, limit, undefined, after)]);
}
