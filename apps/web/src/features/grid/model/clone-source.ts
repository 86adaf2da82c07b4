// Which bot is cloned, where that is asked for, and where the new one is seen. Pure.
import { type BotDetail, bizOf, GRID_PATHS, type GridBiz } from "@clockwork/strategies/grid/contract";
import { REBALANCE_PATH } from "@clockwork/strategies/rebalance/contract";

export interface CloneSource {
  readonly id: number;
  readonly biz: GridBiz;
  readonly path: string;
  readonly page: string;
  /** The coin whose quantity every order has; a basket has no such orders. */
  readonly base?: string;
}

export const sourceOfBot = ({ id, kind, pairCode }: Pick<BotDetail, "id" | "kind" | "pairCode">): CloneSource => ({
  id,
  biz: bizOf(kind),
  path: GRID_PATHS[bizOf(kind)],
  page: "/grid/bot",
  base: pairCode.split("_")[0] ?? "",
});

export const sourceOfBasket = ({ id }: { readonly id: number }): CloneSource => ({
  id,
  biz: "spot",
  path: REBALANCE_PATH,
  page: "/grid/basket",
});
