// Owns the tables of copy trading: leaders, follows and their settings, every copy, share and skip, and the inputs of
// leaders' statistics. Simulated leaders are stored like others, since users follow them.
import { readEvent } from "@clockwork/core/protocol/codec";
import { EVENT_HEADER, EVENTS, type MachineEvent } from "@clockwork/core/protocol/event";
import type { LedgerFacts, Projector, ProjectorRun, ReadRows, WriteSession } from "@clockwork/host/projector";
import { MINUTE_MS } from "@clockwork/kit/time";
import type { PositionRow } from "@clockwork/trading/projectors/futures/futures-rows";
import { COPY_KINDS, CopyFold } from "./copy-fold.ts";
import {
  COPIES,
  FOLLOW_CHANGED,
  FOLLOW_HELD,
  FOLLOW_SCOPE,
  FOLLOW_SETTINGS,
  FOLLOWED,
  LEAD_BOOKS,
  LEAD_COINS,
  LEAD_DAYS,
  LEAD_MARKS,
  LEAD_POSITIONS,
  LEAD_SALES,
  LEADERS,
  type LeadBookRow,
  type LeadCoinRow,
  type LeadMarkRow,
  SHARES,
} from "./copy-rows.ts";
import { LEAD_KINDS, LeadFold, LeadState } from "./lead-fold.ts";

const { account: accountField } = EVENT_HEADER;
const TRADE = EVENTS.trade.kind;
const CREATED = EVENTS.accountCreated.kind;
const LEADER = EVENTS.leaderChanged.kind;
const FOLLOW = EVENTS.followChanged.kind;
const REFERENCE_PRICE = EVENTS.referencePrice.kind;
const trade = EVENTS.trade.layout;
const created = EVENTS.accountCreated.layout;
const reference = EVENTS.referencePrice.layout;
/** Without an account, or needed for every account. */
const ALWAYS: ReadonlySet<number> = new Set([
  ...COPY_KINDS,
  EVENTS.marketListed.kind,
  EVENTS.marketStatus.kind,
  EVENTS.assetValued.kind,
]);

export const copyProjector: Projector = {
  name: "copy",
  tables: [
    "engine_leaders",
    "engine_follows",
    "engine_copies",
    "engine_shares",
    "engine_lead_books",
    "engine_lead_coins",
    "engine_lead_positions",
    "engine_lead_sales",
    "engine_lead_days",
    "engine_lead_marks",
  ],
  kinds: [...COPY_KINDS, ...LEAD_KINDS],
  open(facts) {
    const memory = new Memory();
    return { begin: () => new CopyRun(facts, memory) };
  },
};

/** State between runs. Before the tables are read nothing is skipped. */
class Memory {
  isLoaded = false;
  readonly state = new LeadState();
  /** Accounts whose postings and positions count, and those whose fills are copies. */
  readonly leads = new Set<number>();
  readonly followers = new Set<number>();
  /** The minute each market was last marked in, level with the events processed and not only with those written. */
  readonly minutes = new Map<number, number>();

  async load(read: ReadRows): Promise<void> {
    const { state } = this;
    for (const row of await read<LeadBookRow>("select * from engine_lead_books")) state.books.set(row.account, row);
    for (const row of await read<LeadCoinRow>("select * from engine_lead_coins")) {
      const coins = state.coins.get(row.account) ?? new Map<number, LeadCoinRow>();
      state.coins.set(row.account, coins.set(row.asset, row));
    }
    const open = "select * from engine_lead_positions where closed_sequence is null";
    for (const row of await read<PositionRow>(open)) state.positions.set(row.position_id, row);
    for (const row of await read<LeadMarkRow>("select * from engine_lead_marks")) state.marks.set(row.market, row);
    const markets = await read<{ market: number; step_units: bigint }>("select market, step_units from engine_markets");
    for (const { market, step_units } of markets) state.steps.set(market, BigInt(step_units));
    for (const account of state.books.keys()) this.leads.add(account);
    const follows = await read<{ account: number }>("select account from engine_follows");
    for (const { account } of follows) this.followers.add(account);
    this.isLoaded = true;
  }
}

class CopyRun implements ProjectorRun {
  readonly #facts: LedgerFacts;
  readonly #memory: Memory;
  readonly #events: MachineEvent[] = [];

  constructor(facts: LedgerFacts, memory: Memory) {
    this.#facts = facts;
    this.#memory = memory;
  }

  add(kind: number, view: DataView, at: number, timeMs: number): void {
    const { leads, followers } = this.#memory;
    if (kind === FOLLOW) followers.add(accountField.read(view, at));
    else if (kind === LEADER) leads.add(accountField.read(view, at));
    else if (kind === CREATED) {
      if (created.book.read(view, at) !== "copyFLead") return;
      leads.add(accountField.read(view, at));
    } else if (!ALWAYS.has(kind) && !this.#concerns(kind, view, at, timeMs)) return;
    this.#events.push(readEvent(view, at, timeMs));
  }

  /** Most trades and postings are irrelevant here and are not decoded. */
  #concerns(kind: number, view: DataView, at: number, timeMs: number): boolean {
    const { leads, followers, isLoaded } = this.#memory;
    if (kind === REFERENCE_PRICE)
      return reference.markTicks.read(view, at) !== 0 && this.#isNewMinute(reference.market.read(view, at), timeMs);
    if (kind === TRADE) {
      const market = trade.market.read(view, at);
      const isSpot = this.#facts.markets.get(market)?.kind === "spot";
      if (followers.has(accountField.read(view, at)) || !isLoaded) return true;
      return isSpot && this.#isNewMinute(market, timeMs);
    }
    return !isLoaded || leads.has(accountField.read(view, at));
  }

  #isNewMinute(market: number, timeMs: number): boolean {
    const minute = timeMs - (timeMs % MINUTE_MS);
    if (this.#memory.minutes.get(market) === minute) return false;
    this.#memory.minutes.set(market, minute);
    return true;
  }

  async write(session: WriteSession): Promise<void> {
    if (this.#events.length === 0) return;
    if (!this.#memory.isLoaded) await this.#memory.load(session.read);
    const { state, followers } = this.#memory;
    const first = await readFirst(session.read, state, this.#events);
    const leads = new LeadFold(this.#facts, state);
    const copies = new CopyFold();
    for (const event of this.#events) {
      copies.apply(event);
      if (event.kind === "leaderChanged") beginLead(leads, first, event, state);
      const isPriced = event.kind !== "trade" || this.#facts.markets.get(event.market)?.kind === "spot";
      if (isPriced && (event.kind !== "posting" || state.books.has(event.account))) leads.apply(event);
      if (event.kind === "followChanged") followers.add(event.account);
    }
    leads.finish();
    await writeLeads(session, leads, state);
    await writeCopies(session, copies);
  }
}

type FirstBalances = ReadonlyMap<number, ReadonlyMap<number, bigint>>;

function beginLead(
  leads: LeadFold,
  first: FirstBalances,
  { account, asset, time }: Extract<MachineEvent, { readonly kind: "leaderChanged" }>,
  state: LeadState,
): void {
  if (state.books.has(account)) leads.setAsset(account, asset);
  else leads.openSpot(account, asset, first.get(account) ?? new Map(), time);
}

/**
 * The balances of a new spot leader at that moment: those in the tables at the end of the run, less what came after.
 */
async function readFirst(read: ReadRows, state: LeadState, events: readonly MachineEvent[]): Promise<FirstBalances> {
  const found = new Map<number, Map<number, bigint>>();
  const settled = new Map<number, Set<number>>();
  for (const event of events) {
    if (event.kind === "leaderChanged" && !state.books.has(event.account) && !found.has(event.account)) {
      const opened = events.some((one) => one.kind === "accountCreated" && one.account === event.account);
      if (!opened) found.set(event.account, await readBalances(read, event.account));
      settled.set(event.account, new Set());
    }
    if (event.kind !== "posting") continue;
    const seen = settled.get(event.account);
    if (seen === undefined || seen.has(event.asset)) continue;
    seen.add(event.asset);
    const before = BigInt(event.availableUnits) + BigInt(event.frozenUnits) - BigInt(event.deltaUnits);
    found.get(event.account)?.set(event.asset, before);
  }
  return found;
}

async function readBalances(read: ReadRows, account: number): Promise<Map<number, bigint>> {
  const rows = await read<{ asset: number; available_units: bigint; frozen_units: bigint }>(
    "select asset, available_units, frozen_units from engine_balances where account = ?",
    [account],
  );
  return new Map(rows.map((row) => [row.asset, BigInt(row.available_units) + BigInt(row.frozen_units)]));
}

async function writeLeads(session: WriteSession, leads: LeadFold, state: LeadState): Promise<void> {
  await session.writeRows(LEAD_BOOKS, [...leads.changedBooks]);
  await session.writeRows(LEAD_COINS, [...leads.changedCoins]);
  await session.writeRows(LEAD_POSITIONS, [...leads.positions]);
  for (const row of leads.positions) if (row.closed_sequence !== null) state.positions.delete(row.position_id);
  await session.writeRows(LEAD_SALES, leads.sales);
  await session.writeRows(LEAD_DAYS, leads.days);
  await session.writeRows(LEAD_MARKS, [...leads.changedMarks]);
}

async function writeCopies(session: WriteSession, copies: CopyFold): Promise<void> {
  await session.writeRows(LEADERS, [...copies.leaders.values()]);
  for (const [account, followers] of copies.followers) {
    await session.run("update engine_leaders set followers = ? where account = ?", [followers, account]);
  }
  const follows = [...copies.follows.values()];
  const rowsOf = (isStarted: boolean) => follows.filter((one) => one.isStarted === isStarted).map(({ row }) => row);
  await session.writeRows(FOLLOWED, rowsOf(true));
  await session.writeRows(FOLLOW_CHANGED, rowsOf(false));
  await session.writeRows(FOLLOW_SETTINGS, [...copies.settings.values()]);
  await session.writeRows(FOLLOW_SCOPE, [...copies.scopes.values()]);
  await session.writeRows(FOLLOW_HELD, [...copies.held.values()]);
  await session.writeRows(COPIES, copies.copies);
  await session.writeRows(SHARES, copies.shares);
}
