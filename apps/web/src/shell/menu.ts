// The product menus of the header and the bottom bar, as data. An entry shows when its page is in the route table, so a
// product appears with its route and no link can be dead.
import type { IconName } from "@clockwork/ui/logic/icon-paths";
import { hasPage } from "#boot/route-table.ts";
import type { SiteTextKey } from "#locales/en-us-site.ts";

export interface MenuItem {
  readonly path: string;
  readonly title: SiteTextKey;
  readonly note: SiteTextKey;
  readonly icon: IconName;
}

export interface MenuColumn {
  readonly title: SiteTextKey;
  readonly items: readonly MenuItem[];
}

/** Either a plain link or a panel of columns. */
export interface MenuGroup {
  readonly title: SiteTextKey;
  readonly path?: string;
  readonly columns?: readonly MenuColumn[];
}

const HEADER_MENU: readonly MenuGroup[] = [
  { title: "menu.markets", path: "/markets" },
  {
    title: "menu.trade",
    columns: [
      {
        title: "menu.trade",
        items: [
          { path: "/spot", title: "menu.spot", note: "menu.spot.note", icon: "swap" },
          { path: "/futures", title: "menu.futures", note: "menu.futures.note", icon: "bars" },
          { path: "/delivery", title: "menu.delivery", note: "menu.delivery.note", icon: "bars" },
          { path: "/otc", title: "menu.otc", note: "menu.otc.note", icon: "bank" },
        ],
      },
      {
        title: "menu.automate",
        items: [
          { path: "/grid/spot", title: "menu.spotGrid", note: "menu.spotGrid.note", icon: "robot" },
          { path: "/grid/futures", title: "menu.futuresGrid", note: "menu.futuresGrid.note", icon: "robot" },
          { path: "/grid/rebalance", title: "menu.rebalance", note: "menu.rebalance.note", icon: "layers" },
          { path: "/copy", title: "menu.copyTrading", note: "menu.copyTrading.note", icon: "users" },
          { path: "/earn/recurring", title: "menu.recurring", note: "menu.recurring.note", icon: "clock" },
        ],
      },
      {
        title: "menu.practise",
        items: [
          { path: "/simulated", title: "menu.simulated", note: "menu.simulated.note", icon: "layers" },
          { path: "/tomato-futures-reverse", title: "menu.reverse", note: "menu.reverse.note", icon: "swap" },
          { path: "/college", title: "menu.college", note: "menu.college.note", icon: "book" },
          { path: "/exchange-trading-rules", title: "menu.rules", note: "menu.rules.note", icon: "document" },
        ],
      },
    ],
  },
  { title: "menu.copy", path: "/copy" },
  {
    title: "menu.earn",
    columns: [
      {
        title: "menu.earn",
        items: [
          { path: "/earn/flexible", title: "menu.flexible", note: "menu.flexible.note", icon: "coins" },
          { path: "/earn/fixed", title: "menu.fixed", note: "menu.fixed.note", icon: "lock" },
          { path: "/earn/shark-fin", title: "menu.sharkFin", note: "menu.sharkFin.note", icon: "line" },
          { path: "/earn/recurring", title: "menu.recurring", note: "menu.recurring.note", icon: "clock" },
          { path: "/launchpad", title: "menu.launchpad", note: "menu.launchpad.note", icon: "send" },
        ],
      },
    ],
  },
  { title: "menu.otc", path: "/otc" },
  {
    title: "menu.more",
    columns: [
      {
        title: "menu.more",
        items: [
          { path: "/vip", title: "menu.vip", note: "menu.vip.note", icon: "trophy" },
          { path: "/rewards", title: "menu.rewards", note: "menu.rewards.note", icon: "gift" },
          { path: "/invite", title: "menu.invite", note: "menu.invite.note", icon: "users" },
          { path: "/college", title: "menu.college", note: "menu.college.note", icon: "book" },
          { path: "/news", title: "menu.news", note: "menu.news.note", icon: "news" },
          { path: "/api-docs", title: "menu.api", note: "menu.api.note", icon: "terminal" },
          { path: "/proof-of-reserves", title: "menu.reserves", note: "menu.reserves.note", icon: "shield" },
          { path: "/help", title: "menu.help", note: "menu.help.note", icon: "help" },
          { path: "/docs", title: "menu.design", note: "menu.design.note", icon: "grid" },
        ],
      },
    ],
  },
];

export interface BarItem {
  readonly path: string;
  readonly title: SiteTextKey;
  readonly icon: IconName;
}

const BOTTOM_BAR: readonly BarItem[] = [
  { path: "/", title: "bar.home", icon: "home" },
  { path: "/markets", title: "menu.markets", icon: "bars" },
  { path: "/spot", title: "menu.trade", icon: "swap" },
  { path: "/copy", title: "menu.copy", icon: "users" },
  { path: "/wallet", title: "bar.wallet", icon: "wallet" },
];

export type HasPage = (path: string) => boolean;

function keepItems(columns: readonly MenuColumn[], exists: HasPage): readonly MenuColumn[] {
  return columns
    .map((column) => ({ ...column, items: column.items.filter((item) => exists(item.path)) }))
    .filter((column) => column.items.length > 0);
}

export function listMenu(exists: HasPage = hasPage): readonly MenuGroup[] {
  const shown: MenuGroup[] = [];
  for (const group of HEADER_MENU) {
    if (group.columns === undefined) {
      if (group.path !== undefined && exists(group.path)) shown.push(group);
      continue;
    }
    const columns = keepItems(group.columns, exists);
    if (columns.length > 0) shown.push({ ...group, columns });
  }
  return shown;
}

/** A bar of one is no bar. */
export function listBar(exists: HasPage = hasPage): readonly BarItem[] {
  const shown = BOTTOM_BAR.filter((item) => exists(item.path));
  return shown.length > 1 ? shown : [];
}
