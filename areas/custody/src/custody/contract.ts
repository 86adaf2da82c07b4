// The wire contract of custody: networks of coins, deposit addresses, deposits. Amounts are exact decimal text. The
// only file of the slice a browser may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { type Static, Type } from "typebox";
import { CHAIN_REFUSALS, REFUSALS } from "./refusals.ts";

const AssetCode = Type.String({ pattern: "^[A-Z0-9]{1,12}$", maxLength: 12 });
const NetworkCode = Type.String({ pattern: "^[A-Z0-9]{2,12}$", maxLength: 12 });
const AddressText = Type.String({ pattern: "^0x[0-9a-fA-F]{40}$", maxLength: 42 });
const AmountText = Type.String({ pattern: "^(0|[1-9][0-9]{0,23})(\\.[0-9]{1,18})?$", maxLength: 44 });

export const NetworkView = Type.Object({
  network: Type.String(),
  name: Type.String(),
  /** Its coins have no value; users may request some. */
  isTest: Type.Boolean(),
  /** open: deposits and withdrawals run. away: no node is available. paused: withdrawals are stopped. */
  state: Type.Enum(["open", "away", "paused"]),
  /**
   * The state of the signer. away: withdrawals wait for a moment. refused: the keys are missing, and withdrawals are
   * paused.
   */
  signer: Type.Enum(["ready", "away", "refused"]),
  blockSeconds: Type.Number(),
  creditBlocks: Type.Integer(),
  unlockBlocks: Type.Integer(),
  /** The newest block that was read, and its age. */
  block: Type.Union([Type.Integer(), Type.Null()]),
  blockAgeMs: Type.Union([Type.Integer(), Type.Null()]),
  coins: Type.Array(
    Type.Object({
      asset: Type.String(),
      contract: Type.Union([Type.String(), Type.Null()]),
      depositMin: Type.String(),
      withdrawMin: Type.String(),
      withdrawFee: Type.String(),
    }),
  ),
});
export type NetworkView = Static<typeof NetworkView>;

export const DepositAddressBody = Type.Object(
  { asset: AssetCode, network: NetworkCode },
  { additionalProperties: false },
);
export const DepositAddress = Type.Object({
  asset: Type.String(),
  network: Type.String(),
  address: Type.String(),
  depositMin: Type.String(),
});
export type DepositAddress = Static<typeof DepositAddress>;

export const DepositView = Type.Object({
  depositId: Type.String(),
  network: Type.String(),
  asset: Type.String(),
  amount: Type.String(),
  txHash: Type.String(),
  address: Type.String(),
  from: Type.String(),
  /**
   * CONFIRMING until it is credited; KEPT below the minimum; CREDITED can be traded; UNLOCKED may leave; REPLACED is in
   * no block.
   */
  state: Type.Enum(["CONFIRMING", "KEPT", "CREDITED", "UNLOCKED", "REPLACED"]),
  confirmations: Type.Integer(),
  creditBlocks: Type.Integer(),
  unlockBlocks: Type.Integer(),
  blockNumber: Type.Union([Type.Integer(), Type.Null()]),
  seenAtMs: Type.Integer(),
  creditedAtMs: Type.Union([Type.Integer(), Type.Null()]),
});
export type DepositView = Static<typeof DepositView>;
export const DepositsQuery = Type.Object({
  before: Type.Optional(Type.Integer({ minimum: 1, maximum: 8_640_000_000_000 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
});
export const DepositList = Type.Object({ deposits: Type.Array(DepositView) });
export type DepositList = Static<typeof DepositList>;

/**
 * Private live channel: the caller's newest deposits, published again whenever one of them or its confirmations change.
 */
export const DEPOSITS_CHANNEL = "deposits";

// The development chains of the default run

export const ChainFaucetBody = Type.Object(
  { network: NetworkCode, asset: AssetCode, address: AddressText, amount: AmountText },
  { additionalProperties: false },
);
export const ChainFaucetResult = Type.Object({ txHash: Type.String() });
export const ChainMineBody = Type.Object(
  { network: NetworkCode, blocks: Type.Integer({ minimum: 1, maximum: 10_000 }) },
  { additionalProperties: false },
);
export const ChainReorgBody = Type.Object(
  {
    network: NetworkCode,
    depth: Type.Integer({ minimum: 1, maximum: 32 }),
    /** The replaced blocks' transactions are dropped; omitted, they wait to be mined again. */
    dropped: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export const ChainHead = Type.Object({ network: Type.String(), block: Type.Integer() });

/** Debt after a reorganisation took back a deposit that was spent. */
export const DebtList = Type.Array(Type.Object({ asset: Type.String(), owed: AmountText }));
export type DebtList = Static<typeof DebtList>;

export const OwedList = Type.Array(
  Type.Object({ user: Type.String(), asset: Type.String(), owed: AmountText, changedAtMs: Type.Integer() }),
);
export type OwedList = Static<typeof OwedList>;

export const UnknownList = Type.Array(
  Type.Object({
    network: Type.String(),
    txHash: Type.String(),
    contract: Type.String(),
    user: Type.String(),
    chainUnits: Type.String(),
    seenAtMs: Type.Integer(),
  }),
);

export const CUSTODY_CALLS = {
  networks: endpoint("GET", "/asset/v1/api/wallet/networks", { output: Type.Array(NetworkView) }),
  address: endpoint("POST", "/asset/v1/api/deposit/address", {
    body: DepositAddressBody,
    output: DepositAddress,
    refusals: REFUSALS,
  }),
  deposits: endpoint("GET", "/asset/v1/api/deposit/list", { query: DepositsQuery, output: DepositList }),
  debts: endpoint("GET", "/asset/v1/api/wallet/debts", { output: DebtList }),
  owed: endpoint("GET", "/v2/operators/custody/debts", { output: OwedList }),
  unknown: endpoint("GET", "/v2/operators/custody/unknown", { output: UnknownList }),
};

const bases = ["root"] as const;

/** Calls of the development chains, in the default run only. */
export const CHAIN_CALLS = {
  faucet: endpoint("POST", "/dev/chain/faucet", {
    body: ChainFaucetBody,
    output: ChainFaucetResult,
    refusals: CHAIN_REFUSALS,
    bases,
  }),
  mine: endpoint("POST", "/dev/chain/mine", {
    body: ChainMineBody,
    output: ChainHead,
    refusals: CHAIN_REFUSALS,
    bases,
  }),
  reorg: endpoint("POST", "/dev/chain/reorg", {
    body: ChainReorgBody,
    output: ChainHead,
    refusals: CHAIN_REFUSALS,
    bases,
  }),
};
