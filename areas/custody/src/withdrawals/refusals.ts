// Refusals of withdrawals, with status and message.
import type { RefusalTable } from "@clockwork/kit/endpoint";

export const REFUSALS = {
  UNKNOWN_NETWORK: [404, "There is no such network."],
  COIN_NOT_ON_NETWORK: [404, "This network does not carry the coin."],
  UNKNOWN_ASSET: [404, "There is no such coin."],
  ADDRESS_INVALID: [400, "This is no address of the network."],
  ADDRESS_CHECKSUM: [
    400,
    "The address fails its checksum: a letter is wrong, or its capitals were lost. Copy it again.",
  ],
  ADDRESS_OTHER_NETWORK: [400, "This is an address of another blockchain: whatever is sent there from here is lost."],
  ADDRESS_IS_TOKEN: [400, "This is the address of a coin itself: whatever is sent there is lost."],
  COIN_WITHOUT_CODE: [503, "There is no contract of this coin on the network now, so nothing could arrive. Try later."],
  ADDRESS_IS_HOUSE: [400, "This is an address of the exchange itself."],
  ADDRESS_NOT_SAVED: [403, "Only saved addresses may be used; add this one to your address book first."],
  ADDRESS_RESTS: [
    403,
    "This address rests for 24 hours since it was added, or since only saved addresses may be used.",
  ],
  ADDRESSES_FULL: [409, "The address book is full; remove some first."],
  ADDRESS_UNKNOWN: [404, "There is no such address in your book."],
  AMOUNT_INVALID: [400, "Give an amount above zero with as many decimals as the coin has."],
  AMOUNT_TOO_SMALL: [400, "The amount is below the network's minimum."],
  PROOF_REQUIRED: [403, "Prove it first: a code, and to send coins your fund password or a passkey too."],
  PROOF_WRONG: [403, "The fund password, the passkey or the code is wrong."],
  CODE_TOO_SOON: [429, "A code was sent a moment ago; wait before asking for another."],
  CAPTCHA_REQUIRED: [403, "Solve the puzzle first."],
  UNAUTHENTICATED: [401, "Sign in first."],
  TOO_MANY_TRIES: [429, "Too many tries; wait before the next one."],
  WITHDRAWALS_REST: [403, "Withdrawals rest after a change of your account's security."],
  SECURITY_CHANGED: [409, "Your account's security changed meanwhile, so nothing was sent; sign in and ask again."],
  OWNER_RESTS: [
    409,
    "Its owner's account is frozen or rests after a change of its security; refuse it now, or release it afterwards.",
  ],
  WITHDRAWALS_PAUSED: [503, "Withdrawals over this network are paused."],
  LIMIT_REACHED: [422, "This is more than you may withdraw in 24 hours."],
  IDENTITY_REQUIRED: [403, "Programs withdraw for people of the second identity level."],
  CLIENT_ID_REUSED: [409, "This clientId was used for another withdrawal."],
  INSUFFICIENT_BALANCE: [422, "There is not enough of this coin in the account."],
  IN_DEBT: [
    422,
    "A deposit of yours was taken back by its network and is owed: until it is repaid, nothing can leave and only what repays it is open.",
  ],
  RESTRICTED: [
    422,
    "Part of what you have must stay for now: deposits on their way, or coins bought a short while ago.",
  ],
  NO_REFERENCE_PRICE: [
    422,
    "This coin has no price now, so nobody can say whether it is within your limit. Try later.",
  ],
  ACCOUNT_BLOCKED: [403, "Nothing may leave this account."],
  RECEIVER_UNKNOWN: [404, "There is nobody of this name here."],
  RECEIVER_IS_SENDER: [400, "You cannot send to yourself."],
  RECEIVER_NOT_SAVED: [403, "Only users in your address book may be paid; add this one first."],
  RECEIVER_RESTS: [
    403,
    "This user rests for 24 hours since being added to your address book, or since only saved addresses may be used.",
  ],
  LEDGER_AWAY: [503, "The exchange cannot answer now; ask again with the same clientId."],
  WITHDRAWAL_UNKNOWN: [404, "There is no such withdrawal."],
  WITHDRAWAL_UNDER_WAY: [409, "It is on its way and cannot be cancelled any more."],
  WITHDRAWAL_NOT_STUCK: [409, "It cannot be sped up: it is not waiting for a block, or not long enough yet."],
  NOT_PAUSED: [409, "Withdrawals over this network are not paused by anybody."],
  WITHDRAWAL_DECIDED: [409, "Somebody has decided about this already."],
} as const satisfies RefusalTable<string>;

export type WithdrawRefusal = keyof typeof REFUSALS;

export const RECONCILE_REFUSALS = {
  RECONCILE_AWAY: [503, "Some network does not answer, or the ledger is busy; ask again."],
} as const satisfies RefusalTable<string>;
