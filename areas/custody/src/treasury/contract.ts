// Operators' view of the hot and the cold wallet, and how a refill is prepared and submitted. Amounts are exact decimal
// text. The only file of the slice a browser may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

const AssetCode = Type.String({ pattern: "^[A-Z0-9]{1,12}$", maxLength: 12 });
const NetworkCode = Type.String({ pattern: "^[A-Z0-9]{2,12}$", maxLength: 12 });
const AmountText = Type.String({ pattern: "^(0|[1-9][0-9]{0,23})(\\.[0-9]{1,18})?$", maxLength: 44 });

export const Level = Type.Object({
  network: Type.String(),
  asset: Type.String(),
  hot: Type.String(),
  cold: Type.String(),
  /** At users' deposit addresses, to be swept. */
  deposits: Type.String(),
  /** Below this the hot wallet is to be filled up, and with how much. */
  low: Type.String(),
  refill: Type.String(),
  isLow: Type.Boolean(),
});
export const Move = Type.Object({
  network: Type.String(),
  kind: Type.Enum(["sweep", "refill"]),
  sender: Type.String(),
  asset: Type.String(),
  chainUnits: Type.String(),
  state: Type.Enum(["OPEN", "DONE", "FAILED"]),
  txHash: Type.Union([Type.String(), Type.Null()]),
  begunAtMs: Type.Integer(),
});
export const Levels = Type.Object({ levels: Type.Array(Level), moves: Type.Array(Move) });
export type Levels = Static<typeof Levels>;

export const PrepareBody = Type.Object(
  { network: NetworkCode, asset: AssetCode, amount: AmountText },
  { additionalProperties: false },
);
/** A file to be carried to the machine with the cold key; it contains no secrets. */
export const RefillFile = Type.Object({
  kind: Type.Literal("clockwork-refill-1"),
  network: Type.String(),
  chainId: Type.Integer(),
  from: Type.String(),
  /** The hot wallet, and the coin's contract or null for the chain's own coin. */
  to: Type.String(),
  contract: Type.Union([Type.String(), Type.Null()]),
  asset: Type.String(),
  units: Type.String(),
  nonce: Type.Integer(),
  gas: Type.String(),
  maxFee: Type.String(),
  tip: Type.String(),
});
export type RefillFile = Static<typeof RefillFile>;
export const SubmitBody = Type.Object(
  { network: NetworkCode, raw: Type.String({ pattern: "^0x[0-9a-f]{2,2000}$", maxLength: 2002 }) },
  { additionalProperties: false },
);
export const Submitted = Type.Object({ txHash: Type.String(), asset: Type.String(), amount: Type.String() });

export const TREASURY_CALLS = {
  levels: endpoint("GET", "/v2/operators/custody/levels", {
    query: Type.Object({}),
    output: Levels,
    refusals: REFUSALS,
  }),
  prepare: endpoint("POST", "/v2/operators/custody/refill/prepare", {
    body: PrepareBody,
    output: RefillFile,
    refusals: REFUSALS,
  }),
  submit: endpoint("POST", "/v2/operators/custody/refill/submit", {
    body: SubmitBody,
    output: Submitted,
    refusals: REFUSALS,
  }),
};
