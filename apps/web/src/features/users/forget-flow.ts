// What setting a new password remembers between its screens, and the calls it makes.
import type { CaptchaAnswer } from "@clockwork/identity/captcha/contract";
import type { CodeSent, ForgetTicket } from "@clockwork/identity/credentials/contract";
import type { Answer } from "#live/answer.ts";
import type { RequestClient } from "#live/request.ts";
import { createFlow } from "#session/auth-flow.ts";

export interface ForgetFlow {
  readonly account: string;
  readonly sentAtMs: number;
  readonly ticket?: string;
  readonly needsTotp?: boolean;
}

const KEEP_MS = 10 * 60_000;

export const forgetFlow = createFlow<ForgetFlow>("cw_forget", KEEP_MS);

const PATH = "/v2/users/forget";
const ANYBODY = { anonymous: true } as const;

export function sendResetCode(
  request: RequestClient,
  account: string,
  captcha: CaptchaAnswer | undefined,
): Promise<Answer<CodeSent>> {
  return request.postJson(`${PATH}/code`, { account, ...(captcha === undefined ? {} : { captcha }) }, ANYBODY);
}

export function validateReset(request: RequestClient, account: string, code: string): Promise<Answer<ForgetTicket>> {
  return request.postJson(`${PATH}/validate`, { account, code }, ANYBODY);
}

export function resetPassword(
  request: RequestClient,
  body: { readonly ticket: string; readonly password: string; readonly totp?: string },
): Promise<Answer<null>> {
  return request.postJson(`${PATH}/reset`, body, ANYBODY);
}
