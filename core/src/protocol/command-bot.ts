// Owns the commands of grid and rebalancing bots. Never holds behaviour.
import { flag, i32, listOf, oneOf, optional, text, whole } from "./layout.ts";
import { BOT_KINDS, BOT_SPACINGS } from "./names.ts";

const header = { account: optional(i32(4), 0) };
/** Each runs once by its reference, as money does. */
const reference = text(40, 36);

/** What may be changed while it runs. Prices in ticks, 0 for none. */
const botSettings = {
  /** Begins when the price comes here. */
  triggerTicks: optional(i32(104), 0),
  /** All ends when the price rises to, or falls to, these. */
  stopAboveTicks: optional(i32(108), 0),
  stopBelowTicks: optional(i32(112), 0),
  /** The range follows the price until its edge would be beyond these. */
  trailUpTicks: optional(i32(116), 0),
  trailDownTicks: optional(i32(120), 0),
  /** All ends when the price has come back so far from the best it has seen, in 1e-4; 0 for none. */
  exitBps: optional(i32(124), 0),
  /** Coins stay coins when it ends by itself. */
  keeps: optional(flag(30), false),
  endsAt: optional(whole(128), 0),
};

export const BOT_COMMANDS = {
  /** Opens a book for the bot, moves its money there from the account, and begins or waits for its trigger. */
  createBot: {
    kind: 58,
    layout: {
      ...header,
      market: i32(24),
      grid: oneOf(28, BOT_KINDS),
      spacing: oneOf(29, BOT_SPACINGS),
      lowTicks: i32(32),
      highTicks: i32(36),
      cells: i32(80),
      /** Futures. */
      leverage: optional(i32(84), 1),
      quoteUnits: optional(whole(88), 0),
      /** Spot: coins brought in. */
      baseUnits: optional(whole(96), 0),
      ...botSettings,
      reference,
    },
  },
  /** Replaces every setting; the account is the bot's book. Orders that are missing are laid again. */
  changeBot: {
    kind: 59,
    layout: {
      ...header,
      /** Futures: margin put in from where the money came from, or taken out when negative. */
      marginUnits: optional(whole(88), 0),
      ...botSettings,
      reference,
    },
  },
  /** The account is the bot's book; of a grid or of a rebalancing bot. */
  stopBot: { kind: 60, layout: { ...header, sells: flag(24) } },
  takeBotProfit: { kind: 61, layout: { ...header, units: whole(32), reference } },
  /** Opens a book, moves the investment there, and trades it into its coins. */
  createRebalancer: {
    kind: 62,
    layout: {
      ...header,
      /** It trades when a share is off its target by this, when so much time has passed, or both; 0 for none. */
      thresholdBps: optional(i32(24), 0),
      intervalMs: optional(whole(32), 0),
      quoteUnits: whole(80),
      /** Spot markets of one quote with the coin's weight; market 0 is the quote itself. Weights sum to 10 000. */
      coins: listOf(88, 10, 8, { market: i32(0), weightBps: i32(4) }),
      reference,
    },
  },
} as const;

/** Where the content of the longest ends. */
export const BOT_TO_WORD = 44;

export const FIRST_BOT_KIND = BOT_COMMANDS.createBot.kind;
export const LAST_BOT_KIND = BOT_COMMANDS.createRebalancer.kind;
