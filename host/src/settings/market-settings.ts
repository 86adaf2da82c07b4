// Settings of the market: whether simulated traders drive it, from which seed and how fast. Declared here as data;
// config.ts reads the environment.
import { choiceSetting, integerSetting, listSetting, textSetting } from "./setting.ts";

export const MARKET_KINDS = ["on", "off"] as const;

/** What production may simulate where it is named; everything else that is simulated elsewhere is absent there. */
export const SIMULATED_KINDS = ["market", "liveness", "rates"] as const;
export type SimulatedKind = (typeof SIMULATED_KINDS)[number];

export const MARKET_SETTINGS = {
  simulated: listSetting(
    "CW_SIMULATED",
    "What production may simulate, by name: market (CW_MARKET=on), liveness (no CW_LIVENESS_URL), rates (no CW_RATES_URL). What is simulated and not named refuses a start in production; merchants, payments, chains, reviewers and sign-in providers are never simulated there",
    `${SIMULATED_KINDS.slice(0, -1).join(", ")} and ${SIMULATED_KINDS.at(-1)}`,
    (text) => SIMULATED_KINDS.find((kind) => kind === text),
  ),
  market: choiceSetting(
    "CW_MARKET",
    "on",
    "on: simulated traders, marked as such, keep every pair and contract alive; off: the pairs are listed and only users trade. In production on also needs market in CW_SIMULATED",
    MARKET_KINDS,
  ),
  indexSources: listSetting(
    "CW_INDEX_SOURCES",
    "Programs that push index prices of contracts, each with its Ed25519 public key of 32 bytes in base64; two at least, since one alone leaves the index degraded. Their order gives their numbers: add new ones at the end. Without any, contracts stay in PRE unless the market is simulated",
    "sources, each as name=key",
    (text) => (/^[a-z][a-z0-9-]{0,31}=[A-Za-z0-9+/]{43}=$/.test(text) ? text : undefined),
  ),
  marketPriceToken: textSetting(
    "CW_MARKET_PRICE_TOKEN",
    "",
    "Bearer token of a program that submits outside prices for the simulated market; without one none are accepted",
    /^[\x21-\x7e]{16,256}$/,
    "16 to 256 printable characters without spaces",
    true,
  ),
  seedSeconds: integerSetting(
    "CW_SEED_SECONDS",
    "1",
    "Seconds after which a new random seed for draws and shuffles is journaled while something happens; 0 never",
    0,
    60,
  ),
  marketSeed: integerSetting("CW_MARKET_SEED", "20260309", "Seed of the simulated market", 0, 4_294_967_295),
  marketHistoryDays: integerSetting(
    "CW_MARKET_HISTORY_DAYS",
    "30",
    "Days of minute candles, behind five times as many of hours, that the simulated market is given before its first start; fewer make that start quicker",
    1,
    30,
  ),
  marketSpeed: integerSetting(
    "CW_MARKET_SPEED",
    "1",
    "How many times faster simulated prices and traders move",
    1,
    1000,
  ),
};
