// Public data of a contract beyond its prices: the sources of its index, and the number of accounts on each side. Each
// is read at most once per interval, however many readers there are.
import type { IndexSources, MarkState } from "@clockwork/core/inspect/contracts";
import { IMPACT_COINS } from "@clockwork/core/perp/price/funding";
import { answer, type RouteSpec, serve } from "@clockwork/host/route";
import { priceText, quantityText } from "@clockwork/kit/instrument";
import { formatUnits, units } from "@clockwork/kit/money";
import { type Kysely, sql } from "kysely";
import type { PartContext } from "../context.ts";
import { CONTRACT_CALLS, type ContractBiz, type IndexSource, type IndexView } from "../markets/contract.ts";
import type { ContractState } from "../markets/contract-projector.ts";
import type { MarketPair } from "../markets/pair.ts";
import { type ContractPlace, INVERSE, LINEAR } from "../markets/places.ts";
import { UNKNOWN_CONTRACT } from "../markets/routes.ts";
import { premiumRoutes, type SampledBiz } from "../premiums/routes.ts";
import type { SampledContract } from "../premiums/rules.ts";
import { premiumStore } from "../premiums/store.ts";
import { riskStateRoute } from "./risk-state.ts";
import { judgeSources } from "./source-rules.ts";

/** Rates and premiums count in 1e-8. */
const RATE_SCALE = 8;
const BPS_SCALE = 4;
/** Sources agree within hundredths of a percent. */
const OFF_SCALE = 6;
const SOURCES_FRESH_MS = 1_000;
const SIDES_FRESH_MS = 10_000;
const FRACTION_SCALE = 4;

const contract = { tag: "contracts" } as const;

interface Sides {
  readonly market: number;
  readonly isLong: boolean;
  readonly accounts: number;
  readonly lots: bigint;
}

/** One reading for all callers within its time. */
function kept<Value>(freshMs: number, now: () => number, read: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  let readMs = 0;
  return () => {
    if (value === undefined || now() - readMs >= freshMs) {
      readMs = now();
      const reading = read();
      value = reading;
      reading.catch(() => {
        if (value === reading) value = undefined;
      });
    }
    return value;
  };
}

const fraction = (value: number): string =>
  formatUnits(units(Math.round(value * 10 ** FRACTION_SCALE)), FRACTION_SCALE);

type Query = { readonly biz?: "futures" | "delivery" | "demo"; readonly pairCode: string };

const PLACES = [LINEAR, INVERSE] as const;

export function marketFigureRoutes(context: PartContext): readonly RouteSpec[] {
  const { engine, database, clock } = context;
  const now = () => clock.now();
  const readSources = kept(SOURCES_FRESH_MS, now, () => engine.readIndexSources());
  const readSides = kept(SIDES_FRESH_MS, now, () => countSides(database.kysely));
  return PLACES.flatMap((place) => [
    sourcesRoute(context, place, readSources),
    sidesRoute(context, place, readSides),
    riskStateRoute(context, { at: place.at, find: finder(context, place.biz), readSources }),
  ]).concat(premiumRoutes((biz, pairCode) => sampledOf(context, biz, pairCode), premiumStore(database.kysely)));
}

function sampledOf(context: PartContext, biz: SampledBiz, pairCode: string): SampledContract | undefined {
  const pair = finder(context, "futures")({ biz, pairCode });
  if (pair?.contract === undefined) return undefined;
  const { fundingHours, interestRate, tiers } = pair.contract;
  return { pairCode, market: pair.market, fundingHours, interestRate, firstRate: tiers[0]?.rate ?? 0n };
}

/** A demo contract has no prices and accounts of its own: the real contract's are published. */
function finder({ market }: PartContext, biz: ContractBiz) {
  return (query: Query) =>
    market.pairs
      .listContracts(query.biz === "demo" ? "futures" : (query.biz ?? biz))
      .find(({ pairCode }) => pairCode === query.pairCode);
}

async function countSides(kysely: Kysely<unknown>): Promise<readonly Sides[]> {
  const found = await sql<{ market: number; is_long: boolean; accounts: string; lots: string }>`
    SELECT market, lots > 0 AS is_long, COUNT(DISTINCT account) AS accounts, SUM(ABS(lots)) AS lots
    FROM engine_positions WHERE closed_sequence IS NULL AND lots <> 0 GROUP BY market, lots > 0`.execute(kysely);
  return found.rows.map((row) => ({
    market: Number(row.market),
    isLong: Boolean(row.is_long),
    accounts: Number(row.accounts),
    lots: BigInt(row.lots),
  }));
}

function sourcesRoute(
  context: PartContext,
  place: ContractPlace<ContractBiz>,
  readSources: () => Promise<IndexSources | undefined>,
): RouteSpec {
  const find = finder(context, place.biz);
  return serve(place.at(CONTRACT_CALLS.indexSources), {
    ...contract,
    summary: "What the index of a contract is made of: each source's price, weight and age",
    handle: async ({ query }, { timeMs }) => {
      const pair = find(query);
      if (pair === undefined) return UNKNOWN_CONTRACT;
      const state = context.market.data.projector.states.get(pair.market)?.contract;
      const read = await readSources();
      const quotes = (read?.quotes ?? []).filter((quote) => quote.market === pair.market);
      const sources = judgeSources(quotes, read?.timeMs ?? timeMs).map(
        ({ source, ticks, offMedian, weight, ageMs, state: is }): IndexSource => ({
          name: `Source ${source + 1}`,
          price: priceText(pair, ticks),
          offMedian: formatUnits(units(Math.round(offMedian * 10 ** OFF_SCALE)), OFF_SCALE),
          weight: fraction(weight),
          ageMs,
          state: is,
        }),
      );
      return answer({
        pairCode: pair.pairCode,
        index: state === undefined || state.indexTicks === 0 ? null : priceText(pair, state.indexTicks),
        isDegraded: state?.isDegraded ?? false,
        sources,
        mark: describeMark(
          pair,
          read?.marks.find(({ market }) => market === pair.market),
        ),
        premium: state === undefined || pair.contract === undefined ? null : describePremium(pair, state),
      });
    },
  });
}

const priceOrNull = (pair: MarketPair, ticks: number): string | null => (ticks === 0 ? null : priceText(pair, ticks));

function describeMark(pair: MarketPair, mark: MarkState | undefined): IndexView["mark"] {
  if (mark === undefined) return null;
  return {
    byFunding: priceText(pair, mark.byFunding),
    byBook: priceOrNull(pair, mark.byBook),
    last: priceOrNull(pair, mark.last),
    clamp: formatUnits(units(mark.clampBps), BPS_SCALE),
  };
}

function describePremium(pair: MarketPair, state: ContractState): IndexView["premium"] {
  return {
    notional: String(IMPACT_COINS * (pair.contract?.tiers[0]?.leverageMax ?? 0)),
    impactBid: priceOrNull(pair, state.impactBidTicks),
    impactAsk: priceOrNull(pair, state.impactAskTicks),
    premium: formatUnits(units(state.premium), RATE_SCALE),
  };
}

function sidesRoute(
  context: PartContext,
  place: ContractPlace<ContractBiz>,
  readSides: () => Promise<readonly Sides[]>,
): RouteSpec {
  const find = finder(context, place.biz);
  return serve(place.at(CONTRACT_CALLS.longShort), {
    ...contract,
    summary: "How many accounts hold longs and shorts of a contract, and how much",
    handle: async ({ query }) => {
      const pair = find(query);
      if (pair === undefined) return UNKNOWN_CONTRACT;
      const sides = (await readSides()).filter((side) => side.market === pair.market);
      const [long, short] = [sides.find(({ isLong }) => isLong), sides.find(({ isLong }) => !isLong)];
      const [longAccounts, shortAccounts] = [long?.accounts ?? 0, short?.accounts ?? 0];
      return answer({
        pairCode: pair.pairCode,
        longAccounts,
        shortAccounts,
        ratio: shortAccounts === 0 ? null : fraction(longAccounts / shortAccounts),
        longQuantity: quantityText(pair, long?.lots ?? 0n),
        shortQuantity: quantityText(pair, short?.lots ?? 0n),
      });
    },
  });
}
