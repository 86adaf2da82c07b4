// The wire contract of the wallet: a user's books with their balances, transfers between them, bills. The only file of
// the slice a browser may import. Amounts are exact decimal text.

import { WALLET_TYPES, type WalletType } from "@clockwork/kit/books";
import { endpoint } from "@clockwork/kit/endpoint";
import { CLIENT_ID_LENGTH_MAX, CLIENT_ID_PATTERN } from "@clockwork/kit/intent/client-id";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

const [first, ...more] = Object.keys(WALLET_TYPES) as [WalletType, ...WalletType[]];
const WalletTypeName = Type.Enum([first, ...more]);
/** Users transfer between these; an inverse book is that of the transferred coin. */
const MovableType = Type.Enum(["1", "2", "3", "4"]);
export type MovableType = Static<typeof MovableType>;
/**
 * Identifies one of several such books: the coin of an inverse one, the number of a bot or a copy; null where there is
 * only one.
 */
const Sub = Type.Union([Type.String(), Type.Null()]);

const DecimalText = Type.String();
const DecimalInput = Type.String({ pattern: "^(0|[1-9][0-9]{0,23})(\\.[0-9]{1,18})?$", maxLength: 44 });
const AssetCode = Type.String({ pattern: "^[A-Z0-9]{1,12}$", maxLength: 12 });

export const WalletAccountBody = Type.Object(
  { walletTypeList: Type.Array(WalletTypeName, { minItems: 1, maxItems: 9 }) },
  { additionalProperties: false },
);
export const WalletAsset = Type.Object({
  asset: Type.String(),
  name: Type.String(),
  available: DecimalText,
  frozen: DecimalText,
  total: DecimalText,
  worthUsdt: Type.Union([DecimalText, Type.Null()]),
});
export type WalletAsset = Static<typeof WalletAsset>;
export const WalletAccount = Type.Object({
  walletType: WalletTypeName,
  sub: Sub,
  name: Type.String(),
  totalUsdt: DecimalText,
  assets: Type.Array(WalletAsset),
});
export type WalletAccount = Static<typeof WalletAccount>;
/** A coin over every wallet: available + reserved + invested = total, as `kit/wallet/equity` counts them. */
export const WalletCoin = Type.Object({
  asset: Type.String(),
  name: Type.String(),
  total: DecimalText,
  /** Free in spot and funding. */
  available: DecimalText,
  /** Frozen there, offered in an ad, committed to a launch or paid as a bond. */
  reserved: DecimalText,
  /** In earn, futures, copies and bots. */
  invested: DecimalText,
  worthUsdt: Type.Union([DecimalText, Type.Null()]),
});
export type WalletCoin = Static<typeof WalletCoin>;
export const WalletAccounts = Type.Object({
  /** Of the requested wallets. */
  totalUsdt: DecimalText,
  /** Equity: every wallet of the account, requested or not, and committed funds. */
  allUsdt: DecimalText,
  /** The parts of the equity. */
  availableUsdt: DecimalText,
  reservedUsdt: DecimalText,
  investedUsdt: DecimalText,
  /** Of the reserved funds: committed to launches and bonds, at its cost; it is in no wallet. */
  committedUsdt: DecimalText,
  /** Over every wallet, the most valuable first. */
  coins: Type.Array(WalletCoin),
  accounts: Type.Array(WalletAccount),
});
export type WalletAccounts = Static<typeof WalletAccounts>;

const transfer = {
  asset: AssetCode,
  amount: DecimalInput,
  from: MovableType,
  to: MovableType,
  /** The inverse book by its coin, which is the coin that is moved. */
  sub: Type.Optional(AssetCode),
};
/** Instant and free; the same clientId never moves money twice. */
export const TransferBody = Type.Object(
  {
    ...transfer,
    clientId: Type.String({ pattern: CLIENT_ID_PATTERN, maxLength: CLIENT_ID_LENGTH_MAX }),
  },
  { additionalProperties: false },
);
export const TransferResult = Type.Object({ clientId: Type.String(), sequence: Type.Integer() });
/** A preview of a transfer: nothing is moved and no account is opened. */
export const PreviewBody = Type.Object(transfer, { additionalProperties: false });
export const TransferPreview = Type.Object({
  asset: Type.String(),
  /** Almighty gold of the source account, and how much of it the transfer would void. */
  gold: DecimalText,
  goldVoided: DecimalText,
});
export type TransferPreview = Static<typeof TransferPreview>;

export const BillsQuery = Type.Object({
  walletType: Type.Optional(WalletTypeName),
  asset: Type.Optional(AssetCode),
  /** One business, or several with commas between. */
  business: Type.Optional(Type.String({ pattern: "^[A-Za-z]{1,32}(,[A-Za-z]{1,32}){0,29}$", maxLength: 400 })),
  /** A part of the reference, case-insensitive. */
  search: Type.Optional(Type.String({ pattern: "^[A-Za-z0-9:./-]{1,64}$", maxLength: 64 })),
  from: Type.Optional(Type.Integer({ minimum: 0, maximum: 8_640_000_000_000 })),
  to: Type.Optional(Type.Integer({ minimum: 0, maximum: 8_640_000_000_000 })),
  /** Only changes worth at least this much USDT at last prices; coins without a price are always shown. */
  least: Type.Optional(DecimalInput),
  before: Type.Optional(Type.String({ pattern: "^[0-9]{1,15}(-[0-9]{1,6})?$", maxLength: 23 })),
  /** A page by its number, from 1, instead of `before`; returned with `total`. */
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
});
/** One leg of one posting: the change and the balance after it. */
export const Bill = Type.Object({
  id: Type.String(),
  walletType: WalletTypeName,
  sub: Sub,
  asset: Type.String(),
  business: Type.String(),
  change: DecimalText,
  balance: DecimalText,
  reference: Type.Union([Type.String(), Type.Null()]),
  timeMs: Type.Integer(),
});
export type Bill = Static<typeof Bill>;
/** Numbered pages end here; older bills are found by days, or by `before`. */
export const BILLS_COUNTED_MAX = 10_000;
export const BillPage = Type.Object({
  bills: Type.Array(Bill),
  next: Type.Union([Type.String(), Type.Null()]),
  /**
   * The number of bills, counted up to 10 000, where a page was requested by its number; an upper bound for large ones
   * far back.
   */
  total: Type.Union([Type.Integer(), Type.Null()]),
});
export type BillPage = Static<typeof BillPage>;

/** A coin and the worth of one of it in USDT at the last price; null without a pair. */
export const CoinNetwork = Type.Object({
  network: Type.String(),
  name: Type.String(),
  /** open: both ways. away: no node is available. paused: no withdrawals. */
  state: Type.Enum(["open", "away", "paused"]),
  creditBlocks: Type.Integer(),
  unlockBlocks: Type.Integer(),
  depositMin: DecimalText,
  withdrawMin: DecimalText,
  withdrawFee: DecimalText,
});
export type CoinNetwork = Static<typeof CoinNetwork>;
export const Coin = Type.Object({
  asset: Type.String(),
  name: Type.String(),
  decimals: Type.Integer(),
  priceUsdt: Type.Union([DecimalText, Type.Null()]),
  /** The chains it can be moved over, with their rules. */
  networks: Type.Array(CoinNetwork),
});
export type Coin = Static<typeof Coin>;

/**
 * Private live channel "balances", biz "wallet", numbered by journal sequence: every book of the user. Snapshot data
 * BookBalance[], then those that changed; worth is that of the moment it was published.
 */
export const BookBalance = Type.Object({ walletType: WalletTypeName, sub: Sub, ...WalletAsset.properties });
export type BookBalance = Static<typeof BookBalance>;
export const WALLET_CHANNEL = "balances";
export const WALLET_BIZ = "wallet";

export const WALLET_CALLS = {
  accounts: endpoint("POST", "/asset/v1/api/wallet/account", {
    body: WalletAccountBody,
    output: WalletAccounts,
    refusals: REFUSALS,
  }),
  transfer: endpoint("POST", "/asset/v1/api/wallet/transfer", {
    body: TransferBody,
    output: TransferResult,
    refusals: REFUSALS,
  }),
  previewTransfer: endpoint("POST", "/asset/v1/api/wallet/transfer/preview", {
    body: PreviewBody,
    output: TransferPreview,
    refusals: REFUSALS,
  }),
  bills: endpoint("GET", "/asset/v1/api/wallet/bills", { query: BillsQuery, output: BillPage, refusals: REFUSALS }),
  coins: endpoint("GET", "/asset/v1/api/wallet/coins", { output: Type.Array(Coin) }),
};
