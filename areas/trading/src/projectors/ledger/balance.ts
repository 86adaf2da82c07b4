// Owns which balance an event carries: the single reading of it, for the tables and for memory. Pure.
import { EVENTS } from "@clockwork/core/protocol/event";
import type { LedgerFacts } from "@clockwork/host/projector";

const POSTING = EVENTS.posting.kind;
const FROZEN = EVENTS.frozen.kind;
const ACCEPTED = EVENTS.orderAccepted.kind;
const ENDED = EVENTS.orderEnded.kind;
const AMENDED = EVENTS.orderAmended.kind;

export const BALANCE_KINDS: readonly number[] = [POSTING, FROZEN, ACCEPTED, ENDED, AMENDED];

const posting = EVENTS.posting.layout;
const frozen = EVENTS.frozen.layout;
const accepted = EVENTS.orderAccepted.layout;
const ended = EVENTS.orderEnded.layout;
const amended = EVENTS.orderAmended.layout;

/** Common fields at the same offsets. */
export const { account: balanceAccount, availableUnits, frozenUnits } = posting;

/** The asset whose balance the event carries; undefined without one. */
export function publishedAsset(kind: number, view: DataView, at: number, facts: LedgerFacts): number | undefined {
  switch (kind) {
    case POSTING:
      return posting.asset.read(view, at);
    case FROZEN:
      return frozen.asset.read(view, at);
    case ACCEPTED:
      return accepted.heldUnits.read(view, at) === 0 ? undefined : heldAsset(view, at, facts);
    case ENDED:
      return ended.releasedUnits.read(view, at) === 0 ? undefined : heldAsset(view, at, facts);
    case AMENDED:
      return amended.heldUnits.read(view, at) === 0 ? undefined : heldAsset(view, at, facts);
    default:
      return undefined;
  }
}

/** Spot orders carry the balance of the asset their money is held in; orders for contracts hold none. */
function heldAsset(view: DataView, at: number, { markets }: LedgerFacts): number | undefined {
  const market = markets.get(accepted.market.read(view, at));
  if (market?.kind !== "spot") return undefined;
  return accepted.side.read(view, at) === "sell" ? market.base : market.quote;
}
