// The calls of a fresh proof: a code that is sent, an authenticator's, or a passkey.
import type { CaptchaAnswer } from "@clockwork/identity/captcha/contract";
import type { CodeSent, Overview, StepUpBody } from "@clockwork/identity/security/contract";
import type { Answer } from "#live/answer.ts";
import type { RequestClient } from "#live/request.ts";
import { showPasskey } from "./passkey-credential.ts";

const SECURITY = "/v2/users/security";
const PASSKEY = "/v2/users/passkey";

export type StepUpKind = Overview["stepUp"];

export function sendStepUpCode(request: RequestClient, captcha: CaptchaAnswer | undefined): Promise<Answer<CodeSent>> {
  return request.postJson(`${SECURITY}/step-up/code`, captcha === undefined ? {} : { captcha });
}

export function stepUp(request: RequestClient, codes: StepUpBody["codes"]): Promise<Answer<null>> {
  return request.postJson(`${SECURITY}/step-up`, { codes });
}

/** Undefined when the person said no or the device could not. */
export async function stepUpByPasskey(request: RequestClient): Promise<Answer<null> | undefined> {
  const challenge = await request.postJson<{ readonly options: unknown }>(`${PASSKEY}/challenge`, {});
  if (!challenge.ok) return challenge;
  const response = await showPasskey(challenge.data.options);
  return response === undefined ? undefined : request.postJson(`${PASSKEY}/step-up`, { response });
}
