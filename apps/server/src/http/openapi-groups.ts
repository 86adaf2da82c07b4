// Where an operation of the API belongs: the area its tag is of, and who it is for.
import type { RouteScope } from "@clockwork/kit/caller";

/** Every tag a route may have, by area. */
const AREA_TAGS: Readonly<Record<string, readonly string[]>> = {
  platform: ["clock", "system"],
  identity: [
    "api keys",
    "captcha",
    "credentials",
    "kyc",
    "operators",
    "passkeys",
    "proposals",
    "security",
    "sessions",
    "social",
    "users",
  ],
  messaging: ["broadcasts", "letters", "newsletter", "notices", "push", "support"],
  trading: [
    "alerts",
    "bonus",
    "contracts",
    "convert",
    "coupons",
    "futures",
    "halts",
    "ledger",
    "liquidations",
    "markets",
    "portfolio",
    "positions",
    "restrictions",
    "spot",
    "statements",
  ],
  strategies: ["copy", "grid"],
  custody: ["wallet"],
  fiat: ["otc"],
  earning: ["earn", "launchpad", "plans"],
  growth: ["campaigns", "home", "invite", "rewards", "spring", "vip"],
  site: ["articles", "college", "content", "ops", "overview", "people", "searches"],
};

const AREAS = new Map(Object.entries(AREA_TAGS).flatMap(([area, tags]) => tags.map((tag) => [tag, area] as const)));

/** Undefined for a tag of no area: the check of contracts refuses it. */
export function areaOf(tag: string): string | undefined {
  return AREAS.get(tag);
}

export type Audience = "public" | "account" | "program" | "operator";

/** A call that keys may make is for programs; users in a session may make it too. */
export function audienceOf(scope: RouteScope | undefined): Audience {
  if (scope === undefined || scope === "visitor" || scope === "internal") return "public";
  if (scope === "user") return "account";
  return "key" in scope ? "program" : "operator";
}
