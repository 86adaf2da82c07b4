// Withdraws as a program does, by a key of the Binance dialect: no code and no password, so that no clock must be moved on.
import { createHmac } from "node:crypto";
import { wallMs } from "@clockwork/host/time/measure";
import type { Visitor } from "@clockwork/server/process/account-fixture";

export interface SoakKey {
  readonly apiKey: string;
  readonly secret: string;
}

/** The longest that is offered: a busy machine only makes calls later. */
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

/** Nothing when it was taken, else the code of the refusal. */
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

/** Far enough apart that no round has the number of another's. */
const APART = 1_000_001;

/** The numbers of what is asked for at one moment: in every third round several, which can leave together. */
export const atOnce = (index: number): readonly number[] =>
  Array.from({ length: index % 3 === 1 ? 3 : 1 }, (_, at) => index + at * APART);
