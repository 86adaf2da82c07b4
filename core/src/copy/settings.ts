// Owns a follower's settings: reading them from a command, refusing what makes no sense, writing them down.
import { M_KIND, M_QUOTE, M_SETTLE } from "../market/markets.ts";
import { COMMANDS, commandPlaces } from "../protocol/command.ts";
import { COPY_MARGIN_MODES, COPY_MODES } from "../protocol/names.ts";
import { REJECT } from "../protocol/rejection.ts";
import type { Core } from "../state/core.ts";
import { countGuards } from "./clock-state.ts";
import {
  COPY_SPOT,
  FO_LEVERAGE,
  FO_LEVERAGE_MAX,
  FO_MARGIN_MODE,
  FO_MARKETS,
  FO_MARKETS_MAX,
  FO_MIRROR_MARGIN,
  FO_MODE,
  FO_MULTIPLIER,
  FO_SLIPPAGE,
  FO_STOP_LOSS,
  FO_TAKE_PROFIT,
  FOF_DAY_LOSS,
  FOF_FIXED,
  FOF_ORDER_MAX,
  FOF_SYMBOL_MAX,
  FOF_TOTAL_MAX,
} from "./state/records.ts";

const FOLLOW = commandPlaces("follow");

export const MODE_FIXED = COPY_MODES.indexOf("fixed");
export const MODE_MULTIPLIER = COPY_MODES.indexOf("multiplier");
export const MODE_PROPORTIONAL = COPY_MODES.indexOf("proportional");
export const MARGIN_FOLLOW = COPY_MARGIN_MODES.indexOf("follow");
export const MARGIN_ISOLATED = COPY_MARGIN_MODES.indexOf("isolated");

/** 0.01 to 10 in 1e-8. */
const MULTIPLIER_MIN = 1_000_000;
const MULTIPLIER_MAX = 1_000_000_000;
const SLIPPAGE_MIN_BPS = 10;
const SLIPPAGE_MAX_BPS = 500;
const LEVERAGE_MAX = 1_000;
const WHOLE_BPS = 10_000;
const TAKE_PROFIT_MAX_BPS = 1_000_000;
const FIRST_MARKET = COMMANDS.follow.layout.markets.from >> 2;

/** Where each word and double of the settings stands in a command and in a record. */
const WORDS: readonly (readonly [number, number])[] = [
  [FOLLOW.multiplier, FO_MULTIPLIER],
  [FOLLOW.leverage, FO_LEVERAGE],
  [FOLLOW.leverageMax, FO_LEVERAGE_MAX],
  [FOLLOW.slippageBps, FO_SLIPPAGE],
  [FOLLOW.stopLossBps, FO_STOP_LOSS],
  [FOLLOW.takeProfitBps, FO_TAKE_PROFIT],
];
const DOUBLES: readonly (readonly [number, number])[] = [
  [FOLLOW.fixedUnits, FOF_FIXED],
  [FOLLOW.maxOrderUnits, FOF_ORDER_MAX],
  [FOLLOW.maxSymbolUnits, FOF_SYMBOL_MAX],
  [FOLLOW.maxTotalUnits, FOF_TOTAL_MAX],
  [FOLLOW.dailyLossUnits, FOF_DAY_LOSS],
];

const isWithin = (value: number, low: number, high: number): boolean => value >= low && value <= high;

/** 0 when the settings of the command at hand are sound for a leader of that kind and coin. */
export function checkSettings(core: Core, kind: number, asset: number): number {
  const mode = core.readByte(FOLLOW.mode);
  const stop = core.readWord(FOLLOW.stopLossBps);
  const profit = core.readWord(FOLLOW.takeProfitBps);
  const amounts = DOUBLES.every(([member]) => isWithin(core.readDouble(member), 0, Number.MAX_SAFE_INTEGER));
  const whole = DOUBLES.every(([member]) => Number.isInteger(core.readDouble(member)));
  const sound =
    isWithin(mode, 0, COPY_MODES.length - 1) &&
    core.readByte(FOLLOW.marginMode) < COPY_MARGIN_MODES.length &&
    !(mode === MODE_PROPORTIONAL && kind === COPY_SPOT) &&
    (mode !== MODE_FIXED || core.readDouble(FOLLOW.fixedUnits) > 0) &&
    (mode !== MODE_MULTIPLIER || isWithin(core.readWord(FOLLOW.multiplier), MULTIPLIER_MIN, MULTIPLIER_MAX)) &&
    isWithin(core.readWord(FOLLOW.leverage), 0, LEVERAGE_MAX) &&
    isWithin(core.readWord(FOLLOW.leverageMax), 0, LEVERAGE_MAX) &&
    isWithin(core.readWord(FOLLOW.slippageBps), SLIPPAGE_MIN_BPS, SLIPPAGE_MAX_BPS) &&
    (stop === 0 || isWithin(stop, 1, WHOLE_BPS - 1)) &&
    (profit === 0 || isWithin(profit, WHOLE_BPS + 1, TAKE_PROFIT_MAX_BPS)) &&
    amounts &&
    whole;
  return sound && areMarkets(core, kind, asset) ? 0 : REJECT.INVALID_COPY_SETTING;
}

function areMarkets(core: Core, kind: number, asset: number): boolean {
  const count = core.readByte(FOLLOW.markets);
  if (count > FO_MARKETS_MAX) return false;
  for (let i = 0; i < count; i++) {
    const market = core.readWord(FIRST_MARKET + i);
    if (!core.markets.isMarket(market) || !isCopied(core, market, kind, asset)) return false;
  }
  return true;
}

/** Whether a leader of that kind and coin is copied in a market at all. */
export function isCopied(core: Core, market: number, kind: number, asset: number): boolean {
  const { markets, perps } = core;
  if (kind === COPY_SPOT) return markets.word(market, M_KIND) === 0 && markets.word(market, M_QUOTE) === asset;
  return perps.isPerp(market) && markets.word(market, M_SETTLE) === asset;
}

export function writeSettings(core: Core, follow: number): void {
  const { follows } = core.copies;
  const before = hasGuards(core, follow) ? 1 : 0;
  follows.setWord(follow, FO_MODE, core.readByte(FOLLOW.mode));
  follows.setWord(follow, FO_MARGIN_MODE, core.readByte(FOLLOW.marginMode));
  follows.setWord(follow, FO_MIRROR_MARGIN, core.readByte(FOLLOW.mirrorMargin) !== 0 ? 1 : 0);
  for (const [member, word] of WORDS) follows.setWord(follow, word, core.readWord(member));
  for (const [member, double] of DOUBLES) follows.setDouble(follow, double, core.readDouble(member));
  const count = core.readByte(FOLLOW.markets);
  for (let i = 0; i < FO_MARKETS_MAX; i++)
    follows.setWord(follow, FO_MARKETS + i, i < count ? core.readWord(FIRST_MARKET + i) : 0);
  countGuards(core, (hasGuards(core, follow) ? 1 : 0) - before);
}

/** Forgets the bounds at which all is closed: the follow is over. */
export function dropGuards(core: Core, follow: number): void {
  if (!hasGuards(core, follow)) return;
  core.copies.follows.setWord(follow, FO_STOP_LOSS, 0);
  core.copies.follows.setWord(follow, FO_TAKE_PROFIT, 0);
  countGuards(core, -1);
}

export function hasGuards(core: Core, follow: number): boolean {
  const { follows } = core.copies;
  return follows.word(follow, FO_STOP_LOSS) !== 0 || follows.word(follow, FO_TAKE_PROFIT) !== 0;
}

/** Whether the follower copies in that market. */
export function wantsMarket(core: Core, follow: number, market: number): boolean {
  const { follows } = core.copies;
  if (follows.word(follow, FO_MARKETS) === 0) return true;
  for (let i = 0; i < FO_MARKETS_MAX; i++) if (follows.word(follow, FO_MARKETS + i) === market) return true;
  return false;
}
