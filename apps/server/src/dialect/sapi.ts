// What programs request besides trading, in the Binance dialect: the state of the system and of the key, coins,
// transfers.
import { createHash } from "node:crypto";
import type { BillPage, WalletAccounts } from "@clockwork/trading/wallet/contract";
import { capitalEndpoints } from "./capital.ts";
import { convertEndpoints } from "./convert.ts";
import { type DialectCall, type Endpoint, holderOf } from "./endpoint.ts";
import { fixed } from "./numbers.ts";
import { type Cursor, readPages } from "./paging.ts";
import { DialectRefusal, missing } from "./refusal.ts";

const API = "/sapi/v1";
const WALLET = "/api/asset/v1/api/wallet";
const reads = { method: "GET", security: "signed", permission: "read" } as const;

/** The limit of rows per kind. */
const TRANSFERS_MAX = 2_000;

/** Types of transfers: the dialect's books as ours. */
const BOOKS: Readonly<Record<string, string>> = { MAIN: "1", FUNDING: "2", UMFUTURE: "3", CMFUTURE: "4" };

export function sapiEndpoints(): readonly Endpoint[] {
  return [...stateEndpoints(), ...absentEndpoints(), ...assetEndpoints(), ...capitalEndpoints(), ...convertEndpoints()];
}

function stateEndpoints(): readonly Endpoint[] {
  return [
    {
      method: "GET",
      path: `${API}/system/status`,
      weight: 1,
      security: "none",
      handle: () => ({ status: 0, msg: "normal" }),
    },
    { ...reads, path: `${API}/account/status`, weight: 1, handle: () => ({ data: "Normal" }) },
    {
      ...reads,
      path: `${API}/account/apiTradingStatus`,
      weight: 1,
      handle: ({ timeMs }) => ({
        data: { isLocked: false, plannedRecoverTime: 0, triggerCondition: {}, updateTime: timeMs },
      }),
    },
    {
      ...reads,
      path: `${API}/account/apiRestrictions`,
      weight: 1,
      handle: (call) => {
        const { permissions, isBound, createdAtMs, expiresAtMs } = holderOf(call);
        const may = (name: (typeof permissions)[number]): boolean => permissions.includes(name);
        return {
          ipRestrict: isBound,
          createTime: createdAtMs,
          ...(expiresAtMs === 0 ? {} : { tradingAuthorityExpirationTime: expiresAtMs }),
          enableReading: may("read"),
          enableSpotAndMarginTrading: may("spot"),
          enableFutures: may("futures"),
          enableInternalTransfer: may("transfer"),
          permitsUniversalTransfer: may("transfer"),
          enableWithdrawals: may("withdraw"),
          enableMargin: false,
          enableVanillaOptions: false,
          enablePortfolioMarginTrading: false,
        };
      },
    },
  ];
}

/** There are neither margin loans nor options: clients read their lists all the same, and each is empty. */
function absentEndpoints(): readonly Endpoint[] {
  const none = { method: "GET", weight: 1, handle: () => [] } as const;
  const margin = `${API}/margin`;
  return [
    { ...none, path: `${margin}/allPairs`, security: "key" },
    { ...none, path: `${margin}/isolated/allPairs`, security: "signed" },
    { ...none, path: `${margin}/isolatedMarginData`, security: "signed" },
    { ...none, path: `${margin}/interestRateHistory`, security: "signed" },
    { ...none, path: `${margin}/interestHistory`, security: "signed", handle: () => ({ rows: [], total: 0 }) },
    { ...none, path: "/eapi/v1/mark", security: "none" },
    { ...none, path: "/eapi/v1/exerciseHistory", security: "none" },
    { ...none, path: "/eapi/v1/exerciseRecord", security: "signed" },
    {
      ...none,
      path: "/eapi/v1/exchangeInfo",
      security: "none",
      handle: ({ timeMs }) => ({
        timezone: "UTC",
        serverTime: timeMs,
        optionContracts: [],
        optionAssets: [],
        optionSymbols: [],
        rateLimits: [],
      }),
    },
  ];
}

function assetEndpoints(): readonly Endpoint[] {
  return [
    {
      method: "POST",
      security: "signed",
      permission: "transfer",
      path: `${API}/asset/transfer`,
      weight: 900,
      isOwnWeight: true,
      handle: transfer,
    },
    { ...reads, path: `${API}/asset/transfer`, weight: 1, handle: listTransfers },
    {
      ...reads,
      method: "POST",
      path: `${API}/asset/get-funding-asset`,
      weight: 1,
      handle: async ({ ask, parameters }) => {
        const wanted = parameters.text("asset");
        const body = { walletTypeList: [BOOKS.FUNDING] };
        const { accounts } = (await ask("POST", `${WALLET}/account`, { body })) as WalletAccounts;
        const rows = accounts.flatMap(({ assets }) => assets);
        return rows
          .filter(({ asset }) => wanted === undefined || asset === wanted)
          .map(({ asset, available, frozen }) => ({
            asset,
            free: fixed(available),
            locked: fixed(frozen),
            freeze: "0",
            withdrawing: "0",
            btcValuation: "0",
          }));
      },
    },
  ];
}

function readBooks(type: string): readonly [from: string, to: string] {
  const [from, to] = type.split("_").map((name) => BOOKS[name]);
  if (from === undefined || to === undefined || from === to || type.split("_").length !== 2) {
    throw new DialectRefusal(-1130, "Data sent for parameter 'type' is not valid.");
  }
  return [from, to];
}

async function transfer(call: DialectCall): Promise<object> {
  const { parameters, ask, signature, requestId } = call;
  const [from, to] = readBooks(parameters.needText("type"));
  // The same signed call is the same transfer, also after a restart.
  const clientId = createHash("sha256")
    .update(signature ?? requestId)
    .digest("hex")
    .slice(0, 24);
  const body = { asset: parameters.needText("asset"), amount: parameters.needDecimal("amount"), from, to, clientId };
  const { sequence } = (await ask("POST", `${WALLET}/transfer`, { body })) as { sequence: number };
  return { tranId: sequence };
}

async function listTransfers({ parameters, ask }: DialectCall): Promise<object> {
  const type = parameters.text("type");
  if (type === undefined) throw missing("type");
  const [from, to] = readBooks(type);
  const [start, end] = [parameters.integer("startTime"), parameters.integer("endTime")];
  const size = parameters.integer("size", { min: 1, max: 100 }) ?? 10;
  const page = parameters.integer("current", { min: 1 }) ?? 1;
  const span = { ...(start === undefined ? {} : { from: start }), ...(end === undefined ? {} : { to: end }) };
  const legs = async (walletType: string, sign: "-" | "") => {
    const read = async (cursor: Cursor) => {
      const query = { walletType, business: "transfer", ...span, ...cursor };
      const { bills, next } = (await ask("GET", `${WALLET}/bills`, { query })) as BillPage;
      return { rows: bills, next };
    };
    return readPages(read, false, TRANSFERS_MAX, ({ change }) => change.startsWith("-") === (sign === "-"));
  };
  const numberOf = (id: string): number => Number(id.split("-")[0]);
  // A transfer is one posting: what left one book came to the other under the same number.
  const [left, came] = await Promise.all([legs(from, "-"), legs(to, "")]);
  const arrived = new Set(came.map(({ id, asset }) => `${numberOf(id)}/${asset}`));
  const out = left.filter(({ id, asset }) => arrived.has(`${numberOf(id)}/${asset}`)).reverse();
  const rows = out.slice((page - 1) * size, page * size).map(({ asset, change, id, timeMs }) => ({
    asset,
    amount: fixed(change.slice(1)),
    type,
    status: "CONFIRMED",
    tranId: numberOf(id),
    timestamp: timeMs,
  }));
  return { total: out.length, rows };
}
