// Withdraws by an API key of the Binance dialect: no code and no password, so that the clock need not be moved.
import { createHmac } from "node:crypto";
import { wallMs } from "@clockwork/host/time/measure";
import type { Visitor } from "@clockwork/server/process/account-fixture";

export interface SoakKey {
  readonly apiKey: string;
  readonly secret: string;
}

/** The longest window permitted: a busy machine only makes calls later. */
const RECEIVE_MS = 60_000;
const CLOCK_WRONG = -1_021;

export async function openKey(visitor: Visitor): Promise<SoakKey> {
  const body = { label: "soak", kind: "HMAC", permissions: ["read", "withdraw"], ipList: ["127.0.0.1"] };
  const { data, status, message } = await visitor.post("/v2/users/api-keys/add", body);
  if (status !== 200) throw new Error(`no key: ${message}`);
  return data as SoakKey;
}

/** How far the exchange's clock is ahead of this machine's. */
let aheadMs = 0;

/** Undefined when it was accepted, else the code of the refusal. */
export async function withdrawByKey(
  url: string,
  { apiKey, secret }: SoakKey,
  request: Readonly<Record<string, string>>,
): Promise<number | undefined> {
  const values = { ...request, recvWindow: String(RECEIVE_MS), timestamp: String(wallMs() + aheadMs) };
  const plain = new URLSearchParams(values).toString();
  const signature = createHmac("sha256", secret).update(plain).digest("hex");
  const path = `${url}/sapi/v1/capital/withdraw/apply?${plain}&signature=${signature}`;
  const response = await fetch(path, { method: "POST", headers: { "x-mbx-apikey": apiKey } });
  const answer = (await response.json()) as { id?: string; code?: number };
  if (answer.code === CLOCK_WRONG) {
    const { serverTime } = (await (await fetch(`${url}/api/v3/time`)).json()) as { serverTime: number };
    aheadMs = serverTime - wallMs();
  }
  return answer.id === undefined ? (answer.code ?? 0) : undefined;
}

/** Far enough apart that no two rounds share a number. */
const APART = 1_000_001;

/** The numbers of concurrent requests: in every third round several, which can leave together. */
export const atOnce = (index: number): readonly number[] =>
  Array.from({ length: index % 3 === 1 ? 3 : 1 }, (_, at) => index + at * APART);
