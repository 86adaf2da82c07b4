// Owns the facts of the ledger's events every projector needs: markets, simulated traders, rates. Must be level with
// the events before any is folded.
import { readEvent } from "@clockwork/core/protocol/codec";
import { eventKinds, type MachineEvent } from "@clockwork/core/protocol/event";
import { isSimulatedUser, SIMULATED_USER_MAX, SIMULATED_USER_MIN } from "@clockwork/core/protocol/names";
import type {
  FactsSource,
  FeeRates,
  LedgerFacts,
  MarketFacts,
  OpenFacts,
  ReadRows,
  UserFeeRates,
} from "@clockwork/host/projector";
import type { AccountOwner } from "@clockwork/kit/books";
import type { FeeRow, MarketRow, UserFeeRow } from "../rows/rows.ts";

export const LEDGER_FACTS: FactsSource = {
  kinds: eventKinds("accountCreated", "marketListed", "contractListed", "feesChanged", "userFeesChanged"),
  load,
  async readOwner(read, account) {
    const rows = await read<AccountOwner>(
      `select user_id as "userId", book, sub from engine_accounts where account = ?`,
      [account],
    );
    return rows[0];
  },
};

async function load(read: ReadRows): Promise<OpenFacts> {
  const [markets, simulated, last, fees, userFees] = [
    await read<MarketRow>("select * from engine_markets"),
    await read<{ account: number }>("select account from engine_accounts where user_id >= ? and user_id <= ?", [
      SIMULATED_USER_MIN,
      SIMULATED_USER_MAX,
    ]),
    await read<{ account: number | null }>("select max(account) as account from engine_accounts"),
    await read<FeeRow>("select * from engine_fees where account = 0"),
    await read<UserFeeRow>("select * from engine_user_fees"),
  ];
  const known = new KnownFacts();
  for (const row of markets) known.markets.set(row.market, factsOf(row));
  for (const { account } of simulated) known.simulated.add(account);
  known.lastAccount = Number(last[0]?.account ?? 0);
  for (const row of fees) known.groupFees.set(row.fee_group, { maker: row.maker_rate, taker: row.taker_rate });
  for (const row of userFees) {
    known.userFees.set(row.user_id, {
      spot: { maker: row.spot_maker_rate, taker: row.spot_taker_rate },
      perpetual: { maker: row.perp_maker_rate, taker: row.perp_taker_rate },
    });
  }
  return { facts: known, note: (_, view, at) => known.note(readEvent(view, at, 0)) };
}

/** No facts, for tests of folds without tables. */
export function emptyFacts(): OpenFacts {
  const known = new KnownFacts();
  return { facts: known, note: (_, view, at) => known.note(readEvent(view, at, 0)) };
}

function factsOf(row: MarketRow): MarketFacts {
  return {
    kind: row.kind as MarketFacts["kind"],
    base: row.base_asset,
    quote: row.quote_asset,
    settle: row.settle_asset ?? row.quote_asset,
    factor: Number(row.factor ?? row.tick_lot_units),
  };
}

class KnownFacts implements LedgerFacts {
  readonly markets = new Map<number, MarketFacts>();
  readonly simulated = new Set<number>();
  readonly groupFees = new Map<number, FeeRates>();
  readonly userFees = new Map<number, UserFeeRates>();
  lastAccount = 0;

  note(event: MachineEvent): void {
    switch (event.kind) {
      case "accountCreated":
        this.lastAccount = Math.max(this.lastAccount, event.account);
        if (isSimulatedUser(event.user)) this.simulated.add(event.account);
        break;
      case "marketListed": {
        const { marketKind, base, quote, tickLotUnits } = event;
        this.markets.set(event.market, { kind: marketKind, base, quote, settle: quote, factor: tickLotUnits });
        break;
      }
      case "contractListed": {
        const market = this.markets.get(event.market);
        if (market === undefined) break;
        const { contractKind, settle, factor } = event;
        this.markets.set(event.market, { ...market, kind: contractKind, settle, factor });
        break;
      }
      case "feesChanged":
        if (event.account === 0) {
          this.groupFees.set(event.feeGroup, { maker: event.makerRate, taker: event.takerRate });
        }
        break;
      case "userFeesChanged":
        this.userFees.set(event.user, {
          spot: { maker: event.spotMakerRate, taker: event.spotTakerRate },
          perpetual: { maker: event.perpMakerRate, taker: event.perpTakerRate },
        });
        break;
      default:
        break;
    }
  }
}
