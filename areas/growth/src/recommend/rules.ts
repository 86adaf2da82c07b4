// Pure rules of recommendations: visitors see the market, new users how to start, traders their own.
import { RECOMMENDATIONS_MAX, type Recommendation } from "./contract.ts";
import type { Ranked } from "./needs.ts";

export interface Visitor {
  readonly isSignedIn: boolean;
  readonly favourites: readonly string[];
  readonly held: readonly string[];
}

/** The quote coins are shown in. */
const QUOTE = "USDT";
const OWN_MAX = 3;
const MORE_MAX = 2;

function pair(pairCode: string, reason: Recommendation["reason"]): Recommendation {
  return { kind: "pair", id: pairCode, title: pairCode.replace("_", "/"), reason, path: `/spot/${pairCode}` };
}

const BEGIN: Recommendation = {
  kind: "product",
  id: "begin",
  title: "First steps",
  reason: "begin",
  path: "/overview",
};
const PROTECT: Recommendation = {
  kind: "product",
  id: "security",
  title: "Protect the account",
  reason: "protect",
  path: "/security",
};
const LEARN: Recommendation = { kind: "product", id: "college", title: "College", reason: "learn", path: "/college" };

/** Each item once, for the first reason that names it. */
export function choose(
  visitor: Visitor,
  { rise, turnover, newest }: Ranked,
  more: readonly Recommendation[],
): readonly Recommendation[] {
  const { isSignedIn, favourites, held } = visitor;
  const coins = held.filter((asset) => asset !== QUOTE).map((asset) => `${asset}_${QUOTE}`);
  const listed = new Set([...rise, ...turnover, ...newest]);
  const isNew = isSignedIn && held.length === 0;
  const all = [
    ...(isNew ? [BEGIN] : []),
    ...favourites.slice(0, OWN_MAX).map((code) => pair(code, "favourite")),
    ...coins
      .filter((code) => listed.has(code))
      .slice(0, OWN_MAX)
      .map((code) => pair(code, "held")),
    ...turnover.slice(0, MORE_MAX).map((code) => pair(code, "busy")),
    ...more,
    ...rise.slice(0, MORE_MAX).map((code) => pair(code, "rising")),
    ...newest.slice(0, 1).map((code) => pair(code, "newest")),
    isSignedIn ? PROTECT : LEARN,
  ];
  const seen = new Set<string>();
  const once = all.filter(({ kind, id }) => {
    const key = `${kind}:${id}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  return once.slice(0, RECOMMENDATIONS_MAX);
}
