// The calls of withdrawals.

import {
  type AddressBook,
  type CodeSent,
  type Limits,
  type Proof,
  WITHDRAW_CALLS,
  type Withdrawal,
} from "@clockwork/custody/withdrawals/contract";
import { PASSKEY_CALLS } from "@clockwork/identity/passkeys/contract";
import type { Answer } from "#live/answer.ts";
import { sendIntent } from "#live/intent.ts";
import type { RequestClient } from "#live/request.ts";
import { showPasskey } from "#session/passkey-credential.ts";

export interface WithdrawRequest {
  readonly asset: string;
  readonly network: string;
  readonly address: string;
  readonly amount: string;
}

/** What the exchange takes as the name of one movement of money. */
const CLIENT_ID_LENGTH = 24;

/** The same wish keeps its id until the exchange has answered for certain: two presses withdraw once. */
export function applyWithdrawal(
  request: RequestClient,
  choice: WithdrawRequest,
  proof: Proof,
): Promise<Answer<Withdrawal>> {
  const mint = () => request.mintOrderId().slice(-CLIENT_ID_LENGTH);
  return sendIntent("withdraw", choice, { mint, nowMs: Date.now() }, (clientId) =>
    request.call(WITHDRAW_CALLS.apply, { ...choice, clientId, proof }),
  );
}

/** A code that confirms this withdrawal and nothing else; refused as the withdrawal would be. */
export function sendWithdrawalCode(
  request: RequestClient,
  choice: { readonly asset: string; readonly amount: string } & (
    | { readonly network: string; readonly address: string }
    | { readonly to: string }
  ),
  captcha: Readonly<Record<string, string>> | undefined,
): Promise<Answer<CodeSent>> {
  return request.call(WITHDRAW_CALLS.code, { ...choice, captcha });
}

/** As a withdrawal: one wish, one id, until the exchange has answered for certain. */
export function sendToUser(
  request: RequestClient,
  choice: { readonly asset: string; readonly to: string; readonly amount: string },
  proof: Proof,
): Promise<Answer<Withdrawal>> {
  const mint = () => request.mintOrderId().slice(-CLIENT_ID_LENGTH);
  return sendIntent("send", choice, { mint, nowMs: Date.now() }, (clientId) =>
    request.call(WITHDRAW_CALLS.transfer, { ...choice, clientId, proof }),
  );
}

export function cancelWithdrawal(request: RequestClient, withdrawalId: string): Promise<Answer<Withdrawal>> {
  return request.call(WITHDRAW_CALLS.cancel, { withdrawalId });
}

export function speedUp(request: RequestClient, withdrawalId: string): Promise<Answer<Withdrawal>> {
  return request.call(WITHDRAW_CALLS.speedUp, { withdrawalId });
}

export function saveAddress(
  request: RequestClient,
  body: { readonly network: string; readonly address: string; readonly name: string; readonly code: string },
): Promise<Answer<AddressBook>> {
  return request.call(WITHDRAW_CALLS.addAddress, body);
}

export function removeAddress(request: RequestClient, network: string, address: string): Promise<Answer<AddressBook>> {
  return request.call(WITHDRAW_CALLS.deleteAddress, { network, address });
}

export function setWhitelist(request: RequestClient, isWhitelist: boolean, code: string): Promise<Answer<AddressBook>> {
  return request.call(WITHDRAW_CALLS.riskControl, { isWhitelist, code });
}

/** Undefined when the user declined or the device could not. */
export async function requestPasskey(request: RequestClient): Promise<Proof["passkey"] | undefined> {
  const challenge = await request.call(PASSKEY_CALLS.challenge, {});
  if (!challenge.ok) return undefined;
  return (await showPasskey(challenge.data.options)) as Proof["passkey"] | undefined;
}

export type { Limits };
