// Owns the commands about users and their money beyond plain postings. Never holds behaviour.
import { flag, hex, i32, listOf, oneOf, optional, text, whole } from "./layout.ts";
import { BUSINESSES, HOUSE_PURPOSES } from "./names.ts";

const header = { account: optional(i32(4), 0) };

export const ACCOUNT_COMMANDS = {
  /** Opens an account of the house, one for each purpose and sub; says which it is when it is there. */
  openHouseAccount: { kind: 43, layout: { purpose: oneOf(24, HOUSE_PURPOSES), sub: optional(i32(28), 0) } },
  /**
   * Rates of a user in 1e-8, inherited by every account of the user, those to come too; −1 returns to the market's fee
   * group. An account's own rates (setAccountFees) come before them.
   */
  setUserFees: {
    kind: 42,
    layout: {
      user: i32(24),
      spotMakerRate: optional(i32(28), -1),
      spotTakerRate: optional(i32(32), -1),
      perpMakerRate: optional(i32(36), -1),
      perpTakerRate: optional(i32(40), -1),
    },
  },
  /** Gives a hold a later end, 0 for none. After its end it is refused: the core decides who came first. */
  extendHold: {
    kind: 44,
    layout: { ...header, expiresAt: optional(whole(32), 0), reference: text(40, 36), hold: text(84, 36) },
  },
  /** Makes two holds of one: `units` of it go on under the name `into`, with the same end. */
  splitHold: {
    kind: 45,
    layout: { ...header, units: whole(32), reference: text(40, 36), hold: text(84, 36), into: text(124, 36) },
  },
  /**
   * So much of what the user has, in USDT units, must stay until a time (0: until it is lifted by its reference). Asked by
   * commands that say `outgoing`; trading is free.
   */
  restrict: {
    kind: 47,
    layout: { user: i32(24), units: whole(32), reference: text(40, 36), until: optional(whole(80), 0) },
  },
  /** Lifts the restriction of that reference; 0 units means all that is left of it. */
  unrestrict: {
    kind: 48,
    layout: { units: optional(whole(32), 0), reference: text(40, 36), restriction: text(84, 36) },
  },
  /**
   * Up to eight movements, all or none. A leg takes what is free, or what its payer holds under the name `hold`; to the
   * external book it is a burn. A refusal names the leg as its item.
   */
  settle: {
    kind: 46,
    layout: {
      outgoing: optional(flag(29), false),
      reference: text(40, 36),
      legs: listOf(80, 8, 64, {
        from: i32(0),
        to: i32(4),
        asset: i32(8),
        business: optional(oneOf(12, BUSINESSES), "transfer"),
        units: whole(16),
        hold: optional(text(24, 36), ""),
      }),
    },
  },
  /**
   * The user owes the house so much of a coin. What of it is free in his books repays at once, every later credit of it first;
   * until it is repaid only orders are accepted that repay it or reduce a position, and nothing leaves.
   */
  owe: { kind: 72, layout: { user: i32(24), units: whole(32), reference: text(40, 36), asset: i32(80) } },
  /** A random seed of the host's, each second: draws use the one in force, and it is told when the next replaces it. */
  setSeed: { kind: 49, layout: { seed: hex(24, 32) } },
  /** From here on the journal is decided by these rules; written by the first start of a release that knows newer ones. */
  setRules: { kind: 73, layout: { rules: i32(24) } },
} as const;
