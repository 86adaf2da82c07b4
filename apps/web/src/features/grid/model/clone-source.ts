// What a clone is made of. Apart from its form, which only whoever opens it loads.
import { type BotDetail, bizOf, GRID_PATHS, type GridBiz } from "@clockwork/domains/grid/api";
import { REBALANCE_PATH } from "@clockwork/domains/rebalance/api";

/** Which bot is cloned, where it is asked for, and where the new one is seen. */
export interface CloneSource {
  readonly id: number;
  readonly biz: GridBiz;
  readonly path: string;
  readonly page: string;
}

export const sourceOfBot = ({ id, kind }: Pick<BotDetail, "id" | "kind">): CloneSource => ({
  id,
  biz: bizOf(kind),
  path: GRID_PATHS[bizOf(kind)],
  page: "/grid/bot",
});

export const sourceOfBasket = ({ id }: { readonly id: number }): CloneSource => ({
  id,
  biz: "spot",
  path: REBALANCE_PATH,
  page: "/grid/basket",
});
