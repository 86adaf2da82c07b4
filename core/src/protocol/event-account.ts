// Owns the events about users and their money beyond plain postings. Never holds behaviour.
import { hex, i32, oneOf, text, u16, whole } from "./layout.ts";
import { BUSINESSES, HOUSE_PURPOSES, RESTRICTION_ENDS, VALUE_SOURCES } from "./names.ts";

export const ACCOUNT_EVENTS = {
  /** Rates every account of the user inherits; −1 where the market's fee group counts. */
  userFeesChanged: {
    kind: 54,
    layout: {
      user: i32(16),
      spotMakerRate: i32(20),
      spotTakerRate: i32(24),
      perpMakerRate: i32(28),
      perpTakerRate: i32(32),
    },
  },
  houseAccountOpened: {
    kind: 55,
    layout: { account: i32(4), purpose: oneOf(1, HOUSE_PURPOSES), sub: i32(16) },
  },
  /** The time of a hold was over: what was left is free again, as the `frozen` before it says. */
  holdExpired: {
    kind: 56,
    layout: { account: i32(4), business: oneOf(1, BUSINESSES), asset: u16(2), units: whole(16), hold: text(24, 36) },
  },
  /** USDT units of the user's worth that must stay: those of this restriction, and all of them. */
  restricted: {
    kind: 57,
    layout: { user: i32(16), units: whole(24), totalUnits: whole(32), until: whole(40) },
  },
  /** So much need not stay any more; the `reference` behind it names the restriction. */
  restrictionEnded: {
    kind: 58,
    layout: { reason: oneOf(1, RESTRICTION_ENDS), user: i32(16), units: whole(24), totalUnits: whole(32) },
  },
  /** A debt grew by a reorganisation or was repaid, as the postings before it say; `owedUnits` is what is left of it. */
  debtChanged: { kind: 88, layout: { user: i32(16), asset: i32(20), changeUnits: whole(24), owedUnits: whole(32) } },
  /** What an asset is worth from now on: units × up ÷ down in USDT units; 0 ÷ 0 when that is no longer known. */
  assetValued: {
    kind: 80,
    layout: { source: oneOf(1, VALUE_SOURCES), asset: i32(16), up: whole(24), down: whole(32) },
  },
  /** The seed that was in force since the command `since`; the one that replaces it stays hidden. */
  seedReplaced: { kind: 59, layout: { seed: hex(16, 32), since: whole(48), number: whole(56) } },
} as const;
