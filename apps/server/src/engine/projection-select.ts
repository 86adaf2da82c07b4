// Owns which events of a run the fold has to see, read off their bytes: book levels are kept by no table, and of
// simulated traders only the last balance is. Pure; decoding is what costs, so most of a lively market is never decoded.
import { readEvent } from "@clockwork/core/codec";
import { EVENT_BYTES, EVENTS, type MachineEvent } from "@clockwork/core/event";
import { FIRST_USER_ACCOUNT } from "@clockwork/core/names";
import type { EventBatch } from "./event-pump.ts";
import type { ProjectionMemory } from "./projection-fold.ts";
import type { BalanceRow } from "./projection-rows.ts";

export interface Selected {
  readonly events: readonly MachineEvent[];
  /** The last balances of simulated traders. */
  readonly balances: readonly BalanceRow[];
  /** Journal time at the end. */
  readonly timeMs: number;
}

const KIND = {
  clock: EVENTS.clock.kind,
  depth: EVENTS.depth.kind,
  trade: EVENTS.trade.kind,
  prevented: EVENTS.selfTradePrevented.kind,
  posting: EVENTS.posting.kind,
  frozen: EVENTS.frozen.kind,
  accepted: EVENTS.orderAccepted.kind,
  ended: EVENTS.orderEnded.kind,
  amended: EVENTS.orderAmended.kind,
  created: EVENTS.accountCreated.kind,
};

/** Where the layouts of event.ts keep what is read here. */
const AT = {
  flags: 2,
  account: 4,
  sequence: 8,
  asset: 16,
  market: 24,
  changed: 40,
  available: 48,
  frozen: 56,
  maker: 56,
};

/** `afterSequence` is what the tables hold already. */
export function selectEvents(
  batches: readonly EventBatch[],
  memory: ProjectionMemory,
  afterSequence: number,
): Selected {
  const events: MachineEvent[] = [];
  const balances = new Map<string, BalanceRow>();
  const { simulated } = memory;
  let timeMs = batches[0]?.timeBeforeMs ?? 0;
  for (const { bytes, timeBeforeMs } of batches) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    timeMs = timeBeforeMs;
    for (let at = 0; at < bytes.length; at += EVENT_BYTES) {
      const kind = view.getUint8(at);
      if (kind === KIND.clock) timeMs = view.getFloat64(at + 16, true);
      if (kind === KIND.clock || kind === KIND.depth) continue;
      if (view.getFloat64(at + AT.sequence, true) <= afterSequence) continue;
      const account = view.getInt32(at + AT.account, true);
      if (account >= FIRST_USER_ACCOUNT && simulated.has(account) && kind !== KIND.created) {
        const meets = kind === KIND.trade || kind === KIND.prevented;
        if (!meets || simulated.has(view.getInt32(at + AT.maker, true))) {
          keepBalance(view, at, kind, memory, balances);
          continue;
        }
      }
      events.push(readEvent(view, at, timeMs));
    }
  }
  return { events, balances: [...balances.values()], timeMs };
}

function keepBalance(
  view: DataView,
  at: number,
  kind: number,
  memory: ProjectionMemory,
  balances: Map<string, BalanceRow>,
): void {
  let asset: number | undefined;
  if (kind === KIND.posting || kind === KIND.frozen) asset = view.getInt32(at + AT.asset, true);
  else if (kind === KIND.accepted || kind === KIND.ended || kind === KIND.amended) {
    // Without a change there is nothing to learn.
    if (view.getFloat64(at + AT.changed, true) === 0) return;
    const market = memory.markets.get(view.getInt32(at + AT.market, true));
    const isSell = (view.getUint16(at + AT.flags, true) & 1) === 1;
    asset = isSell ? market?.base_asset : market?.quote_asset;
  }
  if (asset === undefined) return;
  const account = view.getInt32(at + AT.account, true);
  balances.set(`${account}:${asset}`, {
    account,
    asset,
    available_units: BigInt(view.getFloat64(at + AT.available, true)),
    frozen_units: BigInt(view.getFloat64(at + AT.frozen, true)),
    updated_sequence: view.getFloat64(at + AT.sequence, true),
  });
}
