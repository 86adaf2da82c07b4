// The spot account, its fees and its coins in the Binance dialect.
import type { SpotBalance, SpotFee } from "@clockwork/trading/spot/contract";
import { type DialectCall, type Endpoint, holderOf } from "../endpoint.ts";
import { fixed } from "../numbers.ts";
import { type SpotSymbols, symbolOf } from "../symbols.ts";

const NATIVE = "/api/v1/spot";
const reads = { method: "GET", security: "signed", permission: "read" } as const;

const readBalances = async ({ ask }: DialectCall): Promise<SpotBalance[]> =>
  (await ask("GET", `${NATIVE}/balance`)) as SpotBalance[];
const readFee = async ({ ask }: DialectCall): Promise<SpotFee> => (await ask("GET", `${NATIVE}/fee`)) as SpotFee;

export function spotAccountEndpoints({ symbols }: { readonly symbols: SpotSymbols }): readonly Endpoint[] {
  return [
    {
      ...reads,
      path: "/api/v3/account",
      weight: 20,
      handle: readAccount,
    },
    {
      ...reads,
      path: "/api/v3/account/commission",
      weight: 20,
      handle: async (call) => {
        const symbol = symbolOf(symbols.read(call.parameters));
        const none = { maker: fixed("0"), taker: fixed("0"), buyer: fixed("0"), seller: fixed("0") };
        const standardCommission = { ...none, ...ratesOf(await readFee(call)) };
        return { symbol, standardCommission, taxCommission: none, specialCommission: none };
      },
    },
    {
      ...reads,
      path: "/sapi/v1/asset/tradeFee",
      weight: 1,
      handle: async (call) => {
        const { makerRate, takerRate } = await readFee(call);
        const pairs = call.parameters.text("symbol") === undefined ? symbols.list() : [symbols.read(call.parameters)];
        return pairs.map((pair) => ({
          symbol: symbolOf(pair),
          makerCommission: makerRate,
          takerCommission: takerRate,
        }));
      },
    },
    {
      ...reads,
      method: "POST",
      path: "/sapi/v3/asset/getUserAsset",
      weight: 5,
      handle: async (call) => {
        const wanted = call.parameters.text("asset");
        const rows = (await readBalances(call)).filter(({ asset }) => wanted === undefined || asset === wanted);
        return rows.map(({ asset, available, frozen }) => ({
          asset,
          free: fixed(available),
          locked: fixed(frozen),
          freeze: "0",
          withdrawing: "0",
          ipoable: "0",
          btcValuation: "0",
        }));
      },
    },
  ];
}

function ratesOf({ makerRate, takerRate }: SpotFee): { maker: string; taker: string } {
  return { maker: fixed(makerRate), taker: fixed(takerRate) };
}

/** Hundredths of a percent, rounded down: the exact rate is next to it. */
function basisPoints(rate: string): number {
  const [, decimals = ""] = rate.split(".");
  return Number(decimals.padEnd(4, "0").slice(0, 4));
}

async function readAccount(call: DialectCall): Promise<object> {
  const [balances, fee] = await Promise.all([readBalances(call), readFee(call)]);
  const holder = holderOf(call);
  return {
    makerCommission: basisPoints(fee.makerRate),
    takerCommission: basisPoints(fee.takerRate),
    buyerCommission: 0,
    sellerCommission: 0,
    commissionRates: { ...ratesOf(fee), buyer: fixed("0"), seller: fixed("0") },
    canTrade: holder.permissions.includes("spot"),
    canWithdraw: holder.permissions.includes("withdraw"),
    canDeposit: true,
    brokered: false,
    requireSelfTradePrevention: false,
    preventSor: false,
    updateTime: call.timeMs,
    accountType: "SPOT",
    balances: balances.map(({ asset, available, frozen }) => ({
      asset,
      free: fixed(available),
      locked: fixed(frozen),
    })),
    permissions: ["SPOT"],
    uid: holder.userId,
  };
}
