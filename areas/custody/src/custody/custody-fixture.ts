// An exchange with its real chains and signer for tests: one of each for a whole file.
import type { Visitor } from "@clockwork/server/process/account-fixture";
import { startTradingServer, type TradingServer } from "@clockwork/trading/spot/spot-fixture";

export interface Vault extends TradingServer {
  dev(call: "faucet" | "mine" | "reorg", body: object): Promise<{ status: number; data: Record<string, unknown> }>;
  /** Polls until there is an answer. */
  until<Value>(what: string, look: () => Promise<Value | undefined>): Promise<Value>;
  address(visitor: Visitor, asset: string, network?: string): Promise<string>;
}

const TIMEOUT_MS = 120_000;
const POLL_MS = 40;

export async function openVault(environment: Readonly<Record<string, string>> = {}): Promise<Vault> {
  // A deposit waits for the test to make its next block, without a bound.
  const chain = { CW_CHAIN: "auto", CW_CHAIN_PRIORITY: "normal", CW_CHAIN_BLOCKS: "asked" };
  const server = await startTradingServer({ ...chain, ...environment });
  const dev: Vault["dev"] = async (call, body) => {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = await fetch(`${server.url}/dev/chain/${call}`, init);
    return { status: response.status, data: ((await response.json()) as { data: Record<string, unknown> }).data };
  };
  const until: Vault["until"] = async (what, look) => {
    const endMs = performance.now() + TIMEOUT_MS;
    while (performance.now() < endMs) {
      const found = await look();
      if (found !== undefined) return found;
      await new Promise((wake) => setTimeout(wake, POLL_MS));
    }
    throw new Error(`waited in vain for ${what}`);
  };
  await until("the chain", async () =>
    (await dev("mine", { network: "CWT", blocks: 1 })).status === 200 ? true : undefined,
  );
  return {
    ...server,
    dev,
    until,
    address: (visitor, asset, network = "CWT") =>
      until("an address", async () => {
        const answer = await visitor.post("/asset/v1/api/deposit/address", { asset, network });
        return answer.status === 200 ? (answer.data.address as string) : undefined;
      }),
  };
}
