// Owns the ledger's tables: accounts, assets, markets, rates, bills and balances.
import { readEvent } from "@clockwork/core/protocol/codec";
import { EVENT_HEADER, EVENTS, eventKinds, type MachineEvent } from "@clockwork/core/protocol/event";
import type { LedgerFacts, Projector, ProjectorRun, WriteSession } from "@clockwork/host/projector";
import { RowShape } from "@clockwork/host/row-shape";
import type { AccountRow, AssetRow, FeeRow, MarketRow, UserFeeRow } from "../rows/rows.ts";
import { BALANCE_KINDS, balanceAccount, publishedAsset } from "./balance.ts";
import { Bills } from "./bills.ts";

const MINUTE_MS = 60_000;
const { sequence: sequenceField } = EVENT_HEADER;
const POSTING = EVENTS.posting.kind;
const REFERENCE = EVENTS.reference.kind;
const SETTLED = EVENTS.fundingSettled.kind;
const IS_BALANCE = Uint8Array.from({ length: 256 }, (_, kind) => (BALANCE_KINDS.includes(kind) ? 1 : 0));

export const ledgerProjector: Projector = {
  name: "ledger",
  tables: [
    "engine_accounts",
    "engine_assets",
    "engine_markets",
    "engine_fees",
    "engine_user_fees",
    "engine_bills",
    "engine_balances",
    "engine_bill_days",
    "engine_bill_blocks",
    "engine_minutes",
  ],
  kinds: [
    ...BALANCE_KINDS,
    REFERENCE,
    SETTLED,
    ...eventKinds("accountCreated", "accountFlags", "assetListed", "marketListed", "contractListed", "marketStatus"),
    ...eventKinds("feesChanged", "userFeesChanged"),
  ],
  open: (facts) => ({ begin: () => new LedgerRun(facts) }),
};

class LedgerRun implements ProjectorRun {
  readonly #facts: LedgerFacts;
  readonly #bills: Bills;
  /** Most runs list nothing: rare rows are written as they came. */
  readonly #accounts = new Map<number, AccountRow>();
  readonly #flags = new Map<number, number>();
  readonly #assets: AssetRow[] = [];
  readonly #markets = new Map<number, MarketRow>();
  readonly #contracts = new Map<number, Pick<MarketRow, "kind" | "settle_asset" | "factor">>();
  readonly #statuses = new Map<number, string>();
  readonly #fees = new Map<string, FeeRow>();
  readonly #userFees = new Map<number, UserFeeRow>();
  readonly #minutes: number[] = [];
  #minuteEndMs = 0;

  constructor(facts: LedgerFacts) {
    this.#facts = facts;
    this.#bills = new Bills(facts);
  }

  add(kind: number, view: DataView, at: number, timeMs: number): void {
    if (timeMs >= this.#minuteEndMs) {
      const minute = Math.floor(timeMs / MINUTE_MS);
      this.#minutes.push(minute, sequenceField.read(view, at));
      this.#minuteEndMs = (minute + 1) * MINUTE_MS;
    }
    const isSimulated = this.#facts.simulated.has(balanceAccount.read(view, at));
    if (kind === POSTING && !isSimulated) this.#bills.addPosting(view, at, timeMs);
    else if (IS_BALANCE[kind] === 1) {
      const asset = publishedAsset(kind, view, at, this.#facts);
      if (asset !== undefined) this.#bills.setBalance(view, at, asset);
    } else if (kind === SETTLED) this.#bills.settle(view, at);
    else if (kind !== REFERENCE) this.#addListing(readEvent(view, at, timeMs));
    else if (!isSimulated) this.#bills.nameBills(view, at);
  }

  #addListing(event: MachineEvent): void {
    switch (event.kind) {
      case "accountCreated":
        if (this.#accounts.has(event.account)) break;
        this.#accounts.set(event.account, {
          account: event.account,
          user_id: event.user,
          book: event.book,
          sub: event.sub,
          group_id: event.group,
          flags: 0,
          created_ms: event.time,
        });
        break;
      case "accountFlags":
        this.#flags.set(event.account, event.flags);
        break;
      case "assetListed":
        this.#assets.push({ asset: event.asset, symbol: event.symbol, scale: event.scale });
        break;
      case "marketListed":
        this.#markets.set(event.market, {
          market: event.market,
          kind: event.marketKind,
          base_asset: event.base,
          quote_asset: event.quote,
          step_units: BigInt(event.stepUnits),
          tick_lot_units: BigInt(event.tickLotUnits),
          status: event.status,
          settle_asset: null,
          factor: null,
        });
        break;
      case "contractListed": {
        const { contractKind, settle, factor } = event;
        this.#contracts.set(event.market, { kind: contractKind, settle_asset: settle, factor: BigInt(factor) });
        break;
      }
      case "marketStatus":
        this.#statuses.set(event.market, event.status);
        break;
      case "feesChanged": {
        const { account, feeGroup, makerRate, takerRate } = event;
        const row = { account, fee_group: feeGroup, maker_rate: makerRate, taker_rate: takerRate };
        this.#fees.set(`${account}:${feeGroup}`, row);
        break;
      }
      case "userFeesChanged":
        this.#userFees.set(event.user, {
          user_id: event.user,
          spot_maker_rate: event.spotMakerRate,
          spot_taker_rate: event.spotTakerRate,
          perp_maker_rate: event.perpMakerRate,
          perp_taker_rate: event.perpTakerRate,
        });
        break;
      default:
        break;
    }
  }

  async write(session: WriteSession): Promise<void> {
    await session.writeRows(ACCOUNTS, [...this.#accounts.values()]);
    for (const [account, flags] of this.#flags) {
      await session.run("update engine_accounts set flags = ? where account = ?", [flags, account]);
    }
    await session.writeRows(ASSETS, this.#assets);
    await session.writeRows(MARKETS, [...this.#markets.values()]);
    for (const [market, { kind, settle_asset, factor }] of this.#contracts) {
      const text = "update engine_markets set kind = ?, settle_asset = ?, factor = ? where market = ?";
      await session.run(text, [kind, settle_asset, factor, market]);
    }
    for (const [market, status] of this.#statuses) {
      await session.run("update engine_markets set status = ? where market = ?", [status, market]);
    }
    await session.writeRows(FEES, [...this.#fees.values()]);
    await session.writeRows(USER_FEES, [...this.#userFees.values()]);
    await session.write(MINUTES, this.#minutes);
    await this.#bills.write(session);
  }
}

const ACCOUNTS = new RowShape({
  table: "engine_accounts",
  columns: ["account", "user_id", "book", "sub", "group_id", "flags", "created_ms"],
  key: ["account"],
  // Opening an account again changes none of these.
  kept: ["user_id", "book", "sub", "group_id", "flags", "created_ms"],
});
/** The first value of a minute is kept. */
const MINUTES = new RowShape({
  table: "engine_minutes",
  columns: ["minute", "sequence"],
  key: ["minute"],
  kept: ["sequence"],
});
const ASSETS = new RowShape({ table: "engine_assets", columns: ["asset", "symbol", "scale"], key: ["asset"] });
const MARKETS = new RowShape({
  table: "engine_markets",
  columns: [
    "market",
    "kind",
    "base_asset",
    "quote_asset",
    "step_units",
    "tick_lot_units",
    "status",
    "settle_asset",
    "factor",
  ],
  key: ["market"],
});
const FEES = new RowShape({
  table: "engine_fees",
  columns: ["account", "fee_group", "maker_rate", "taker_rate"],
  key: ["account", "fee_group"],
});
const USER_FEES = new RowShape({
  table: "engine_user_fees",
  columns: ["user_id", "spot_maker_rate", "spot_taker_rate", "perp_maker_rate", "perp_taker_rate"],
  key: ["user_id"],
});
