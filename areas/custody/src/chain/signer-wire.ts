// Owns the protocol of the signer's process. Nothing that could reveal a key ever crosses this channel.

export interface SignerCoin {
  readonly asset: string;
  readonly contract: string | null;
  /** Base units one payment and one day may be, as decimal text. */
  readonly paymentMax: string;
  readonly dayMax: string;
}

export interface SignerNetwork {
  readonly network: string;
  readonly chainId: number;
  /** The one contract that may be called for batch payouts, and get allowances for them. */
  readonly payoutContract: string | null;
  readonly coins: readonly SignerCoin[];
}

export interface SignerStart {
  readonly folder: string;
  readonly networks: readonly SignerNetwork[];
  readonly known: KnownHouse;
}

interface Fees {
  readonly nonce: number;
  readonly gas: string;
  readonly maxFee: string;
  readonly tip: string;
}

/** One of several payments in a batch. Its key is unique for ever, as if it left separately. */
export interface SignerPart {
  readonly key: string;
  readonly to: string;
  readonly units: string;
}

export type SignerRequest =
  /** To an outside address. The same key is the same payment for ever: signed again only with another fee. */
  | ({
      readonly kind: "pay";
      readonly key: string;
      readonly network: string;
      readonly asset: string;
      readonly to: string;
      readonly units: string;
    } & Fees)
  /** To several outside addresses at once. */
  | ({
      readonly kind: "payMany";
      readonly key: string;
      readonly network: string;
      readonly asset: string;
      readonly parts: readonly SignerPart[];
    } & Fees)
  /** Sets the batch payout contract's allowance of a token to the daily limit, or to zero. */
  | ({
      readonly kind: "allow";
      readonly key: string;
      readonly network: string;
      readonly asset: string;
      readonly isReset: boolean;
    } & Fees)
  /** From a user's deposit address to the hot wallet, and nowhere else. */
  | ({
      readonly kind: "sweep";
      readonly network: string;
      readonly asset: string;
      readonly userId: number;
      readonly units: string;
    } & Fees)
  /** Gas from the hot wallet to a user's deposit address. */
  | ({
      readonly kind: "topUp";
      readonly key: string;
      readonly network: string;
      readonly userId: number;
      readonly units: string;
    } & Fees);

export interface Signed {
  readonly raw: string;
  readonly hash: string;
}

export type SignerRefusal =
  | "POLICY_NETWORK"
  | "POLICY_COIN"
  | "POLICY_SHAPE"
  | "POLICY_RECEIVER"
  | "POLICY_PAYMENT_MAX"
  | "POLICY_DAY_MAX"
  | "POLICY_FEE"
  | "POLICY_CHANGED"
  | "POLICY_NONCE";

/** Public data: the root of deposit addresses, and the exchange's own addresses. */
export interface SignerPublic {
  readonly extendedPublicKey: string;
  readonly hot: string;
  readonly cold: string;
}

/** The keys the exchange has used, from its tables. */
export interface KnownHouse extends Partial<SignerPublic> {
  /** Deposit addresses were issued. */
  readonly hasAddresses: boolean;
}

export type SignerMessage =
  /** The keys in use are missing: nothing is signed until they are present and the process has restarted. */
  | { readonly kind: "refused"; readonly message: string }
  | ({ readonly kind: "ready" } & SignerPublic)
  | { readonly kind: "answer"; readonly id: number; readonly signed?: Signed; readonly wrong?: string };
