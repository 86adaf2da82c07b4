// Owns what events mean for leaders, follows, copies and shares. Pure: events of whole commands in, rows out.
import { type EventOf, eventKinds, type MachineEvent } from "@clockwork/core/protocol/event";
import type { CopyRow, LeaderRow, ShareRow } from "./copy-rows.ts";

export const COPY_KINDS = eventKinds(
  "leaderChanged",
  "followChanged",
  "followSettings",
  "followScope",
  "copyPlaced",
  "copySkipped",
  "shareHeld",
  "shareSettled",
);

interface FollowRow {
  account: number;
  leader: number;
  is_active: boolean;
  ended_by: string | null;
  share_rate: number;
  invested_units: number;
  realized_units: number;
  mark_units: number;
  held_units: number;
  followed_ms: number;
  updated_ms: number;
}

interface Filled {
  lots: number;
  tickLots: bigint;
  isBuy: boolean;
}

const ENDS: ReadonlySet<string> = new Set(["closed", "kept", "stopLoss", "takeProfit", "leaderClosed"]);

export class CopyFold {
  readonly leaders = new Map<number, LeaderRow>();
  /** Of leaders without other changes. */
  readonly followers = new Map<number, number>();
  readonly follows = new Map<number, { readonly row: FollowRow; readonly isStarted: boolean }>();
  readonly settings = new Map<number, object>();
  readonly scopes = new Map<number, object>();
  readonly held = new Map<number, object>();
  readonly copies: CopyRow[] = [];
  readonly shares: ShareRow[] = [];
  #sequence = 0;
  #line = 0;
  /** Fills of followers' orders of this command, by order. */
  readonly #filled = new Map<number, Filled>();

  apply(event: MachineEvent): void {
    if (event.sequence !== this.#sequence) {
      this.#sequence = event.sequence;
      this.#line = 0;
      this.#filled.clear();
    }
    switch (event.kind) {
      case "leaderChanged":
        this.#changeLeader(event);
        break;
      case "followChanged":
        this.#changeFollow(event);
        break;
      case "followSettings":
        this.#setFollow(event);
        break;
      case "followScope": {
        const { account, maxSymbolUnits, maxTotalUnits, markets } = event;
        const scope = {
          max_symbol_units: maxSymbolUnits,
          max_total_units: maxTotalUnits,
          markets: readMarkets(markets),
        };
        this.scopes.set(account, { account, ...scope });
        break;
      }
      case "trade":
        this.#fill(event);
        break;
      case "copyPlaced":
        this.#place(event);
        break;
      case "copySkipped":
        this.#skip(event);
        break;
      case "shareHeld":
        this.#hold(event, event.heldUnits);
        break;
      case "shareSettled":
        this.#settle(event);
        break;
      default:
        break;
    }
  }

  #changeLeader(event: EventOf<"leaderChanged">): void {
    this.followers.delete(event.account);
    this.leaders.set(event.account, {
      account: event.account,
      state: event.state,
      asset: event.asset,
      share_rate: event.shareRate,
      next_share_rate: event.nextShareRate,
      next_share_ms: event.nextShareFrom,
      followers_max: event.followersMax,
      followers: event.followers,
      since_ms: this.leaders.get(event.account)?.since_ms ?? event.time,
      updated_ms: event.time,
    });
  }

  #changeFollow(event: EventOf<"followChanged">): void {
    const { account, leader, change, followers, time } = event;
    const known = this.leaders.get(leader);
    if (known === undefined) this.followers.set(leader, followers);
    else known.followers = followers;
    const before = this.follows.get(account);
    const begins = change === "followed";
    this.held.delete(account);
    this.follows.set(account, {
      isStarted: begins || before?.isStarted === true,
      row: {
        account,
        leader,
        is_active: !ENDS.has(change),
        ended_by: ENDS.has(change) ? change : null,
        share_rate: event.shareRate,
        invested_units: event.investedUnits,
        realized_units: event.realizedUnits,
        mark_units: event.markUnits,
        held_units: event.heldUnits,
        followed_ms: begins ? time : (before?.row.followed_ms ?? time),
        updated_ms: time,
      },
    });
  }

  #setFollow(event: EventOf<"followSettings">): void {
    this.settings.set(event.account, {
      account: event.account,
      mode: event.mode,
      margin_mode: event.marginMode,
      mirror_margin: event.mirrorMargin,
      multiplier: event.multiplier,
      leverage: event.leverage,
      leverage_max: event.leverageMax,
      slippage_bps: event.slippageBps,
      stop_loss_bps: event.stopLossBps,
      take_profit_bps: event.takeProfitBps,
      fixed_units: event.fixedUnits,
      daily_loss_units: event.dailyLossUnits,
      max_order_units: event.maxOrderUnits,
    });
  }

  #fill({ takerOrderId, takerSide, lots, price }: EventOf<"trade">): void {
    const filled = this.#filled.get(takerOrderId) ?? { lots: 0, tickLots: 0n, isBuy: takerSide === "buy" };
    filled.lots += lots;
    filled.tickLots += BigInt(lots) * BigInt(price);
    this.#filled.set(takerOrderId, filled);
  }

  #place(event: EventOf<"copyPlaced">): void {
    const filled = this.#filled.get(event.orderId);
    this.copies.push({
      ...this.#answer(event),
      order_id: event.orderId,
      filled_lots: event.filledLots,
      leader_ticks: event.leaderTicks,
      limit_ticks: event.limitTicks === 0 ? null : event.limitTicks,
      tick_lots: filled?.tickLots ?? 0n,
      slippage: slippageOf(filled, event.leaderTicks),
      reason: null,
      code: null,
      bound: null,
    });
  }

  #skip(event: EventOf<"copySkipped">): void {
    const nothing = {
      order_id: null,
      filled_lots: 0,
      leader_ticks: null,
      limit_ticks: null,
      tick_lots: 0n,
      slippage: null,
    };
    this.copies.push({
      ...this.#answer(event),
      ...nothing,
      reason: event.reason,
      code: event.reason === "REFUSED" ? event.code : null,
      bound: event.limit === 0 ? null : event.limit,
    });
  }

  #answer(event: EventOf<"copyPlaced"> | EventOf<"copySkipped">) {
    const { sequence, account, leader, what, market, place, lots, time } = event;
    const line = this.#line;
    this.#line += 1;
    return { sequence, line, account, leader, what, market, place, lots, time_ms: time };
  }

  #settle(event: EventOf<"shareSettled">): void {
    const line = this.#line;
    this.#line += 1;
    this.shares.push({
      sequence: event.sequence,
      line,
      account: event.account,
      leader: event.leader,
      cause: event.cause,
      share_rate: event.shareRate,
      paid_units: event.paidUnits,
      realized_units: event.realizedUnits,
      mark_units: event.markUnits,
      unrealized_units: event.unrealizedUnits,
      time_ms: event.time,
    });
    // The hold was paid out; its base has risen.
    this.#hold(event, 0);
  }

  #hold(event: EventOf<"shareHeld"> | EventOf<"shareSettled">, heldUnits: number): void {
    this.held.set(event.account, {
      account: event.account,
      share_rate: event.shareRate,
      invested_units: event.investedUnits,
      held_units: heldUnits,
      realized_units: event.realizedUnits,
      mark_units: event.markUnits,
    });
  }
}

/** In 1/100 of a basis point against the leader's price, above zero where the follower fared worse. */
function slippageOf(filled: Filled | undefined, leaderTicks: number): number | null {
  if (filled === undefined || filled.lots === 0 || leaderTicks <= 0) return null;
  const leader = BigInt(filled.lots) * BigInt(leaderTicks);
  const worse = filled.isBuy ? filled.tickLots - leader : leader - filled.tickLots;
  return Number((worse * 1_000_000n) / leader);
}

/** Sixteen numbers of 16 bits, little-endian, as hex text. */
function readMarkets(hex: string): string {
  const found: number[] = [];
  for (let at = 0; at + 4 <= hex.length; at += 4) {
    const market = Number.parseInt(hex.slice(at + 2, at + 4) + hex.slice(at, at + 2), 16);
    if (market !== 0) found.push(market);
  }
  return found.join(",");
}
