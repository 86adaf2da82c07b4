// `clockwork leader-report`: a leader's figures from the journal alone, with the past of simulated leaders. Reads no
// table: the output is what any holder of the journal computes.
import { decodeEvents } from "@clockwork/core/protocol/codec";
import { EVENT_BYTES, EVENTS } from "@clockwork/core/protocol/event";
import { isSimulatedUser } from "@clockwork/core/protocol/names";
import type { LedgerFacts } from "@clockwork/host/projector";
import {
  carryIndex,
  copyQuality,
  INDEX_ONE,
  type LeaderRecord,
  STATISTIC_WINDOWS,
  windowStatistics,
} from "@clockwork/kit/copy-statistics";
import { decimalText } from "@clockwork/kit/decimal";
import { coinWorthFloor, linearProfit } from "@clockwork/kit/instrument";
import { formatUnits, units } from "@clockwork/kit/money";
import { formatDateTime } from "@clockwork/kit/time";
import { MemoryTables } from "@clockwork/strategies/copy/memory-tables";
import { FIRST_LEADER_USER, pastAccountOf, readPrehistory } from "@clockwork/strategies/copy/prehistory";
import { SLIPPAGES_MAX } from "@clockwork/strategies/copy/record-store";
import { bpsText, partsText } from "@clockwork/strategies/copy/rules";
import { pastRows } from "@clockwork/strategies/copy/simulated";
import { copyProjector } from "@clockwork/strategies/projectors/copy/copy-projector";
import {
  COPIES,
  type CopyRow,
  FOLLOW_CHANGED,
  FOLLOW_HELD,
  FOLLOWED,
  LEAD_BOOKS,
  LEAD_DAYS,
  LEAD_MARKS,
  LEAD_POSITIONS,
  LEAD_SALES,
  type LeadBookRow,
  type LeadDayRow,
  type LeadMarkRow,
  type LeadSaleRow,
} from "@clockwork/strategies/projectors/copy/copy-rows";
import type { PositionRow } from "@clockwork/trading/projectors/futures/futures-rows";
import { emptyFacts } from "@clockwork/trading/projectors/ledger/facts";
import { localFiles } from "../engine/journal/files.ts";
import { journalFolderOf, snapshotFolderOf } from "../engine/places.ts";
import { type MachineFactory, recoverInSteps } from "../engine/recovery/recovery.ts";

export interface LeaderReportOptions {
  readonly folder: string;
  readonly account: number;
  readonly factory: MachineFactory;
  readonly print: (line: string) => void;
}

/** Folded in batches to bound memory. */
const FOLDED_AT_ONCE = 20_000;
const COIN_SCALE = 6;
/** The index has twelve decimal places, six of them are shown. */
const INDEX_SCALE = 6;
const INDEX_STEP = 10n ** 6n;
const money = (value: bigint): string => formatUnits(units(value), COIN_SCALE);

interface Replayed {
  readonly facts: LedgerFacts;
  readonly tables: MemoryTables;
  readonly user: number;
  readonly nowMs: number;
  readonly sequence: number;
  /** Of assets. */
  readonly symbols: ReadonlyMap<number, string>;
  /** Base units in a lot, by market. */
  readonly steps: ReadonlyMap<number, bigint>;
}

interface FollowState {
  readonly account: number;
  readonly leader: number;
  readonly is_active: boolean;
  readonly realized_units: bigint | number;
}

export async function reportLeader({ folder, account, factory, print }: LeaderReportOptions): Promise<boolean> {
  const replayed = await replay(folder, account, factory);
  const { tables, user, nowMs, sequence } = replayed;
  const book = tables.of<LeadBookRow>(LEAD_BOOKS).findLast((row) => row.account === account);
  if (book === undefined) {
    print(`account ${account} leads nobody`);
    return false;
  }
  const past = isSimulatedUser(user) ? await readPrehistory(folder) : undefined;
  const old = past === undefined ? undefined : pastRows(past, pastAccountOf(past.tables, user - FIRST_LEADER_USER));
  const before = old?.days.at(-1)?.nav ?? INDEX_ONE;
  const chain = (nav: bigint): bigint => (nav * before) / INDEX_ONE;
  const equityUnits = worthOf(replayed, book);
  const days = tables.of<LeadDayRow>(LEAD_DAYS).filter((row) => row.account === account);
  const record: LeaderRecord = {
    days: [
      ...(old?.days ?? []).map(({ day_ms, nav, pnl_units }) => ({ dayMs: day_ms, nav, pnlUnits: pnl_units })),
      ...days.map(({ day_ms, nav, pnl_units }) => ({ dayMs: day_ms, nav: chain(nav), pnlUnits: pnl_units })),
    ],
    nowMs,
    nav: chain(carryIndex(book.nav, book.base_units, equityUnits)),
    todayUnits: equityUnits - book.day_units - book.flow_units,
    trades: [
      ...(old?.trades ?? []).map((one) => ({
        openedMs: one.opened_ms,
        closedMs: one.closed_ms,
        market: one.market,
        pnlUnits: one.pnl_units,
      })),
      ...closedTrades(tables, account),
    ],
  };
  print(`leader ${account} at sequence ${sequence}, ${formatDateTime(nowMs)} UTC`);
  if (past !== undefined) print(`pre-history ${past.hash}`);
  print(`index ${decimalText(record.nav / INDEX_STEP, INDEX_SCALE)}, equity ${money(equityUnits)}`);
  printWindows(record, print);
  printPairs(record, replayed, print);
  printFollowers(replayed, book, print);
  printQuality(tables, account, print);
  return true;
}

/** Every command once more through the fold of the tables, into memory. */
async function replay(folder: string, account: number, factory: MachineFactory): Promise<Replayed> {
  const tables = new MemoryTables();
  const { facts, note } = emptyFacts();
  const opened = copyProjector.open(facts);
  const kinds = new Set(copyProjector.kinds);
  let run = opened.begin();
  let waiting = 0;
  let last = { user: 0, nowMs: 0, sequence: 0 };
  const symbols = new Map<number, string>();
  const steps = new Map<number, bigint>();
  const places = { journalFolder: journalFolderOf(folder), snapshotFolder: snapshotFolderOf(folder) };
  for (const { machine, timeBeforeMs, hasEvents } of recoverInSteps({
    files: localFiles,
    ...places,
    factory,
    withoutSnapshots: true,
    eventsAfter: 0,
  })) {
    if (!hasEvents) continue;
    const { bytes, from, length } = machine.events;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    // A step holds many commands: each event has its own time, not the last one's.
    let timeMs = timeBeforeMs;
    for (let at = from; at < from + length; at += EVENT_BYTES) {
      const kind = bytes[at] as number;
      if (kind === EVENTS.clock.kind) timeMs = EVENTS.clock.layout.time.read(view, at);
      note(kind, view, at);
      if (!kinds.has(kind)) continue;
      run.add(kind, view, at, timeMs);
      waiting += 1;
    }
    for (const event of decodeEvents(bytes, from, from + length, timeBeforeMs)) {
      if (event.kind === "accountCreated" && event.account === account) last = { ...last, user: event.user };
      else if (event.kind === "posting") {
        tables.setBalance(event.account, event.asset, event.availableUnits + event.frozenUnits);
      } else if (event.kind === "assetListed") symbols.set(event.asset, event.symbol);
      else if (event.kind === "marketListed") steps.set(event.market, BigInt(event.stepUnits));
    }
    last = { ...last, nowMs: machine.now, sequence: machine.sequence };
    if (waiting < FOLDED_AT_ONCE) continue;
    await run.write(tables.session);
    run = opened.begin();
    waiting = 0;
  }
  await run.write(tables.session);
  return { tables, facts, symbols, steps, ...last };
}

/** Coins and money of an account in the leader's coin, at the first price of each market's newest minute. */
function heldWorth({ tables, facts, steps }: Replayed, account: number, asset: number): bigint {
  const marks = marksOf(tables);
  let sum = 0n;
  for (const [coin, held] of tables.balancesOf(account)) {
    if (coin === asset) sum += BigInt(held);
    for (const [market, { kind, base, quote, factor }] of facts.markets) {
      const [ticks, step] = [marks.get(market), steps.get(market)];
      if (kind !== "spot" || base !== coin || quote !== asset || ticks === undefined || step === undefined) continue;
      sum += coinWorthFloor(factor, step, BigInt(held), ticks);
      break;
    }
  }
  return sum;
}

const marksOf = (tables: MemoryTables): ReadonlyMap<number, number> =>
  new Map(tables.of<LeadMarkRow>(LEAD_MARKS).map(({ market, ticks }) => [market, ticks]));

/** As days are valued. */
function worthOf(replayed: Replayed, book: LeadBookRow): bigint {
  const { tables, facts } = replayed;
  if (book.kind === "spot") return heldWorth(replayed, book.account, book.asset);
  const marks = marksOf(tables);
  const positions = new Map<number, PositionRow>();
  for (const row of tables.of<PositionRow>(LEAD_POSITIONS)) positions.set(row.position_id, row);
  let sum = book.cash_units;
  for (const { account, market, lots, cost_units, cost_excess } of positions.values()) {
    const ticks = marks.get(market);
    if (account !== book.account || ticks === undefined) continue;
    sum += linearProfit(facts.markets.get(market)?.factor ?? 0, lots, cost_units, ticks, cost_excess);
  }
  return sum;
}

function closedTrades(tables: MemoryTables, account: number): LeaderRecord["trades"] {
  const closed = new Map<number, PositionRow>();
  for (const row of tables.of<PositionRow>(LEAD_POSITIONS)) {
    if (row.account === account && row.closed_sequence !== null) closed.set(row.position_id, row);
  }
  const positions = [...closed.values()].map((row) => ({
    openedMs: row.opened_ms,
    closedMs: row.updated_ms,
    market: row.market,
    pnlUnits: row.realized_units + row.fee_units + row.funding_units,
  }));
  const sales = tables
    .of<LeadSaleRow>(LEAD_SALES)
    .filter((row) => row.account === account)
    .map((row) => ({
      openedMs: row.opened_ms,
      closedMs: row.time_ms,
      market: row.market,
      pnlUnits: row.proceeds_units - row.cost_units,
    }));
  return [...positions, ...sales];
}

function printWindows(record: LeaderRecord, print: (line: string) => void): void {
  print("days  roi         pnl              drawdown  trades  win rate  factor  sharpe  held, ms");
  for (const days of STATISTIC_WINDOWS) {
    const one = windowStatistics(record, days);
    print(
      [
        String(days).padEnd(5),
        partsText(one.roi).padEnd(11),
        money(one.pnlUnits).padEnd(16),
        partsText(one.drawdown).padEnd(9),
        String(one.trades).padEnd(7),
        partsText(one.winRate).padEnd(9),
        (one.profitFactor === undefined ? "–" : decimalText(one.profitFactor, 2)).padEnd(7),
        (one.sharpe === undefined ? "–" : decimalText(BigInt(one.sharpe), 2)).padEnd(7),
        String(one.holdingMs),
      ].join(" "),
    );
  }
}

function printPairs({ trades }: LeaderRecord, { facts, symbols }: Replayed, print: (line: string) => void): void {
  const nameOf = (market: number): string => {
    const { base, quote } = facts.markets.get(market) ?? { base: 0, quote: 0 };
    return `${symbols.get(base)}_${symbols.get(quote)}`;
  };
  const counts = new Map<number, number>();
  for (const { market } of trades) counts.set(market, (counts.get(market) ?? 0) + 1);
  const answer = [...counts].sort((left, right) => right[1] - left[1]);
  print(`pairs ${answer.map(([market, count]) => `${nameOf(market)} ${count}`).join(", ") || "–"}`);
}

/**
 * The balances of the current followers' sub-books, coins at market, and what all past and present followers have
 * realised.
 */
function printFollowers(replayed: Replayed, book: LeadBookRow, print: (line: string) => void): void {
  const { tables } = replayed;
  const all = tables.latest<FollowState>([FOLLOWED, FOLLOW_CHANGED, FOLLOW_HELD], "account");
  const follows = all.filter(({ leader }) => leader === book.account);
  const active = follows.filter((row) => row.is_active);
  const managed = active.reduce((sum, { account }) => sum + heldWorth(replayed, account, book.asset), 0n);
  const realized = follows.reduce((sum, row) => sum + BigInt(row.realized_units), 0n);
  print(`followers ${active.length}, under management ${money(managed)}, followers' profit ${money(realized)}`);
}

/** The newest copies alone decide about slippage, as on the leader's page. */
function printQuality(tables: MemoryTables, account: number, print: (line: string) => void): void {
  const copies = tables.of<CopyRow>(COPIES).filter((row) => row.leader === account);
  const sent = copies.filter(({ reason }) => reason === null);
  const slippages = sent.flatMap(({ slippage }) => slippage ?? []).slice(-SLIPPAGES_MAX);
  const quality = copyQuality(slippages, sent.length, copies.length - sent.length);
  const { medianSlippage, highSlippage, skipRate, histogram } = quality;
  const say = (value: number | undefined): string => (value === undefined ? "–" : `${bpsText(value)} bps`);
  print(`copies ${sent.length}, skipped ${copies.length - sent.length} (${partsText(skipRate)})`);
  print(`slippage median ${say(medianSlippage)}, 95th percentile ${say(highSlippage)}`);
  print(`slippage by basis point ${histogram.join(" ")}`);
}
