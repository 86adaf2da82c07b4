// Futures accounts and positions in the Binance dialect: what is held, what carries it, and where it would end.

import { priceText } from "@clockwork/kit/instrument";
import type { Market } from "@clockwork/trading/market/offer";
import type { ContractInfo } from "@clockwork/trading/markets/contract";
import type { ContractSettings, FuturesAccount, FuturesPosition } from "@clockwork/trading/positions/contract";
import { type DialectCall, type Endpoint, holderOf } from "../endpoint.ts";
import { difference, fixed, isBelow, sum } from "../numbers.ts";
import { type Contracts, NATIVE, writeQuantity } from "./contracts.ts";
import { maxAt, readAccounts, readFee } from "./modes.ts";
import { readOptional, reads } from "./order-reads.ts";

const negate = (text: string): string => (text.startsWith("-") || /^0(\.0*)?$/.test(text) ? text : `-${text}`);

/** Whether a user's identity is verified sufficiently for contracts. */
export type IsVerified = (userId: number) => Promise<boolean>;

export interface ContractAccountParts {
  readonly isVerified: IsVerified;
  readonly contracts: Contracts;
  readonly market: Pick<Market, "contracts" | "data" | "pairs">;
}

export function contractAccountEndpoints(parts: ContractAccountParts): readonly Endpoint[] {
  const { contracts } = parts;
  const { base, biz } = contracts.kind;
  const versions = biz === "futures" ? ["v1", "v2", "v3"] : ["v1"];
  const balances: Endpoint["handle"] = async (call) => {
    const alias = String(holderOf(call).userId);
    const [accounts, positions] = await Promise.all([readAccounts(call, biz), listPositions(call, contracts)]);
    return accounts.map((one) => {
      const { crossProfit } = marginsOf(one, positionsIn(contracts, positions, one.asset));
      return describeBalance(contracts, one, crossProfit, alias, call.timeMs);
    });
  };
  return versions.flatMap((version): readonly Endpoint[] => [
    { ...reads, path: `${base}/${version}/balance`, weight: biz === "futures" ? 5 : 1, handle: balances },
    {
      ...reads,
      path: `${base}/${version}/account`,
      weight: 5,
      handle: (call) => readAccount(parts, call, version),
    },
    {
      ...reads,
      path: `${base}/${version}/positionRisk`,
      weight: biz === "futures" ? 5 : 1,
      handle: (call) => readRisk(parts, call, version),
    },
  ]);
}

const positionsIn = (contracts: Contracts, positions: readonly FuturesPosition[], asset: string) =>
  positions.filter((one) => contracts.find(one.pairCode)?.settle === asset);

function describeBalance(
  { kind }: Contracts,
  one: FuturesAccount,
  crossProfit: string,
  accountAlias: string,
  timeMs: number,
): object {
  const { asset, balance, available, transferable } = one;
  const crossWalletBalance = difference(balance, one.isolatedMargin);
  return {
    accountAlias,
    asset,
    balance: fixed(balance),
    crossWalletBalance,
    crossUnPnl: fixed(crossProfit),
    availableBalance: fixed(available),
    ...(kind.biz === "futures"
      ? { maxWithdrawAmount: fixed(transferable), marginAvailable: true }
      : { withdrawAvailable: fixed(transferable) }),
    updateTime: timeMs,
  };
}

export async function listPositions(
  { ask }: Pick<DialectCall, "ask">,
  { kind }: Contracts,
  contract?: ContractInfo,
): Promise<FuturesPosition[]> {
  const query = { biz: kind.biz, ...(contract === undefined ? {} : { pairCode: contract.pairCode }) };
  return (await ask("GET", `${NATIVE}/positions`, { query })) as FuturesPosition[];
}

/** The margin of all positions of a coin, and that of the orders in addition. */
function marginsOf(account: FuturesAccount, positions: readonly FuturesPosition[]) {
  const total = (rows: readonly FuturesPosition[], pick: (one: FuturesPosition) => string): string =>
    rows.reduce((so, one) => sum(so, pick(one)), "0");
  const cross = positions.filter(({ mode }) => mode === "cross");
  const isolated = positions.filter(({ mode }) => mode === "isolated");
  const ofCross = total(cross, ({ initialMargin }) => initialMargin);
  const ofOrders = isBelow(account.initialMargin, ofCross) ? "0" : difference(account.initialMargin, ofCross);
  const ofIsolated = total(isolated, ({ initialMargin }) => initialMargin);
  const maintenance = total(positions, ({ maintenanceMargin }) => maintenanceMargin);
  return {
    position: sum(ofCross, ofIsolated),
    orders: ofOrders,
    all: sum(sum(ofCross, ofIsolated), ofOrders),
    maintenance,
    crossProfit: total(cross, ({ unrealizedPnl }) => unrealizedPnl),
  };
}

function describeAsset(account: FuturesAccount, positions: readonly FuturesPosition[], timeMs: number) {
  const margins = marginsOf(account, positions);
  return {
    asset: account.asset,
    walletBalance: fixed(account.balance),
    unrealizedProfit: fixed(account.unrealizedPnl),
    marginBalance: fixed(account.equity),
    maintMargin: fixed(margins.maintenance),
    initialMargin: fixed(margins.all),
    positionInitialMargin: fixed(margins.position),
    openOrderInitialMargin: fixed(margins.orders),
    crossWalletBalance: difference(account.balance, account.isolatedMargin),
    crossUnPnl: fixed(margins.crossProfit),
    availableBalance: fixed(account.available),
    maxWithdrawAmount: fixed(account.transferable),
    marginAvailable: true,
    updateTime: timeMs,
  };
}

async function readAccount(parts: ContractAccountParts, call: DialectCall, version: string): Promise<object> {
  const { contracts } = parts;
  const { kind } = contracts;
  const [accounts, positions, { level }] = await Promise.all([
    readAccounts(call, kind.biz),
    listPositions(call, contracts),
    readFee(call, kind.biz),
  ]);
  const assets = accounts.map((one) => describeAsset(one, positionsIn(contracts, positions, one.asset), call.timeMs));
  const risks = await riskRows(parts, call, positions, undefined, version !== "v3");
  const rows = risks.map(({ unRealizedProfit, ...row }) => ({ ...row, unrealizedProfit: unRealizedProfit }));
  const may = holderOf(call).permissions;
  const rights = {
    feeTier: level,
    canTrade: may.includes("futures") && (await parts.isVerified(holderOf(call).userId)),
    canDeposit: true,
    canWithdraw: may.includes("transfer"),
    updateTime: call.timeMs,
  };
  if (kind.biz !== "futures") return { ...rights, assets, positions: rows };
  const [usdt] = assets.filter(({ asset }) => asset === "USDT");
  const totals = {
    totalInitialMargin: usdt?.initialMargin ?? "0",
    totalMaintMargin: usdt?.maintMargin ?? "0",
    totalWalletBalance: usdt?.walletBalance ?? "0",
    totalUnrealizedProfit: usdt?.unrealizedProfit ?? "0",
    totalMarginBalance: usdt?.marginBalance ?? "0",
    totalPositionInitialMargin: usdt?.positionInitialMargin ?? "0",
    totalOpenOrderInitialMargin: usdt?.openOrderInitialMargin ?? "0",
    totalCrossWalletBalance: usdt?.crossWalletBalance ?? "0",
    totalCrossUnPnl: usdt?.crossUnPnl ?? "0",
    availableBalance: usdt?.availableBalance ?? "0",
    maxWithdrawAmount: usdt?.maxWithdrawAmount ?? "0",
  };
  const head = version === "v3" ? {} : { ...rights, multiAssetsMargin: false, tradeGroupId: -1 };
  return { ...head, ...totals, assets, positions: rows };
}

export async function readSettings(
  { ask }: Pick<DialectCall, "ask">,
  { kind }: Contracts,
  { pairCode }: Pick<ContractInfo, "pairCode">,
): Promise<ContractSettings> {
  const query = { biz: kind.biz, pairCode };
  return (await ask("GET", `${NATIVE}/positions/settings`, { query })) as ContractSettings;
}

async function readRisk(parts: ContractAccountParts, call: DialectCall, version: string): Promise<readonly object[]> {
  const { contracts } = parts;
  const { parameters } = call;
  const pair = parameters.text("pair");
  const wanted = readOptional(contracts, parameters);
  const positions = await listPositions(call, contracts, wanted);
  const rows = await riskRows(parts, call, positions, wanted, version !== "v3");
  return pair === undefined ? rows : rows.filter(({ symbol }) => symbol.split("_")[0] === pair);
}

/** Open positions; with `isWhole` also a row of nothing for each contract and side without one. */
async function riskRows(
  parts: ContractAccountParts,
  call: DialectCall,
  positions: readonly FuturesPosition[],
  wanted: ContractInfo | undefined,
  isWhole: boolean,
) {
  const { contracts } = parts;
  const open = positions.flatMap((one) => {
    const contract = contracts.find(one.pairCode);
    return contract === undefined ? [] : [describePosition(parts, contract, one)];
  });
  if (!isWhole) return open;
  const requested = wanted === undefined ? contracts.list() : [wanted];
  const settings = await Promise.all(requested.map((one) => readSettings(call, contracts, one)));
  const empty = requested.flatMap((contract, place) => {
    const set = settings[place] as ContractSettings;
    const symbol = contracts.kind.symbolOf(contract);
    const sides = set.positionMode === "hedge" ? (["LONG", "SHORT"] as const) : (["BOTH"] as const);
    return sides
      .filter((side) => !open.some((row) => row.symbol === symbol && row.positionSide === side))
      .map((side) => describeNothing(parts, contract, set, side));
  });
  return [...open, ...empty];
}

function describePosition(parts: ContractAccountParts, contract: ContractInfo, one: FuturesPosition) {
  const isShort = one.side === "short";
  const isIsolated = one.mode === "isolated";
  const signed = (text: string): string => (isShort ? negate(text) : text);
  return riskRow(parts, contract, {
    positionSide: one.positionSide.toUpperCase(),
    positionAmt: signed(writeQuantity(contract, one.quantity)),
    entryPrice: one.entryPrice,
    breakEvenPrice: one.breakEvenPrice,
    markPrice: one.markPrice,
    unRealizedProfit: fixed(one.unrealizedPnl),
    liquidationPrice: one.liquidationPrice ?? "0",
    leverage: String(one.leverage),
    marginType: one.mode,
    isolatedMargin: isIsolated ? fixed(sum(one.margin, one.unrealizedPnl)) : fixed("0"),
    isolatedWallet: isIsolated ? fixed(one.margin) : fixed("0"),
    isAutoAddMargin: String(one.isAutoAppend),
    value: signed(fixed(one.value)),
    initialMargin: fixed(one.initialMargin),
    maintMargin: fixed(one.maintenanceMargin),
    adl: one.adl - 1,
    updateTime: one.updatedAtMs,
  });
}

function describeNothing(parts: ContractAccountParts, contract: ContractInfo, set: ContractSettings, side: string) {
  return riskRow(parts, contract, {
    positionSide: side,
    positionAmt: "0",
    entryPrice: "0",
    breakEvenPrice: "0",
    markPrice: readMark(parts, contract),
    unRealizedProfit: fixed("0"),
    liquidationPrice: "0",
    leverage: String(side === "SHORT" ? set.leverageShort : set.leverageLong),
    marginType: set.mode,
    isolatedMargin: fixed("0"),
    isolatedWallet: fixed("0"),
    isAutoAddMargin: String(set.isAutoAppend),
    value: fixed("0"),
    initialMargin: fixed("0"),
    maintMargin: fixed("0"),
    adl: 0,
    updateTime: 0,
  });
}

/** The mark price of positions, held or not; zero before the first. */
function readMark({ contracts, market }: ContractAccountParts, { pairCode }: ContractInfo): string {
  const pair = market.pairs.findListed(contracts.kind.biz, pairCode);
  const ticks = pair === undefined ? 0 : (market.data.projector.states.get(pair.market)?.contract?.markTicks ?? 0);
  return pair === undefined || ticks === 0 ? "0" : priceText(pair, ticks);
}

interface RiskRow {
  readonly value: string;
  readonly initialMargin: string;
  readonly marginType: string;
  readonly leverage: string;
}

function riskRow<Row extends RiskRow>(
  { contracts, market }: ContractAccountParts,
  contract: ContractInfo,
  { value, ...row }: Row,
) {
  const { biz, symbolOf } = contracts.kind;
  const ladder = market.contracts.readLadder(biz, contract.pairCode);
  const most = ladder.done ? maxAt(ladder.value, Number(row.leverage)) : "0";
  return {
    symbol: symbolOf(contract),
    ...row,
    isolated: row.marginType === "isolated",
    marginAsset: contract.settle,
    positionInitialMargin: row.initialMargin,
    openOrderInitialMargin: fixed("0"),
    ...(biz === "futures" ? { notional: value, maxNotionalValue: most } : { notionalValue: value, maxQty: most }),
  };
}
