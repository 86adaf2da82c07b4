// Coins, deposits and withdrawals in the Binance dialect: addresses, what came, what left, and leaving itself.

import { createHash } from "node:crypto";
import {
  CUSTODY_CALLS,
  type DepositAddress,
  type DepositList,
  type DepositView,
} from "@clockwork/custody/custody/contract";
import { WITHDRAW_CALLS, type Withdrawal, type WithdrawalList } from "@clockwork/custody/withdrawals/contract";
import type { Refusal } from "@clockwork/host/refusal";
import { CLIENT_ID_PATTERN } from "@clockwork/kit/intent/client-id";
import type { SpotBalance } from "@clockwork/trading/spot/contract";
import type { Coin, CoinNetwork } from "@clockwork/trading/wallet/contract";
import type { DialectCall, Endpoint } from "./endpoint.ts";
import { fixed } from "./numbers.ts";
import { DialectRefusal, illegal, refusalFrom } from "./refusal.ts";
import type { Parameters } from "./request.ts";

const API = "/sapi/v1/capital";
const ROWS_MAX = 1_000;
const PAGE = 100;
const SPAN_MS = 90 * 86_400_000;

const LEAVING: Readonly<Record<string, readonly [number, string]>> = {
  UNKNOWN_ASSET: [-4018, "We don't have this asset."],
  UNKNOWN_NETWORK: [-4019, "Current asset is not open for withdrawal."],
  COIN_NOT_ON_NETWORK: [-4019, "Current asset is not open for withdrawal."],
  COIN_WITHOUT_CODE: [-4019, "Current asset is not open for withdrawal."],
  WITHDRAWALS_PAUSED: [-4019, "Current asset is not open for withdrawal."],
  ADDRESS_INVALID: [-4033, "Illegal address."],
  ADDRESS_CHECKSUM: [-4033, "Illegal address."],
  ADDRESS_OTHER_NETWORK: [-4033, "Illegal address."],
  ADDRESS_IS_TOKEN: [-4033, "Illegal address."],
  ADDRESS_IS_HOUSE: [-4033, "Illegal address."],
  ADDRESS_NOT_SAVED: [-4035, "This address is not on the whitelist. Please join and try again."],
  ADDRESS_RESTS: [-4036, "The new address needs to be withdrawn in 24 hours."],
  AMOUNT_INVALID: [-4021, "Asset withdrawal must be a multiple of its smallest unit."],
  AMOUNT_TOO_SMALL: [-4022, "Not less than the minimum pick-up quantity."],
  LIMIT_REACHED: [-4023, "Within 24 hours, the withdrawal exceeds the maximum amount."],
  INSUFFICIENT_BALANCE: [-4026, "You have insufficient balance."],
  RESTRICTED: [-4026, "You have insufficient balance."],
  WITHDRAWALS_REST: [-4016, "Within 24 hours after password modification, withdrawal is prohibited."],
  IDENTITY_REQUIRED: [-4015, "Withdraw is limited."],
  ACCOUNT_BLOCKED: [-4015, "Withdraw is limited."],
  IN_DEBT: [-4015, "Withdraw is limited."],
  CLIENT_ID_REUSED: [-4001, "Invalid operation."],
};

function capitalRefusal(refusal: Refusal, retryAfterSeconds?: number): DialectRefusal {
  const known = LEAVING[refusal.code];
  return known === undefined ? refusalFrom(refusal, retryAfterSeconds) : new DialectRefusal(known[0], known[1]);
}

const reads = { method: "GET", security: "signed", permission: "read", translate: capitalRefusal } as const;

export function capitalEndpoints(): readonly Endpoint[] {
  return [
    { ...reads, path: `${API}/config/getall`, weight: 10, handle: describeCoins },
    { ...reads, path: `${API}/deposit/address`, weight: 10, handle: readAddress },
    { ...reads, path: `${API}/deposit/hisrec`, weight: 1, handle: listDeposits },
    { ...reads, path: `${API}/withdraw/history`, weight: 10, handle: listWithdrawals },
    {
      method: "POST",
      security: "signed",
      permission: "withdraw",
      translate: capitalRefusal,
      path: `${API}/withdraw/apply`,
      weight: 600,
      isOwnWeight: true,
      handle: withdraw,
    },
  ];
}

async function readCoins({ ask }: DialectCall): Promise<Coin[]> {
  return (await ask("GET", "/api/asset/v1/api/wallet/coins")) as Coin[];
}

async function describeCoins(call: DialectCall): Promise<readonly object[]> {
  const [coins, balances] = await Promise.all([readCoins(call), call.ask("GET", "/api/v1/spot/balance")]);
  const held = new Map((balances as SpotBalance[]).map((row) => [row.asset, row]));
  const listed = coins.map((coin) => {
    const isOpen = coin.networks.some(({ state }) => state === "open");
    const isReached = coin.networks.some(({ state }) => state !== "away");
    return {
      coin: coin.asset,
      name: coin.name,
      depositAllEnable: isReached,
      withdrawAllEnable: isOpen,
      free: held.get(coin.asset)?.available ?? "0",
      locked: held.get(coin.asset)?.frozen ?? "0",
      freeze: "0",
      withdrawing: "0",
      ipoing: "0",
      ipoable: "0",
      storage: "0",
      isLegalMoney: false,
      trading: true,
      networkList:
        coin.networks.length === 0
          ? [describeNetwork(coin, nowhere(coin), true)]
          : coin.networks.map((network, place) => describeNetwork(coin, network, place === 0)),
    };
  });
  return [...listed, DOLLAR];
}

/** A coin that moves over no chain has a network of its own, closed both ways: clients need one. */
const nowhere = ({ asset, name }: Coin): CoinNetwork => ({
  network: asset,
  name,
  state: "away",
  creditBlocks: 0,
  unlockBlocks: 0,
  depositMin: "0",
  withdrawMin: "0",
  withdrawFee: "0",
});

/** Inverse contracts are quoted in it; nobody holds it. */
const DOLLAR = {
  coin: "USD",
  name: "US Dollar",
  depositAllEnable: false,
  withdrawAllEnable: false,
  free: "0",
  locked: "0",
  freeze: "0",
  withdrawing: "0",
  ipoing: "0",
  ipoable: "0",
  storage: "0",
  isLegalMoney: true,
  trading: false,
  networkList: [],
} as const;

/** A name no other network has: clients distinguish networks of an address by it. */
const urlOf = (network: string): string => `https://${network.toLowerCase()}.network/`;

function describeNetwork(coin: Coin, one: CoinNetwork, isDefault: boolean): object {
  return {
    network: one.network,
    coin: coin.asset,
    name: one.name,
    isDefault,
    depositEnable: one.state !== "away",
    withdrawEnable: one.state === "open",
    withdrawIntegerMultiple: coin.decimals === 0 ? "1" : `0.${"1".padStart(coin.decimals, "0")}`,
    withdrawFee: one.withdrawFee,
    withdrawMin: one.withdrawMin,
    withdrawMax: "1000000000",
    depositDust: one.depositMin,
    minConfirm: one.creditBlocks,
    unLockConfirm: one.unlockBlocks,
    addressRegex: "^(0x)[0-9A-Fa-f]{40}$",
    memoRegex: "",
    sameAddress: false,
    estimatedArrivalTime: 1,
    busy: false,
    contractAddressUrl: urlOf(one.network),
  };
}

/** The network a call names, or the coin's first. */
async function readNetwork(call: DialectCall, asset: string): Promise<string> {
  const named = call.parameters.text("network");
  if (named !== undefined) return named;
  const coin = (await readCoins(call)).find((one) => one.asset === asset);
  const [first] = coin?.networks ?? [];
  if (first === undefined) throw new DialectRefusal(-4019, "Current asset is not open for withdrawal.");
  return first.network;
}

async function readAddress(call: DialectCall): Promise<object> {
  const asset = call.parameters.needText("coin");
  const body = { asset, network: await readNetwork(call, asset) };
  const { address, network } = (await call.ask("POST", `/api${CUSTODY_CALLS.address.path}`, {
    body,
  })) as DepositAddress;
  return { coin: asset, address, tag: "", url: `${urlOf(network)}${address}` };
}

async function withdraw(call: DialectCall): Promise<object> {
  const { parameters, ask, signature, requestId } = call;
  const asset = parameters.needText("coin");
  const address = parameters.needText("address");
  if (parameters.text("addressTag") !== undefined) throw new DialectRefusal(-4033, "Illegal address.");
  const amount = parameters.needDecimal("amount");
  const named = parameters.text("withdrawOrderId");
  if (named !== undefined && !new RegExp(CLIENT_ID_PATTERN).test(named)) {
    throw illegal("withdrawOrderId", CLIENT_ID_PATTERN);
  }
  // The same signed call is the same withdrawal, also after a restart.
  const made = createHash("sha256")
    .update(signature ?? requestId)
    .digest("hex")
    .slice(0, 24);
  const from = parameters.integer("walletType") === 1 ? "2" : "1";
  const network = await readNetwork(call, asset);
  const body = { asset, amount, network, address, from, clientId: named ?? made };
  const { withdrawalId } = (await ask("POST", `/api${WITHDRAW_CALLS.apply.path}`, { body })) as Withdrawal;
  return { id: withdrawalId };
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
  readonly offset: number;
  readonly limit: number;
}

function readSpan(parameters: Parameters, timeMs: number): Span {
  const toMs = parameters.integer("endTime") ?? timeMs;
  const fromMs = parameters.integer("startTime") ?? toMs - SPAN_MS;
  const limit = parameters.integer("limit", { min: 1, max: ROWS_MAX }) ?? ROWS_MAX;
  return { fromMs, toMs, offset: parameters.integer("offset") ?? 0, limit };
}

/** Newest first, page by page, as far back as requested. */
async function listBack<Row>(
  read: (query: object) => Promise<readonly Row[]>,
  timeOf: (row: Row) => number,
  { fromMs, toMs }: Span,
): Promise<readonly Row[]> {
  const found: Row[] = [];
  let before = toMs + 1;
  for (;;) {
    const rows = await read({ before, limit: PAGE });
    found.push(...rows.filter((row) => timeOf(row) >= fromMs && timeOf(row) <= toMs));
    const oldest = Math.min(...rows.map(timeOf));
    // Rows of one moment that fill a whole page cannot be distinguished by time.
    if (rows.length < PAGE || oldest < fromMs || oldest >= before || found.length >= ROWS_MAX * 2) return found;
    before = oldest;
  }
}

const DEPOSIT_STATES: Readonly<Record<DepositView["state"], number>> = {
  CONFIRMING: 0,
  UNLOCKED: 1,
  REPLACED: 2,
  CREDITED: 6,
  KEPT: 7,
};

async function listDeposits({ parameters, ask, timeMs }: DialectCall): Promise<readonly object[]> {
  const span = readSpan(parameters, timeMs);
  const [coin, status, txId] = [parameters.text("coin"), parameters.integer("status"), parameters.text("txId")];
  const read = async (query: object) =>
    ((await ask("GET", `/api${CUSTODY_CALLS.deposits.path}`, { query })) as DepositList).deposits;
  const rows = await listBack(read, ({ seenAtMs }) => seenAtMs, span);
  const fit = rows.filter(
    (row) =>
      (coin === undefined || row.asset === coin) &&
      (status === undefined || DEPOSIT_STATES[row.state] === status) &&
      (txId === undefined || row.txHash === txId),
  );
  return fit.slice(span.offset, span.offset + span.limit).map((row) => ({
    id: row.depositId,
    amount: row.amount,
    coin: row.asset,
    network: row.network,
    status: DEPOSIT_STATES[row.state],
    address: row.address,
    addressTag: "",
    txId: row.txHash,
    insertTime: row.seenAtMs,
    completeTime: row.creditedAtMs,
    transferType: 0,
    confirmTimes: `${row.confirmations}/${row.creditBlocks}`,
    unlockConfirm: row.unlockBlocks,
    walletType: 0,
  }));
}

const WITHDRAWAL_STATES: Readonly<Record<Withdrawal["state"], number>> = {
  CREATED: 0,
  CANCELLED: 1,
  VERIFY: 2,
  REVIEW: 2,
  REJECTED: 3,
  QUEUED: 4,
  BROADCAST: 4,
  CONFIRMING: 4,
  FAILED: 5,
  REFUSED: 3,
  DONE: 6,
};

const writeTime = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 19).replace("T", " ");

async function listWithdrawals({ parameters, ask, timeMs }: DialectCall): Promise<readonly object[]> {
  const span = readSpan(parameters, timeMs);
  const [coin, status, named] = [
    parameters.text("coin"),
    parameters.integer("status"),
    parameters.text("withdrawOrderId"),
  ];
  const read = async (query: object) =>
    ((await ask("GET", `/api${WITHDRAW_CALLS.list.path}`, { query })) as WithdrawalList).withdrawals;
  const rows = await listBack(read, ({ createdAtMs }) => createdAtMs, span);
  const fit = rows.filter(
    (row) =>
      (coin === undefined || row.asset === coin) &&
      (status === undefined || WITHDRAWAL_STATES[row.state] === status) &&
      (named === undefined || row.clientId === named),
  );
  return fit.slice(span.offset, span.offset + span.limit).map((row) => ({
    id: row.withdrawalId,
    amount: row.arrives,
    transactionFee: fixed(row.fee),
    coin: row.asset,
    status: WITHDRAWAL_STATES[row.state],
    address: row.address ?? "",
    addressTag: "",
    txId: row.txHash ?? "",
    applyTime: writeTime(row.createdAtMs),
    network: row.network ?? "",
    transferType: row.network === null ? 1 : 0,
    withdrawOrderId: row.clientId,
    info: row.reason,
    confirmNo: row.confirmations,
    walletType: 0,
    txKey: "",
  }));
}
