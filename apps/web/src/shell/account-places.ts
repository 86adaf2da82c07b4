// The places of an account as data: what the account pages show at their side and the header's account menu lists. A
// place shows when its page is in the route table, so none can be dead.
import type { IconName } from "@clockwork/ui/logic/icon-paths";
import { hasPage } from "#boot/route-table.ts";
import type { AccountTextKey } from "#locales/en-us-account.ts";

export interface Place {
  readonly path: string;
  readonly title: AccountTextKey;
  readonly icon: IconName;
}

/** Money and what was done with it. Only in the menu: these pages have frames of their own. */
const MONEY: readonly Place[] = [
  { path: "/overview", title: "nav.overview", icon: "layers" },
  { path: "/wallet", title: "nav.wallet", icon: "wallet" },
  { path: "/orders", title: "nav.orders", icon: "document" },
  { path: "/coupons", title: "nav.coupons", icon: "gift" },
  { path: "/alerts", title: "nav.alerts", icon: "bell" },
];
const ABOUT: readonly Place[] = [
  { path: "/account", title: "nav.profile", icon: "user" },
  { path: "/security", title: "nav.security", icon: "shield" },
  { path: "/identity", title: "nav.identity", icon: "document" },
  { path: "/preferences", title: "nav.preferences", icon: "eye" },
];
/** What trading and inviting bring. */
const PROGRAMME: readonly Place[] = [
  { path: "/vip", title: "nav.vip", icon: "star" },
  { path: "/rewards", title: "nav.rewards", icon: "gift" },
  { path: "/invite", title: "nav.invite", icon: "users" },
];
const ACCESS: readonly Place[] = [
  { path: "/api-keys", title: "nav.apiKeys", icon: "terminal" },
  { path: "/devices", title: "nav.devices", icon: "laptop" },
  { path: "/activity", title: "nav.activity", icon: "clock" },
  { path: "/letters", title: "nav.letters", icon: "mail" },
  { path: "/tickets", title: "nav.tickets", icon: "chat" },
  { path: "/operation-cw/scan-login", title: "nav.scan", icon: "qr" },
];
const CONSOLE: readonly Place[] = [{ path: "/operator", title: "nav.operator", icon: "terminal" }];

export interface Places {
  readonly money: readonly Place[];
  readonly about: readonly Place[];
  readonly programme: readonly Place[];
  readonly access: readonly Place[];
  /** For those who work here. */
  readonly console: readonly Place[];
}

export function listPlaces(exists: (path: string) => boolean = hasPage): Places {
  const keep = (places: readonly Place[]) => places.filter(({ path }) => exists(path));
  const [money, about, programme] = [keep(MONEY), keep(ABOUT), keep(PROGRAMME)];
  return { money, about, programme, access: keep(ACCESS), console: keep(CONSOLE) };
}
