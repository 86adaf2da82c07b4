// Owns the commands about users and their money beyond plain postings. Never holds behaviour.
import { i32, oneOf, optional } from "./layout.ts";
import { HOUSE_PURPOSES } from "./names.ts";

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
} as const;
