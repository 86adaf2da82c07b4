// Refusals of plans, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  PLAN_UNKNOWN: [404, "You have no such plan."],
  PLAN_ENDED: [409, "This plan has ended."],
  PLAN_LIMIT: [409, "You have reached the maximum number of plans."],
  PLAN_WEIGHTS: [422, "Allocations must total 100% across different coins."],
  PLAN_SOURCES: [422, "Use each funding source only once."],
  PLAN_AMOUNT: [422, "Enter at least 1 USDT per coin, with up to six decimals."],
  COIN_NOT_TRADED: [422, "One of these coins has no USDT pair."],
  KYC_LEVEL_REQUIRED: [403, "Recurring buys require identity level 1. Verify your identity first."],
  CLIENT_ID_REUSED: [409, "This clientId was already used for another plan."],
} as const satisfies RefusalTable<string>;

export type PlanRefusal = keyof typeof REFUSALS;
