// A fresh proof by passkey.
import { PASSKEY_CALLS } from "@clockwork/identity/passkeys/contract";
import type { Overview } from "@clockwork/identity/security/contract";
import type { CodeOf } from "@clockwork/kit/endpoint";
import type { Answer } from "#live/answer.ts";
import type { RequestClient } from "#live/request.ts";
import { showPasskey } from "./passkey-credential.ts";

export type StepUpKind = Overview["stepUp"];

/** Undefined when the user declined or the device could not. */
export async function stepUpByPasskey(
  request: RequestClient,
): Promise<Answer<null, CodeOf<typeof PASSKEY_CALLS.stepUp>> | undefined> {
  const challenge = await request.call(PASSKEY_CALLS.challenge, {});
  if (!challenge.ok) return challenge;
  const response = await showPasskey(challenge.data.options);
  return response === undefined ? undefined : request.call(PASSKEY_CALLS.stepUp, { response });
}
