// Settings, rates, ladders and cash changes of contracts in the Binance dialect.
import type { FuturesBill, FuturesBillPage } from "@clockwork/trading/futures/contract";
import type { ContractInfo, LadderStep } from "@clockwork/trading/markets/contract";
import { type DialectCall, type Endpoint, holderOf } from "../endpoint.ts";
import { fixed } from "../numbers.ts";
import { type Cursor, cut, readPages, readWanted } from "../paging.ts";
import { DialectRefusal, missing } from "../refusal.ts";
import { type IsVerified, listPositions, readSettings } from "./account.ts";
import { type Contracts, NATIVE } from "./contracts.ts";
import { hedges, maxAt, readAccounts, readFee } from "./modes.ts";
import { readOptional, reads } from "./order-reads.ts";
import { readPositionSide } from "./order-request.ts";
import { trades } from "./orders.ts";
import { sideMismatch } from "./refusals.ts";

const SUCCESS = { code: 200, msg: "success" } as const;

export function contractSettingEndpoints(contracts: Contracts, isVerified: IsVerified): readonly Endpoint[] {
  return [...setting(contracts), ...modeEndpoints(contracts), ...notifying(contracts, isVerified)];
}

function setting(contracts: Contracts): readonly Endpoint[] {
  const { base, biz, symbolOf } = contracts.kind;
  const api = `${base}/v1`;
  return [
    {
      ...trades,
      method: "POST",
      path: `${api}/leverage`,
      weight: 1,
      handle: async (call) => {
        const contract = contracts.read(call.parameters);
        const leverage = call.parameters.integer("leverage", { min: 1 });
        if (leverage === undefined) throw missing("leverage");
        if (leverage > 1_000) throw new DialectRefusal(-4028, "Leverage is not valid.");
        const body = { biz, pairCode: contract.pairCode, leverage };
        await call.ask("POST", `${NATIVE}/positions/leverage`, { body });
        const max = maxAt(await readLadder(call, contracts, contract), leverage);
        const bound = biz === "futures" ? { maxNotionalValue: max } : { maxQty: max };
        return { symbol: symbolOf(contract), leverage, ...bound };
      },
    },
    {
      ...trades,
      method: "POST",
      path: `${api}/marginType`,
      weight: 1,
      handle: async (call) => {
        const contract = contracts.read(call.parameters);
        const requested = call.parameters.one(
          "marginType",
          ["ISOLATED", "CROSSED"],
          () => new DialectRefusal(-1130, "Data sent for parameter 'marginType' is not valid."),
        );
        if (requested === undefined) throw missing("marginType");
        const mode = requested === "ISOLATED" ? "isolated" : "cross";
        const now = await readSettings(call, contracts, contract);
        if (now.mode === mode) throw new DialectRefusal(-4046, "No need to change margin type.");
        await call.ask("POST", `${NATIVE}/positions/margin-mode`, { body: { biz, pairCode: contract.pairCode, mode } });
        return SUCCESS;
      },
    },
    {
      ...trades,
      method: "POST",
      path: `${api}/positionMargin`,
      weight: 1,
      handle: (call) => changeMargin(contracts, call),
    },
  ];
}

async function changeMargin(contracts: Contracts, call: DialectCall): Promise<object> {
  const { parameters, ask } = call;
  const contract = contracts.read(parameters);
  const amount = parameters.needDecimal("amount");
  const type = parameters.integer("type", { min: 1 });
  if (type !== 1 && type !== 2) throw missing("type");
  const side = readPositionSide(parameters) ?? "BOTH";
  const positions = await listPositions(call, contracts, contract);
  const position = positions.find((one) => one.positionSide.toUpperCase() === side);
  if (position === undefined) {
    if (positions.length > 0) throw sideMismatch();
    throw new DialectRefusal(-4054, "Cannot add position margin: position is 0.");
  }
  const signed = type === 1 ? amount : `-${amount}`;
  const body = { biz: contracts.kind.biz, positionId: position.positionId, amount: signed };
  await ask("POST", `${NATIVE}/positions/margin`, { body });
  return { amount: Number(amount), code: 200, msg: "Successfully modify position margin.", type };
}

function modeEndpoints(contracts: Contracts): readonly Endpoint[] {
  const { base, biz } = contracts.kind;
  const api = `${base}/v1`;
  const isDual = async (call: DialectCall): Promise<boolean> =>
    (await readAccounts(call, biz)).some(({ isHedge }) => isHedge);
  return [
    {
      ...reads,
      path: `${api}/positionSide/dual`,
      weight: 30,
      handle: async (call) => ({ dualSidePosition: await isDual(call) }),
    },
    {
      ...trades,
      method: "POST",
      path: `${api}/positionSide/dual`,
      weight: 1,
      handle: async (call) => {
        const wanted = call.parameters.flag("dualSidePosition");
        if (wanted === undefined) throw missing("dualSidePosition");
        if ((await isDual(call)) === wanted) {
          throw new DialectRefusal(-4059, "No need to change position side.");
        }
        await call.ask("POST", `${NATIVE}/positions/mode`, { body: { biz, mode: wanted ? "hedge" : "one-way" } });
        return SUCCESS;
      },
    },
    ...(biz === "futures" ? multiAssets(api) : []),
  ];
}

/** One coin carries what is settled in it and nothing else. */
function multiAssets(api: string): readonly Endpoint[] {
  const path = `${api}/multiAssetsMargin`;
  return [
    { ...reads, path, weight: 30, handle: () => ({ multiAssetsMargin: false }) },
    {
      ...trades,
      method: "POST",
      path,
      weight: 1,
      handle: ({ parameters }) => {
        const wanted = parameters.flag("multiAssetsMargin");
        if (wanted === undefined) throw missing("multiAssetsMargin");
        throw wanted
          ? new DialectRefusal(-4167, "Unable to adjust to Multi-Assets mode: it is not offered here.")
          : new DialectRefusal(-4171, "No need to change Multi-Assets mode.");
      },
    },
    { ...reads, path: `${api}/feeBurn`, weight: 30, handle: () => ({ feeBurn: false }) },
  ];
}

async function readLadder({ ask }: DialectCall, { kind }: Contracts, contract: ContractInfo): Promise<LadderStep[]> {
  const query = { biz: kind.biz, pairCode: contract.pairCode };
  return (await ask("GET", `${NATIVE}/ladder`, { query })) as LadderStep[];
}

async function describeLadder(call: DialectCall, contracts: Contracts, contract: ContractInfo): Promise<object> {
  const { biz, symbolOf } = contracts.kind;
  const ladder = await readLadder(call, contracts, contract);
  const brackets = ladder.map((step, place) => {
    const floor = Number(ladder[place - 1]?.maxNotional ?? 0);
    const cap = Number(step.maxNotional);
    const bounds = biz === "futures" ? { notionalCap: cap, notionalFloor: floor } : { qtyCap: cap, qtyFloor: floor };
    return {
      bracket: step.tier,
      initialLeverage: step.maxLeverage,
      ...bounds,
      maintMarginRatio: Number(step.maintenanceRate),
      cum: Number(step.deduction),
    };
  });
  return { symbol: symbolOf(contract), notionalCoef: 1, brackets };
}

function notifying(contracts: Contracts, isVerified: IsVerified): readonly Endpoint[] {
  const { base, biz, symbolOf } = contracts.kind;
  const api = `${base}/v1`;
  return [
    {
      ...reads,
      path: `${api}/commissionRate`,
      weight: 20,
      handle: async (call) => {
        const symbol = symbolOf(contracts.read(call.parameters));
        const { makerRate, takerRate } = await readFee(call, biz);
        return { symbol, makerCommissionRate: makerRate, takerCommissionRate: takerRate };
      },
    },
    ...(biz === "futures" ? ["v1"] : ["v1", "v2"]).map(
      (version): Endpoint => ({
        ...reads,
        path: `${base}/${version}/leverageBracket`,
        weight: 1,
        handle: (call) => {
          const wanted = readOptional(contracts, call.parameters);
          const requested = wanted === undefined ? contracts.list() : [wanted];
          return Promise.all(requested.map((one) => describeLadder(call, contracts, one)));
        },
      }),
    ),
    { ...reads, path: `${api}/adlQuantile`, weight: 5, handle: (call) => readQuantiles(contracts, call) },
    {
      ...reads,
      path: `${api}/income`,
      weight: biz === "futures" ? 30 : 20,
      handle: (call) => readIncome(contracts, call),
    },
    {
      ...reads,
      path: `${api}/accountConfig`,
      weight: 5,
      handle: async (call) => {
        const { permissions, userId } = holderOf(call);
        const [{ level }, accounts, isOwn] = await Promise.all([
          readFee(call, biz),
          readAccounts(call, biz),
          isVerified(userId),
        ]);
        return {
          feeTier: level,
          canTrade: permissions.includes("futures") && isOwn,
          canDeposit: true,
          canWithdraw: permissions.includes("transfer"),
          dualSidePosition: accounts.some(({ isHedge }) => isHedge),
          updateTime: 0,
          multiAssetsMargin: false,
          tradeGroupId: -1,
        };
      },
    },
    {
      ...reads,
      path: `${api}/symbolConfig`,
      weight: 5,
      handle: async (call) => {
        const wanted = readOptional(contracts, call.parameters);
        const requested = wanted === undefined ? contracts.list() : [wanted];
        return Promise.all(
          requested.map(async (contract) => {
            const set = await readSettings(call, contracts, contract);
            const ladder = await readLadder(call, contracts, contract);
            return {
              symbol: symbolOf(contract),
              marginType: set.mode === "isolated" ? "ISOLATED" : "CROSSED",
              isAutoAddMargin: String(set.isAutoAppend),
              leverage: set.leverageLong,
              maxNotionalValue: maxAt(ladder, set.leverageLong),
            };
          }),
        );
      },
    },
  ];
}

/** Indicators 1 to 5 are quantiles 0 to 4. */
async function readQuantiles(contracts: Contracts, call: DialectCall): Promise<object> {
  const { parameters } = call;
  const wanted = readOptional(contracts, parameters);
  const positions = await listPositions(call, contracts, wanted);
  const isHedge = await hedges(call, contracts.kind.biz);
  const symbols = new Map<string, Record<string, number>>();
  for (const one of positions) {
    const contract = contracts.find(one.pairCode);
    if (contract === undefined) continue;
    const symbol = contracts.kind.symbolOf(one);
    const row =
      symbols.get(symbol) ?? (isHedge(contract) ? { LONG: 0, SHORT: 0, HEDGE: 0 } : { LONG: 0, SHORT: 0, BOTH: 0 });
    row[one.positionSide.toUpperCase()] = one.adl - 1;
    symbols.set(symbol, row);
  }
  const rows = [...symbols].map(([symbol, adlQuantile]) => ({ symbol, adlQuantile }));
  return wanted === undefined
    ? rows
    : (rows[0] ?? { symbol: contracts.kind.symbolOf(wanted), adlQuantile: { LONG: 0, SHORT: 0, BOTH: 0 } });
}

/** What a cash change is called; what the dialect has no word for keeps ours. */
const INCOMES: Readonly<Record<string, string>> = {
  REALIZED: "REALIZED_PNL",
  OPEN_FEE: "COMMISSION",
  CLOSE_FEE: "COMMISSION",
  FUNDING: "FUNDING_FEE",
  LIQ_FEE: "INSURANCE_CLEAR",
  INSURANCE: "INSURANCE_CLEAR",
  BONUS: "WELCOME_BONUS",
};
const INCOME_MAX = 1_000;
const WEEK_MS = 7 * 86_400_000;

async function readIncome(contracts: Contracts, { parameters, ask, timeMs }: DialectCall): Promise<readonly object[]> {
  const wanted = readOptional(contracts, parameters);
  const { span, isForward, limit } = readWanted(parameters, { idName: "", limitMax: INCOME_MAX, limitDefault: 100 });
  const requested = parameters.text("incomeType")?.toUpperCase();
  const named = Object.keys(INCOMES).filter((type) => INCOMES[type] === requested);
  const types = requested === undefined ? [undefined] : named.length > 0 ? named : [requested];
  const from = span.from ?? (span.to ?? timeMs) - WEEK_MS;
  const query = {
    biz: contracts.kind.biz,
    ...span,
    from: Math.max(0, from),
    ...(wanted === undefined ? {} : { pairCode: wanted.pairCode }),
  };
  const readOf = (type: string | undefined) => async (cursor: Cursor) => {
    const page = { ...query, ...cursor, ...(type === undefined ? {} : { type }) };
    const { bills, next } = (await ask("GET", `${NATIVE}/bills`, { query: page })) as FuturesBillPage;
    return { rows: bills, next };
  };
  const lists = await Promise.all(types.map((type) => readPages(readOf(type), isForward, limit)));
  const rows = lists.flat().map((bill) => describeIncome(contracts, bill));
  rows.sort((left, right) => left.time - right.time || left.tranId - right.tranId);
  return cut(rows, isForward, limit);
}

export function describeIncome({ kind }: Contracts, bill: FuturesBill) {
  const [sequence = 0, line = 0] = bill.id.split("-").map(Number);
  const isTrade = bill.type === "REALIZED" || bill.type.endsWith("_FEE");
  return {
    symbol: bill.pairCode === null ? "" : kind.symbolOf({ pairCode: bill.pairCode }),
    incomeType: INCOMES[bill.type] ?? bill.type,
    income: fixed(bill.change),
    asset: bill.asset,
    info: bill.reference ?? "",
    time: bill.timeMs,
    tranId: sequence * 1_000 + line,
    tradeId: isTrade ? (bill.reference ?? "") : "",
  };
}
