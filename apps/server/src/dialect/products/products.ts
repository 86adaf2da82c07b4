// Products beside trading in the Binance dialect: simple earn, orders in slices (TWAP), small balances, the wallet's
// worth and saved addresses. The rules and the money are the exchange's own.
import { createHash } from "node:crypto";
import { type AddressBook, WITHDRAW_CALLS } from "@clockwork/custody/withdrawals/contract";
import {
  EARN_CALLS,
  type EarnHolding,
  type EarnHoldings,
  type EarnProduct,
  type EarnProducts,
} from "@clockwork/earning/earn/contract";
import { CONVERT_CALLS, type SmallResult } from "@clockwork/trading/convert/contract";
import type { OrderPage, PlacedOrder, SpotOrder } from "@clockwork/trading/spot/contract";
import type { Coin, WalletAccounts } from "@clockwork/trading/wallet/contract";
import type { DialectCall, Endpoint } from "../endpoint.ts";
import { fixed, quotient, sum } from "../numbers.ts";
import { DialectRefusal, missing, unknownToCancel } from "../refusal.ts";
import type { Parameters } from "../request.ts";
import { nameBySignature } from "../seen.ts";
import { readClientId, readSide } from "../spot/order-request.ts";
import { type SpotSymbols, symbolOf } from "../symbols.ts";

const API = "/sapi/v1";
const SPOT = "/api/v1/spot";
const reads = { method: "GET", security: "signed", permission: "read" } as const;
const trades = { method: "POST", security: "signed", permission: "spot" } as const;
const native = (path: string): string => `/api${path}`;

export function productEndpoints(symbols: SpotSymbols): readonly Endpoint[] {
  return [...earnEndpoints(), ...sliceEndpoints(symbols), ...walletEndpoints()];
}

/** The same signed call is the same request, also after a restart. */
const clientIdOf = ({ signature, requestId }: DialectCall): string =>
  createHash("sha256")
    .update(signature ?? requestId)
    .digest("hex")
    .slice(0, 24);

function pageOf<Row>(parameters: Parameters, rows: readonly Row[]): { readonly rows: readonly Row[]; total: number } {
  const size = parameters.integer("size", { min: 1, max: 100 }) ?? 10;
  const page = parameters.integer("current", { min: 1 }) ?? 1;
  return { rows: rows.slice((page - 1) * size, page * size), total: rows.length };
}

type EarnKind = "flexible" | "locked";
/** A shark fin is no plain term: Binance has other calls for those. */
const isKind = (kind: EarnKind, one: { readonly kind: EarnProduct["kind"] }): boolean =>
  one.kind === (kind === "flexible" ? "flexible" : "fixed");

async function listProducts({ ask, parameters }: DialectCall, kind: EarnKind): Promise<readonly EarnProduct[]> {
  const asset = parameters.text("asset");
  const { products } = (await ask("GET", native(EARN_CALLS.products.path))) as EarnProducts;
  return products.filter((one) => isKind(kind, one) && (asset === undefined || one.asset === asset));
}

async function listHoldings({ ask, parameters }: DialectCall, kind: EarnKind): Promise<readonly EarnHolding[]> {
  const asset = parameters.text("asset");
  const { holdings } = (await ask("GET", native(EARN_CALLS.holdings.path))) as EarnHoldings;
  return holdings.filter((one) => isKind(kind, one) && (asset === undefined || one.asset === asset));
}

const isOpen = ({ state }: EarnProduct): boolean => state === "OPEN";
const canRedeem = ({ state, isMoving }: EarnHolding): boolean => state !== "REDEEMED" && !isMoving;

function describeFlexible(one: EarnProduct): object {
  return {
    asset: one.asset,
    latestAnnualPercentageRate: fixed(one.rate),
    tierAnnualPercentageRate: Object.fromEntries(one.tiers.map(({ upto, rate }) => [upto ?? "max", fixed(rate)])),
    airDropPercentageRate: "0.00000000",
    canPurchase: isOpen(one),
    canRedeem: true,
    isSoldOut: one.state === "FULL",
    hot: false,
    minPurchaseAmount: fixed(one.minimum),
    productId: one.productId,
    subscriptionStartTime: one.opensAtMs,
    status: isOpen(one) ? "PURCHASING" : "END",
  };
}

function describeLocked(one: EarnProduct): object {
  return {
    projectId: one.productId,
    detail: {
      asset: one.asset,
      rewardAsset: one.asset,
      duration: one.days,
      renewable: true,
      isSoldOut: one.state === "FULL",
      apr: fixed(one.rate),
      status: isOpen(one) ? "CREATED" : "END",
      subscriptionStartTime: one.opensAtMs,
    },
    quota: { totalPersonalQuota: fixed(one.userMaximum), minimum: fixed(one.minimum) },
  };
}

function describeFlexibleHolding(one: EarnHolding): object {
  return {
    totalAmount: fixed(one.principal),
    latestAnnualPercentageRate: fixed(one.rate),
    asset: one.asset,
    canRedeem: canRedeem(one),
    collateralAmount: "0.00000000",
    productId: one.productId,
    cumulativeTotalRewards: fixed(one.paid),
    autoSubscribe: false,
  };
}

function describeLockedHolding(one: EarnHolding): object {
  return {
    positionId: one.holdingId,
    projectId: one.productId,
    asset: one.asset,
    amount: fixed(one.principal),
    purchaseTime: one.startsAtMs,
    duration: String(one.days),
    apy: fixed(one.rate),
    rewardAsset: one.asset,
    rewardAmt: fixed(one.expected),
    deliverDate: one.endsAtMs,
    canRedeemEarly: canRedeem(one),
    autoSubscribe: one.isRenewed,
    status: "HOLDING",
  };
}

async function subscribe(call: DialectCall, kind: EarnKind): Promise<object> {
  const { parameters, ask } = call;
  const productId = parameters.needText(kind === "flexible" ? "productId" : "projectId");
  const known = (await listProducts(call, kind)).some((one) => one.productId === productId);
  if (!known) throw new DialectRefusal(-6001, "Daily product not exist.");
  const autoRenew = kind === "locked" ? parameters.flag("autoSubscribe") : undefined;
  const body = {
    productId,
    amount: parameters.needDecimal("amount"),
    clientId: clientIdOf(call),
    ...(autoRenew === undefined ? {} : { autoRenew }),
  };
  const { holdingId } = (await ask("POST", native(EARN_CALLS.subscribe.path), { body })) as { holdingId: string };
  return { purchaseId: holdingId, ...(kind === "locked" ? { positionId: holdingId } : {}), success: true };
}

async function redeem(call: DialectCall, kind: EarnKind): Promise<object> {
  const { parameters, ask } = call;
  const wanted = parameters.needText(kind === "flexible" ? "productId" : "positionId");
  const holdings = await listHoldings(call, kind);
  const found = holdings.find((one) => (kind === "flexible" ? one.productId : one.holdingId) === wanted);
  if (found === undefined) throw new DialectRefusal(-6005, "Product position not exist.");
  const amount =
    kind === "flexible" && parameters.flag("redeemAll") !== true ? parameters.needDecimal("amount") : undefined;
  const body = {
    holdingId: found.holdingId,
    clientId: clientIdOf(call),
    ...(amount === undefined ? {} : { amount }),
  };
  await ask("POST", native(EARN_CALLS.redeem.path), { body });
  return { redeemId: clientIdOf(call), success: true };
}

function earnEndpoints(): readonly Endpoint[] {
  const earn = `${API}/simple-earn`;
  const own = { weight: 150, isOwnWeight: true } as const;
  return [
    ...(["flexible", "locked"] as const).flatMap((kind): readonly Endpoint[] => [
      {
        ...reads,
        ...own,
        path: `${earn}/${kind}/list`,
        handle: async (call) =>
          pageOf(
            call.parameters,
            (await listProducts(call, kind)).map(kind === "flexible" ? describeFlexible : describeLocked),
          ),
      },
      {
        ...reads,
        ...own,
        path: `${earn}/${kind}/position`,
        handle: async (call) =>
          pageOf(
            call.parameters,
            (await listHoldings(call, kind)).map(kind === "flexible" ? describeFlexibleHolding : describeLockedHolding),
          ),
      },
      { ...trades, ...own, path: `${earn}/${kind}/subscribe`, handle: (call) => subscribe(call, kind) },
      { ...trades, ...own, path: `${earn}/${kind}/redeem`, handle: (call) => redeem(call, kind) },
    ]),
  ];
}

const isSliced = ({ type }: Pick<SpotOrder, "type">): boolean => type === "twap";

/** Our schedule counts slices; the dialect names the whole time alone. */
const SLICE_SECONDS = { shortest: 5, slices: 60 } as const;

function sliceEndpoints(symbols: SpotSymbols): readonly Endpoint[] {
  const algo = `${API}/algo/spot`;
  const list = async ({ ask }: DialectCall, state: "plan" | "history"): Promise<readonly SpotOrder[]> => {
    const { orders } = (await ask("GET", `${SPOT}/orders`, { query: { state, limit: 200 } })) as OrderPage;
    return orders.filter(isSliced);
  };
  const describe = (one: SpotOrder): object => ({
    algoId: Number(one.orderId),
    symbol: symbolOf(one),
    side: one.side.toUpperCase(),
    totalQty: fixed(one.quantity),
    executedQty: fixed(one.filledQuantity),
    executedAmt: fixed(one.filledAmount),
    avgPrice: fixed(one.averagePrice),
    clientAlgoId: one.clientOrderId ?? "",
    bookTime: one.createdAtMs,
    endTime: one.updatedAtMs,
    algoStatus: one.status === "CANCELED" ? "CANCELLED" : one.status === "FILLED" ? "FINISHED" : "WORKING",
    algoType: "TWAP",
    urgency: "NONE",
  });
  const answer = (rows: readonly SpotOrder[]): object => ({ total: rows.length, orders: rows.map(describe) });
  return [
    {
      ...trades,
      path: `${algo}/newOrderTwap`,
      weight: 3_000,
      isOwnWeight: true,
      orders: 1,
      handle: async (call) => {
        const { parameters, ask, signature, requestId } = call;
        const { pairCode } = symbols.read(parameters);
        const seconds = parameters.integer("duration", { min: 300, max: 86_400 });
        if (seconds === undefined) throw missing("duration");
        const clientOrderId = readClientId(parameters, "clientAlgoId") ?? nameBySignature(signature, requestId);
        const body = {
          pairCode,
          side: readSide(parameters),
          type: "twap",
          quantity: parameters.needDecimal("quantity"),
          // Without a limit the core has no order in slices: it must not trade at any price.
          price: parameters.needDecimal("limitPrice"),
          durationSeconds: seconds,
          intervalSeconds: Math.max(SLICE_SECONDS.shortest, Math.ceil(seconds / SLICE_SECONDS.slices)),
          clientOrderId,
        };
        const placed = (await ask("POST", `${SPOT}/orders`, { body })) as PlacedOrder;
        if (placed.isRepeat) throw new DialectRefusal(-2010, "Duplicate order sent.");
        return { clientAlgoId: clientOrderId, success: true, code: 0, msg: "OK" };
      },
    },
    {
      ...trades,
      method: "DELETE",
      path: `${algo}/order`,
      weight: 1,
      handle: async (call) => {
        const id = call.parameters.integer("algoId", { min: 1 });
        if (id === undefined) throw missing("algoId");
        if (!(await list(call, "plan")).some(({ orderId }) => Number(orderId) === id)) throw unknownToCancel();
        await call.ask("DELETE", `${SPOT}/orders/:id`, { params: { id: String(id) } });
        return { algoId: id, success: true, code: 0, msg: "OK" };
      },
    },
    { ...reads, path: `${algo}/openOrders`, weight: 1, handle: async (call) => answer(await list(call, "plan")) },
    {
      ...reads,
      path: `${algo}/historicalOrders`,
      weight: 1,
      handle: async (call) => answer(await list(call, "history")),
    },
  ];
}

const WALLETS: Readonly<Record<string, string>> = {
  "1": "Spot",
  "2": "Funding",
  "3": "USDⓈ-M Futures",
  "4": "COIN-M Futures",
  "5": "Copy Trading",
  "6": "Copy Trading (spot)",
  "7": "Trading Bots",
  "8": "Earn",
  "9": "P2P",
};

function walletEndpoints(): readonly Endpoint[] {
  return [
    { ...reads, path: `${API}/asset/wallet/balance`, weight: 60, handle: readWorth },
    {
      ...reads,
      path: `${API}/capital/withdraw/address/list`,
      weight: 10,
      handle: async ({ ask }) => {
        const { addresses, isWhitelist } = (await ask("GET", native(WITHDRAW_CALLS.addresses.path))) as AddressBook;
        return addresses.map(({ network, address, name, isResting }) => ({
          address,
          addressTag: "",
          coin: "",
          name,
          network,
          origin: "",
          originType: "others",
          whiteStatus: isWhitelist && !isResting,
        }));
      },
    },
    {
      ...trades,
      path: `${API}/asset/dust`,
      weight: 10,
      isOwnWeight: true,
      handle: async (call) => {
        const assets = readAssets(call.parameters);
        const body = { assets, clientId: clientIdOf(call) };
        const answer = (await call.ask("POST", native(CONVERT_CALLS.small.path), { body })) as SmallResult;
        return {
          totalServiceCharge: "0",
          totalTransfered: fixed(answer.converted.reduce((all, { receives }) => sum(all, receives), "0")),
          targetAsset: answer.receives,
          transferResult: answer.converted.map(({ asset, amount, receives }) => ({
            fromAsset: asset,
            amount: fixed(amount),
            operateTime: call.timeMs,
            serviceChargeAmount: "0",
            transferedAmount: fixed(receives),
          })),
        };
      },
    },
  ];
}

/** "A,B" or ["A","B"]. */
function readAssets(parameters: Parameters): readonly string[] {
  const text = parameters.needText("asset");
  return text.startsWith("[") ? (parameters.list("asset") ?? []).map(String) : text.split(",");
}

/** What each wallet is worth, in a coin of the caller's choosing. */
async function readWorth({ parameters, ask }: DialectCall): Promise<readonly object[]> {
  const quote = parameters.text("quoteAsset") ?? "BTC";
  const coins = (await ask("GET", "/api/asset/v1/api/wallet/coins")) as Coin[];
  const price = quote === "USDT" ? "1" : coins.find(({ asset }) => asset === quote)?.priceUsdt;
  if (price === undefined || price === null)
    throw new DialectRefusal(-1130, "Data sent for parameter 'quoteAsset' is not valid.");
  const body = { walletTypeList: Object.keys(WALLETS) };
  const { accounts } = (await ask("POST", "/api/asset/v1/api/wallet/account", { body })) as WalletAccounts;
  return Object.entries(WALLETS).map(([type, walletName]) => {
    const own = accounts.filter(({ walletType }) => walletType === type);
    const worth = own.reduce((all, { totalUsdt }) => sum(all, totalUsdt), "0");
    return { activate: own.length > 0, balance: quotient(worth, price), walletName };
  });
}
