// Owns the places in the record of a rebalancing bot: its coins and weights, its rule, its figures. Holds no rule.

import { BASKET_COINS_MAX } from "@clockwork/kit/grid/rebalance";
import type { Double, Word } from "../../memory/record.ts";

/** The bot's own book, and where its money came from and goes back to. */
export const RE_ACCOUNT: Word<"rebalancer"> = 0;
export const RE_SOURCE: Word<"rebalancer"> = 1;
export const RE_IS_CLOSED: Word<"rebalancer"> = 2;
export const RE_QUOTE: Word<"rebalancer"> = 3;
export const RE_THRESHOLD: Word<"rebalancer"> = 4;
/** Its place among the deadlines. */
export const RE_DEADLINE: Word<"rebalancer"> = 5;
/** How often it has traded. */
export const RE_ROUNDS: Word<"rebalancer"> = 6;
/** Coins beside the quote; market and weight of each. What the weights leave is the quote's. */
export const RE_COINS: Word<"rebalancer"> = 7;
export const RE_MARKETS: Word<"rebalancer"> = 8;
export const RE_WEIGHTS = RE_MARKETS + BASKET_COINS_MAX;
/** The last try found nobody to trade with; told once. */
export const RE_HAS_FAILED = RE_WEIGHTS + BASKET_COINS_MAX;
export const REF_INTERVAL: Double<"rebalancer"> = 16;
export const REF_NEXT_AT: Double<"rebalancer"> = 17;
export const REF_DEADLINE_AT: Double<"rebalancer"> = 18;
export const REF_INVESTED: Double<"rebalancer"> = 19;
export const REF_FEES: Double<"rebalancer"> = 20;
export const REBALANCER_WORDS = 48;

/** Books of rebalancing bots have numbers of their own among the books of bots. */
export const REBALANCER_SUB = 0x800000;
/** Subject of a follow-up: no line of a grid. */
export const REBALANCE = -1;
