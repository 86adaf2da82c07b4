// Which bot is cloned, the call for it, and the address of the new one. Pure.
import { type BotDetail, bizOf, GRID_CALLS, type GridBiz } from "@clockwork/strategies/grid/contract";
import { REBALANCE_CALLS } from "@clockwork/strategies/rebalance/contract";

export interface CloneSource {
  readonly id: number;
  readonly biz: GridBiz;
  readonly follow: (typeof GRID_CALLS)[GridBiz]["follow"] | typeof REBALANCE_CALLS.follow;
  readonly page: string;
  /** The clone's plan, and the coin of every order's quantity; a basket has no such orders. */
  readonly plan?: { readonly clone: (typeof GRID_CALLS)[GridBiz]["clone"]; readonly base: string };
}

export const sourceOfBot = ({ id, kind, pairCode }: Pick<BotDetail, "id" | "kind" | "pairCode">): CloneSource => ({
  id,
  biz: bizOf(kind),
  follow: GRID_CALLS[bizOf(kind)].follow,
  page: "/grid/bot",
  plan: { clone: GRID_CALLS[bizOf(kind)].clone, base: pairCode.split("_")[0] ?? "" },
});

export const sourceOfBasket = ({ id }: { readonly id: number }): CloneSource => ({
  id,
  biz: "spot",
  follow: REBALANCE_CALLS.follow,
  page: "/grid/basket",
});
