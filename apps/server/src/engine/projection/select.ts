// Owns who sees which events of a run, read off their bytes: bills, fills and balances go straight to the entries, what
// changes an order or is rare is decoded for the fold, and what no table keeps is passed over. Decoding is what costs, so
// most of a lively market is never decoded.
import { readEvent } from "@clockwork/core/protocol/codec";
import { EVENT_BYTES, EVENTS, type EventOf, type MachineEvent } from "@clockwork/core/protocol/event";
import { FIRST_USER_ACCOUNT, isSimulatedUser } from "@clockwork/core/protocol/names";
import type { EventBatch } from "../threads/event-pump.ts";
import { Entries } from "./entries.ts";
import { makeMarketRow, type ProjectionMemory } from "./fold.ts";

export interface Selected {
  /** For the fold. */
  readonly events: readonly MachineEvent[];
  readonly entries: Entries;
  /** Journal time at the end. */
  readonly timeMs: number;
}

const KIND = {
  clock: EVENTS.clock.kind,
  rejected: EVENTS.rejected.kind,
  depth: EVENTS.depth.kind,
  trade: EVENTS.trade.kind,
  prevented: EVENTS.selfTradePrevented.kind,
  posting: EVENTS.posting.kind,
  reference: EVENTS.reference.kind,
  frozen: EVENTS.frozen.kind,
  accepted: EVENTS.orderAccepted.kind,
  ended: EVENTS.orderEnded.kind,
  amended: EVENTS.orderAmended.kind,
  account: EVENTS.accountCreated.kind,
  accountFlags: EVENTS.accountFlags.kind,
  fees: EVENTS.feesChanged.kind,
  market: EVENTS.marketListed.kind,
} as const;

/** What an account is and pays is kept of simulated traders too. */
const IS_TRADING = new Uint8Array(256).fill(1);
for (const kind of [KIND.account, KIND.accountFlags, KIND.fees]) IS_TRADING[kind] = 0;

/** Of the rest, what the fold keeps. */
const FOLDED = new Set<number>(
  (
    [
      "rejected",
      "accountCreated",
      "accountFlags",
      "assetListed",
      "marketListed",
      "marketStatus",
      "feesChanged",
      "orderAccepted",
      "orderEnded",
      "orderAmended",
      "trade",
      "selfTradePrevented",
      "clientOrderId",
      "conditionalAccepted",
      "conditionalTriggered",
      "listLeg",
      "twapStarted",
      "twapSlice",
      "twapEnded",
    ] as const
  ).map((name) => EVENTS[name].kind),
);
const IS_FOLDED = Uint8Array.from({ length: 256 }, (_, kind) => (FOLDED.has(kind) ? 1 : 0));

/** Where the layouts of event.ts keep what is read here. */
const AT = {
  flags: 2,
  account: 4,
  sequence: 8,
  time: 16,
  asset: 16,
  market: 24,
  rejectedOrder: 24,
  changed: 40,
  maker: 56,
};

/** `afterSequence` is what the tables hold already. Accounts and markets that begin here are remembered at once. */
export function selectEvents(
  batches: readonly EventBatch[],
  memory: ProjectionMemory,
  afterSequence: number,
): Selected {
  const events: MachineEvent[] = [];
  const entries = new Entries(memory);
  const { simulated } = memory;
  let timeMs = batches[0]?.timeBeforeMs ?? 0;
  for (const { bytes, timeBeforeMs } of batches) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    timeMs = timeBeforeMs;
    for (let at = 0; at < bytes.length; at += EVENT_BYTES) {
      const kind = view.getUint8(at);
      if (kind === KIND.clock) timeMs = view.getFloat64(at + AT.time, true);
      if (kind === KIND.clock || kind === KIND.depth) continue;
      if (view.getFloat64(at + AT.sequence, true) <= afterSequence) continue;
      const account = view.getInt32(at + AT.account, true);
      if (account >= FIRST_USER_ACCOUNT && simulated.has(account) && IS_TRADING[kind] === 1) {
        const meets = kind === KIND.trade || kind === KIND.prevented;
        if (!meets || simulated.has(view.getInt32(at + AT.maker, true))) {
          keepBalance(view, at, kind, memory, entries);
          continue;
        }
      }
      if (kind === KIND.posting) entries.addPosting(view, at, timeMs);
      else if (kind === KIND.reference) entries.nameBills(view, at, timeMs);
      else keepBalance(view, at, kind, memory, entries);
      if (kind === KIND.trade) entries.addTrade(view, at, timeMs);
      if (IS_FOLDED[kind] === 0 || (kind === KIND.rejected && isOrderless(view, at))) continue;
      const event = readEvent(view, at, timeMs);
      if (kind === KIND.account || kind === KIND.market) remember(event, memory);
      events.push(event);
    }
  }
  return { events, entries, timeMs };
}

/** Refusals without an order change nothing. */
function isOrderless(view: DataView, at: number): boolean {
  return view.getFloat64(at + AT.rejectedOrder, true) === 0;
}

function remember(event: MachineEvent, memory: ProjectionMemory): void {
  if (event.kind === "marketListed") memory.markets.set(event.market, makeMarketRow(event));
  else if (isSimulatedUser((event as EventOf<"accountCreated">).user)) {
    memory.simulated.add((event as EventOf<"accountCreated">).account);
  }
}

/** Order events carry the balance of the asset their money is held in; without a change there is nothing to learn. */
function keepBalance(view: DataView, at: number, kind: number, memory: ProjectionMemory, entries: Entries): void {
  let asset: number | undefined;
  if (kind === KIND.posting || kind === KIND.frozen) asset = view.getInt32(at + AT.asset, true);
  else if (kind === KIND.accepted || kind === KIND.ended || kind === KIND.amended) {
    if (view.getFloat64(at + AT.changed, true) === 0) return;
    const market = memory.markets.get(view.getInt32(at + AT.market, true));
    const isSell = (view.getUint16(at + AT.flags, true) & 1) === 1;
    asset = isSell ? market?.base_asset : market?.quote_asset;
  }
  if (asset !== undefined) entries.setBalance(view, at, asset);
}
