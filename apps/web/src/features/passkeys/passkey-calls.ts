// The calls of passkeys.
import type { Authentication, KeyList, Registration } from "@clockwork/identity/passkeys/contract";
import type { Answer } from "#live/answer.ts";
import type { RequestClient } from "#live/request.ts";

const PATH = "/v2/users/passkey";
const ANYBODY = { anonymous: true } as const;

export const KEYS_PATH = `${PATH}/list`;
export type PasskeyEntry = KeyList["keys"][number];

interface Ceremony {
  readonly options: Readonly<Record<string, unknown>>;
}

export function askLogin(request: RequestClient): Promise<Answer<Ceremony>> {
  return request.postJson(`${PATH}/challenge`, {}, ANYBODY);
}

export function loginWith(request: RequestClient, response: Authentication): Promise<Answer<{ readonly id: string }>> {
  return request.postJson(`${PATH}/login`, { response }, ANYBODY);
}

export function askBinding(request: RequestClient): Promise<Answer<Ceremony>> {
  return request.postJson(`${PATH}/bind/challenge`, {});
}

export function bindWith(request: RequestClient, response: Registration, name: string): Promise<Answer<null>> {
  return request.postJson(`${PATH}/bind`, { response, ...(name === "" ? {} : { name }) });
}

export function removeKey(request: RequestClient, id: string): Promise<Answer<null>> {
  return request.postJson(`${PATH}/remove`, { id });
}

export function renameKey(request: RequestClient, id: string, name: string): Promise<Answer<null>> {
  return request.postJson(`${PATH}/rename`, { id, name });
}
