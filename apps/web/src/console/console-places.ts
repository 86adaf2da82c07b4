// The places of the operators' console in their groups, with the permission each requires and the queue whose count is
// shown next to it.
import type { QueueName } from "@clockwork/site/overview/contract";
import type { IconName } from "@clockwork/ui/logic/icon-paths";
import type { ConsoleTextKey } from "#locales/en-us-console.ts";

export interface Place {
  readonly path: string;
  readonly title: ConsoleTextKey;
  readonly icon: IconName;
  /** Shown to operators with one of these; to every operator where left out. */
  readonly permissions?: readonly string[];
  readonly queues?: readonly QueueName[];
}

export interface PlaceGroup {
  /** None for the first. */
  readonly title?: ConsoleTextKey;
  readonly places: readonly Place[];
}

export const PLACE_GROUPS: readonly PlaceGroup[] = [
  { places: [{ path: "/operator", title: "nav.overview", icon: "home" }] },
  {
    title: "nav.group.queues",
    places: [
      {
        path: "/operator/withdrawals",
        title: "nav.withdrawals",
        icon: "upload",
        permissions: ["withdrawals.review"],
        queues: ["withdrawals"],
      },
      { path: "/operator/kyc", title: "nav.kyc", icon: "document", permissions: ["kyc.review"], queues: ["identity"] },
      {
        path: "/operator/otc",
        title: "nav.otc",
        icon: "bank",
        permissions: ["otc.complaints"],
        queues: ["otc", "merchants"],
      },
      { path: "/operator/copy", title: "nav.copy", icon: "users", permissions: ["copy.read"], queues: ["leaders"] },
      {
        path: "/operator/tickets",
        title: "nav.tickets",
        icon: "mail",
        permissions: ["support.answer"],
        queues: ["tickets"],
      },
      { path: "/operator/proposals", title: "nav.proposals", icon: "check", queues: ["proposals"] },
    ],
  },
  {
    title: "nav.group.customers",
    places: [
      { path: "/operator/users", title: "nav.users", icon: "user", permissions: ["people.read"] },
      { path: "/operator/restrictions", title: "nav.restrictions", icon: "lock", permissions: ["people.read"] },
    ],
  },
  {
    title: "nav.group.markets",
    places: [
      {
        path: "/operator/instruments",
        title: "nav.instruments",
        icon: "candles",
        permissions: ["overview.read", "trading.stop"],
      },
      { path: "/operator/markets", title: "nav.markets", icon: "warning", permissions: ["trading.stop"] },
      { path: "/operator/vip", title: "nav.vip", icon: "percent", permissions: ["vip.manage"] },
      { path: "/operator/fund", title: "nav.fund", icon: "shield", permissions: ["overview.read"] },
    ],
  },
  {
    title: "nav.group.treasury",
    places: [
      { path: "/operator/custody", title: "nav.custody", icon: "wallet", permissions: ["withdrawals.review"] },
      { path: "/operator/ledger", title: "nav.ledger", icon: "book", permissions: ["ledger.read"] },
    ],
  },
  {
    title: "nav.group.products",
    places: [
      { path: "/operator/earn", title: "nav.earn", icon: "layers", permissions: ["earn.manage"] },
      { path: "/operator/launches", title: "nav.launches", icon: "flag", permissions: ["launchpad.manage"] },
      { path: "/operator/rewards", title: "nav.rewards", icon: "gift", permissions: ["rewards.manage"] },
      { path: "/operator/coupons", title: "nav.coupons", icon: "tag", permissions: ["coupons.issue"] },
      { path: "/operator/invite", title: "nav.invite", icon: "share", permissions: ["invite.manage"] },
    ],
  },
  {
    title: "nav.group.site",
    places: [
      { path: "/operator/articles", title: "nav.articles", icon: "news", permissions: ["content.edit"] },
      { path: "/operator/campaigns", title: "nav.campaigns", icon: "image", permissions: ["content.edit"] },
      { path: "/operator/broadcasts", title: "nav.broadcasts", icon: "send", permissions: ["broadcasts.send"] },
      { path: "/operator/site", title: "nav.site", icon: "globe", permissions: ["content.edit"] },
      { path: "/operator/visits", title: "nav.visits", icon: "bars", permissions: ["visits.read"] },
    ],
  },
  {
    title: "nav.group.people",
    places: [
      { path: "/operator/operators", title: "nav.operators", icon: "key", permissions: ["operators.manage"] },
      { path: "/operator/audit", title: "nav.audit", icon: "clock", permissions: ["audit.read"] },
    ],
  },
];

const PLACES = PLACE_GROUPS.flatMap(({ places }) => places);

/** The place of an address: its own, or the one above it, such as the list of users above one of them. */
export function findPlace(path: string): Place | undefined {
  return (
    PLACES.find((place) => place.path === path) ??
    PLACES.find((place) => place.path !== "/operator" && path.startsWith(`${place.path}/`))
  );
}

export function mayOpen({ permissions }: Place, held: readonly string[]): boolean {
  return permissions === undefined || permissions.some((one) => held.includes(one));
}
