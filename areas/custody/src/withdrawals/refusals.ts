// Refusals of withdrawals, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  UNKNOWN_NETWORK: [404, "Network not found."],
  COIN_NOT_ON_NETWORK: [404, "This coin is not supported on this network."],
  UNKNOWN_ASSET: [404, "Coin not found."],
  ADDRESS_INVALID: [400, "Invalid address for this network."],
  ADDRESS_CHECKSUM: [400, "The address checksum is invalid. Copy the address again, keeping upper and lower case."],
  ADDRESS_OTHER_NETWORK: [400, "This address belongs to another blockchain. Coins sent to it would be lost."],
  ADDRESS_IS_TOKEN: [400, "This is a token contract address. Coins sent to it would be lost."],
  COIN_WITHOUT_CODE: [503, "The contract of this coin is unavailable on the network. Try again later."],
  ADDRESS_IS_HOUSE: [400, "This address belongs to the exchange."],
  ADDRESS_NOT_SAVED: [403, "The whitelist is on. Add this address to your address book first."],
  ADDRESS_RESTS: [403, "This address is locked for 24 hours after it was added or the whitelist was turned on."],
  ADDRESSES_FULL: [409, "The address book is full. Remove an entry first."],
  ADDRESS_UNKNOWN: [404, "Address not found in your address book."],
  AMOUNT_INVALID: [400, "Enter an amount above zero, with no more decimals than the coin supports."],
  AMOUNT_TOO_SMALL: [400, "The amount is below the network minimum."],
  PROOF_REQUIRED: [403, "Verification required: a code and, to send coins, your fund password or a passkey."],
  PROOF_WRONG: [403, "The fund password, passkey or code is incorrect."],
  CODE_TOO_SOON: [429, "A code was sent a moment ago; wait before asking for another."],
  CAPTCHA_REQUIRED: [403, "Solve the puzzle first."],
  UNAUTHENTICATED: [401, "Sign in first."],
  TOO_MANY_TRIES: [429, "Too many attempts. Wait before you try again."],
  WITHDRAWALS_REST: [403, "Withdrawals are locked after a security change."],
  SECURITY_CHANGED: [409, "Your security settings changed, so nothing was sent. Sign in again and retry."],
  OWNER_RESTS: [
    409,
    "The owner's account is frozen or locked after a security change. Reject it now or approve it later.",
  ],
  WITHDRAWALS_PAUSED: [503, "Withdrawals on this network are paused."],
  LIMIT_REACHED: [422, "This exceeds your 24-hour withdrawal limit."],
  IDENTITY_REQUIRED: [403, "API withdrawals require identity level 2."],
  CLIENT_ID_REUSED: [409, "This clientId was used for another withdrawal."],
  INSUFFICIENT_BALANCE: [422, "Insufficient balance."],
  IN_DEBT: [
    422,
    "A deposit was reversed by its network and must be repaid. Until then you cannot withdraw or transfer, and only actions that repay it are available.",
  ],
  RESTRICTED: [422, "Part of your balance is locked: unconfirmed deposits or recently bought coins."],
  NO_REFERENCE_PRICE: [422, "The coin has no reference price, so your limit cannot be checked. Try again later."],
  ACCOUNT_BLOCKED: [403, "Withdrawals from this account are blocked."],
  RECEIVER_UNKNOWN: [404, "User not found."],
  RECEIVER_IS_SENDER: [400, "You cannot send coins to yourself."],
  RECEIVER_NOT_SAVED: [403, "The whitelist is on. Add this user to your address book first."],
  RECEIVER_RESTS: [
    403,
    "This user is locked for 24 hours after being added to your address book or the whitelist being turned on.",
  ],
  LEDGER_AWAY: [503, "The exchange is temporarily unavailable. Retry with the same clientId."],
  WITHDRAWAL_UNKNOWN: [404, "Withdrawal not found."],
  WITHDRAWAL_UNDER_WAY: [409, "The withdrawal is in progress and can no longer be cancelled."],
  WITHDRAWAL_NOT_STUCK: [409, "The withdrawal cannot be sped up: it is not pending, or not long enough."],
  NOT_PAUSED: [409, "Withdrawals on this network are not paused."],
  WITHDRAWAL_DECIDED: [409, "This has already been decided."],
} as const satisfies RefusalTable<string>;

export type WithdrawRefusal = keyof typeof REFUSALS;

export const RECONCILE_REFUSALS = {
  RECONCILE_AWAY: [503, "A network or the ledger is unavailable. Try again."],
} as const satisfies RefusalTable<string>;
