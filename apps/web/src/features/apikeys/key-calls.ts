// The calls of the API key page.
import type { AddedKey, AddKeyBody, ApiKey, UpdateKeyBody } from "@clockwork/identity/apikeys/contract";
import type { Answer } from "#live/answer.ts";
import type { RequestClient } from "#live/request.ts";

const PATH = "/v2/users/api-keys";
export const API_KEYS_PATH = `${PATH}/list`;

export function addKey(request: RequestClient, body: AddKeyBody): Promise<Answer<AddedKey>> {
  return request.postJson(`${PATH}/add`, body);
}

export function updateKey(request: RequestClient, body: UpdateKeyBody): Promise<Answer<ApiKey>> {
  return request.postJson(`${PATH}/update`, body);
}

export function deleteKey(request: RequestClient, apiKey: string): Promise<Answer<null>> {
  return request.postJson(`${PATH}/delete`, { apiKey });
}
