// Which part of the product a call belongs to, and what an announced maintenance of that part leaves open: reading, and
// calls that reduce exposure (cancel, reduce, redeem) or keep a deadline of a running deal.

import type { CallInput } from "@clockwork/host/call";
import { edgeRefusal, type Refusal } from "@clockwork/host/refusal";
import type { RouteSpec } from "@clockwork/host/route";
import type { Module, ModuleState } from "./contract.ts";

type Named = Pick<RouteSpec, "method" | "path" | "tag" | "scope">;

const MODULE_BY_TAG: Readonly<Record<string, Module>> = {
  spot: "spot",
  convert: "wallet",
  wallet: "wallet",
  earn: "earn",
  plans: "earn",
  launchpad: "launchpad",
  otc: "otc",
  grid: "grid",
  copy: "copy",
  futures: "futures",
  positions: "futures",
  coupons: "rewards",
  rewards: "rewards",
  spring: "rewards",
  bonus: "rewards",
  invite: "invite",
  vip: "vip",
  kyc: "kyc",
  "api keys": "apiKeys",
  support: "support",
};

/** Method and path of calls that remain available. */
export const OPEN_WHILE_DOWN: ReadonlySet<string> = new Set([
  "DELETE /v1/spot/orders/:id",
  "POST /v1/spot/orders/clear",
  "POST /v1/spot/orders/cancel-after",
  ...["futuresc", "perpcm"].flatMap((tree) => [
    `DELETE /v1/${tree}/orders/:id`,
    `POST /v1/${tree}/orders/cancel`,
    `POST /v1/${tree}/orders/clear`,
    `POST /v1/${tree}/orders/cancel-after`,
    `POST /v1/${tree}/positions/close`,
    `POST /v1/${tree}/positions/close-all`,
    `POST /v1/${tree}/positions/stop`,
  ]),
  ...["spot/strategy", "sps"].flatMap((tree) => [
    `POST /v1/${tree}/finish`,
    `POST /v1/${tree}/order/cancel`,
    `POST /v1/${tree}/position/close`,
    `POST /v1/${tree}/backtest/cancel`,
  ]),
  "POST /v1/spot/strategy/rebalance/finish",
  "POST /v1/spot/strategy/rebalance/backtest/cancel",
  ...["follow/v1", "follow/v2", "spot-follow"].flatMap((tree) => [
    `POST /${tree}/cancel`,
    `POST /${tree}/apply/cancel`,
    `POST /${tree}/comments/remove`,
  ]),
  "POST /follow/v1/stops",
  "POST /follow/v2/stops",
  "POST /spot-follow/close",
  "POST /financial/v1/redeem",
  "POST /asset/v1/api/redeem",
  "POST /asset/v1/api/wallet/redeem",
  "POST /financial/v1/plans/end",
  "POST /financial/v1/plans/pause",
  "POST /asset/v1/api/withdraw/cancel",
  "POST /asset/v1/api/withdraw/address/delete",
  "POST /seckill/cancel",
  "POST /seckill/pay",
  "POST /v2/otc/orders/pay",
  "POST /v2/otc/orders/release",
  "POST /v2/otc/orders/cancel",
  "POST /v2/otc/orders/ask-cancel",
  "POST /v2/otc/orders/appeal",
  "POST /v2/otc/complaints/evidence",
  "POST /v2/otc/complaints/withdraw",
  "POST /v2/otc/chat/send",
  "POST /v2/otc/chat/read",
  "POST /v2/otc/upload",
  "POST /v2/otc/providers/callback",
  "POST /v2/users/api-keys/delete",
]);

type Order = Readonly<Partial<Record<"biz" | "side" | "positionSide" | "reduceOnly", unknown>>>;

/** Can only reduce a position. */
function reduces({ side, positionSide, reduceOnly }: Order): boolean {
  if (reduceOnly === true) return true;
  return (side === "sell" && positionSide === "long") || (side === "buy" && positionSide === "short");
}

function ordersOf({ body }: CallInput): readonly Order[] {
  const { orders } = (body ?? {}) as { readonly orders?: readonly Order[] };
  return orders ?? [(body ?? {}) as Order];
}

const MODULE_BY_BIZ: Readonly<Record<string, Module>> = { futures: "futures", delivery: "delivery", demo: "simulated" };

function modulesOf({ tag, path }: Named, input: CallInput): readonly Module[] {
  const module = MODULE_BY_TAG[tag];
  if (module === undefined || path.startsWith("/dev/")) return [];
  if (module === "copy" && path.startsWith("/spot-follow/")) return ["spotCopy"];
  if (module !== "futures") return [module];
  if (path.includes("/simulated/")) return ["simulated"];
  const own = path.startsWith("/v1/perpcm/") ? "delivery" : "futures";
  return ordersOf(input).map(({ biz }) => MODULE_BY_BIZ[String(biz ?? own)] ?? own);
}

/** Why a call with effects is refused while its part of the product is in maintenance; undefined otherwise. */
export function findResting(
  spec: Named,
  input: CallInput,
  readDown: (module: Module) => ModuleState | undefined,
  timeMs: number,
): Refusal | undefined {
  if (spec.method === "GET" || OPEN_WHILE_DOWN.has(`${spec.method} ${spec.path}`)) return undefined;
  // Operators work while customers wait.
  if (typeof spec.scope === "object" && "operator" in spec.scope) return undefined;
  for (const module of modulesOf(spec, input)) {
    const state = readDown(module);
    if (state === undefined) continue;
    if (MODULE_BY_TAG[spec.tag] === "futures" && isReduction(spec, input)) continue;
    return describeResting(state, timeMs);
  }
  return undefined;
}

function isReduction({ path }: Named, input: CallInput): boolean {
  return /\/orders(\/batch)?$/.test(path) && ordersOf(input).every(reduces);
}

function describeResting({ reason, endsAt }: ModuleState, timeMs: number): Refusal {
  const until = endsAt === null ? "" : ` Until ${endsAt}.`;
  const refusal = edgeRefusal("MODULE_DOWN", { message: `${reason}${until}` });
  if (endsAt === null) return refusal;
  return { ...refusal, retryAfterSeconds: Math.max(1, Math.ceil((Date.parse(endsAt) - timeMs) / 1000)) };
}
