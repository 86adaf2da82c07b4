// Refusals of plans, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  PLAN_UNKNOWN: [404, "You have no such plan."],
  PLAN_ENDED: [409, "This plan has ended."],
  PLAN_LIMIT: [409, "You have as many plans as one person may have."],
  PLAN_WEIGHTS: [422, "The weights must be 100 percent together, of different coins."],
  PLAN_SOURCES: [422, "Name each source once."],
  PLAN_AMOUNT: [422, "Give at least 1 USDT for each coin, with at most six decimals."],
  COIN_NOT_TRADED: [422, "One of these coins is not traded against USDT."],
  KYC_LEVEL_REQUIRED: [403, "Recurring buys need a verified identity, level 1."],
  CLIENT_ID_REUSED: [409, "This clientId was used for another plan."],
} as const satisfies RefusalTable<string>;

export type PlanRefusal = keyof typeof REFUSALS;
