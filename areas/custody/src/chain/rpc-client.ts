// Queries a network's nodes over JSON-RPC. Several are compared: one that does not answer, lags behind or has another
// history than most is excluded until it agrees again, and data that money depends on is read from all of them. Without
// a majority of more than half, no answer is accepted. Amounts remain hexadecimal text until used.
import { measureMs } from "@clockwork/host/time/measure";

const TIMEOUT_MS = 10_000;
const COMPARE_MS = 10_000;
const LAG_BLOCKS_MAX = 3;
/** keccak256("Transfer(address,address,uint256)"). */
export const TRANSFER_TOPIC = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

export interface RpcRequest {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** A request the node rejected; other nodes would reject it too. */
export class RpcRefusal extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** No more than half of the nodes agree: waiting loses nothing. */
export class NodesDisagree extends Error {}

interface Endpoint {
  readonly url: string;
  isAside: boolean;
}

interface Reply {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

export class RpcClient {
  #endpoints: Endpoint[];
  #comparedMs = Number.NEGATIVE_INFINITY;
  #isSplit = false;

  constructor(urls: readonly string[]) {
    this.#endpoints = urls.map((url) => ({ url, isAside: false }));
  }

  /** At least one URL is configured. */
  get isPointed(): boolean {
    return this.#endpoints.length > 0;
  }

  /** The chain's process starts at another port each time. */
  point(urls: readonly string[]): void {
    this.#endpoints = urls.map((url) => ({ url, isAside: false }));
    this.#comparedMs = Number.NEGATIVE_INFINITY;
  }

  async ask<Value>(method: string, ...params: readonly unknown[]): Promise<Value> {
    const [value] = await this.requestAll<Value>([{ method, params }]);
    return value as Value;
  }

  /** In one request; the responses in the order of the requests. */
  async requestAll<Value>(asks: readonly RpcRequest[]): Promise<readonly Value[]> {
    await this.#compare();
    if (this.#isSplit) throw new NodesDisagree("the nodes of the network tell different histories");
    let last: unknown = new Error("no node of the network answers");
    const listened = this.#endpoints.filter(({ isAside }) => !isAside);
    const silent = new Set<string>();
    // Twice: a lost response is rarely lost again, and every request is repeatable.
    for (const { url } of [...listened, ...listened]) {
      if (silent.has(url)) continue;
      try {
        return await this.#send<Value>(url, asks);
      } catch (error) {
        if (error instanceof RpcRefusal) throw error;
        // A node that timed out is not waited for again.
        if (error instanceof Error && error.name === "TimeoutError") silent.add(url);
        last = error;
      }
    }
    throw last;
  }

  /**
   * The answer of most nodes, each queried in one request; `read` selects the part that must agree. Deviating nodes are
   * excluded until the next comparison.
   */
  async requestAgreed<Value>(asks: readonly RpcRequest[], read: (value: Value) => unknown): Promise<readonly Value[]> {
    await this.#compare();
    const requested = this.#endpoints.filter(({ isAside }) => !isAside);
    if (requested.length < 2 || this.#isSplit) return this.requestAll(asks);
    const answer = await Promise.all(
      requested.map(async ({ url }) => {
        try {
          const values = await this.#send<Value>(url, asks);
          return { values, says: JSON.stringify(values.map(read), plainly) };
        } catch (error) {
          return { error };
        }
      }),
    );
    const answers = answer.flatMap((one) => ("says" in one ? one.says : []));
    if (answers.length === 0) throw answer.flatMap((one) => ("error" in one ? one.error : []))[0];
    const says = findMajority(answers, answers.length);
    if (says === undefined) throw new NodesDisagree(`the nodes disagree about ${asks[0]?.method ?? ""}`);
    let agreed: readonly Value[] = [];
    for (const [index, one] of answer.entries()) {
      if (!("says" in one)) continue;
      if (one.says === says) agreed = one.values;
      else (requested[index] as Endpoint).isAside = true;
    }
    return agreed;
  }

  /** The newest block that every node has which is listened to. */
  async head(): Promise<number> {
    await this.#compare();
    const requested = this.#endpoints.filter(({ isAside }) => !isAside);
    if (requested.length < 2 || this.#isSplit) return Number(await this.ask<string>("eth_blockNumber"));
    const heads = (await Promise.all(requested.map(({ url }) => this.#headOf(url)))).flatMap((head) => head ?? []);
    if (heads.length === 0) throw new Error("no node of the network answers");
    return Math.min(...heads);
  }

  async #send<Value>(url: string, asks: readonly RpcRequest[]): Promise<readonly Value[]> {
    const calls = asks.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params }));
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(calls),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answer = (await response.json()) as readonly Reply[];
    const byId = new Map(answer.map((one) => [one.id, one]));
    return calls.map(({ id }) => {
      const one = byId.get(id);
      if (one === undefined) throw new Error("the node left a question out");
      if (one.error !== undefined) throw new RpcRefusal(one.error.code, one.error.message);
      return one.result as Value;
    });
  }

  /** Nodes alone with a block, far behind or far ahead of most are excluded: a head is only a claim. */
  async #compare(): Promise<void> {
    if (this.#endpoints.length < 2 || measureMs() - this.#comparedMs < COMPARE_MS) return;
    this.#comparedMs = measureMs();
    const endpoints = this.#endpoints;
    const heads = await Promise.all(endpoints.map(({ url }) => this.#headOf(url)));
    const answer = heads.filter((head) => head !== undefined).sort((left, right) => right - left);
    const middle = answer[Math.floor((answer.length - 1) / 2)] ?? -1;
    const near = heads.map((head) => head !== undefined && Math.abs(middle - head) <= LAG_BLOCKS_MAX);
    const common = Math.min(
      ...heads.filter((head, index): head is number => near[index] === true && head !== undefined),
    );
    const claims = await Promise.all(
      endpoints.map(({ url }, index) => (near[index] === true ? this.#claimOf(url, common) : undefined)),
    );
    const reply = claims.flatMap((claim) => claim ?? []);
    // Of all that answered, those far off included: two that differ are no majority.
    const trusted = findMajority(reply, answer.length);
    this.#isSplit = answer.length > 1 && trusted === undefined;
    for (const [index, endpoint] of endpoints.entries()) {
      endpoint.isAside = trusted !== undefined && claims[index] !== trusted;
    }
  }

  async #headOf(url: string): Promise<number | undefined> {
    try {
      const [head] = await this.#send<string>(url, [{ method: "eth_blockNumber", params: [] }]);
      return Number(head);
    } catch {
      return undefined;
    }
  }

  /** A block's hash and the token transfers in it: a node could give the right hash and invent the transfers. */
  async #claimOf(url: string, number: number): Promise<string | undefined> {
    try {
      const at = `0x${number.toString(16)}`;
      const [block, logs] = await this.#send<unknown>(url, [
        { method: "eth_getBlockByNumber", params: [at, false] },
        { method: "eth_getLogs", params: [{ fromBlock: at, toBlock: at, topics: [TRANSFER_TOPIC] }] },
      ]);
      const hash = (block as { hash: string } | null)?.hash;
      if (hash === undefined) return undefined;
      const reply = (logs as readonly LogClaim[]).map(({ address, topics, data, transactionHash }) =>
        [transactionHash, address, ...topics, data].join(" ").toLowerCase(),
      );
      return [hash, ...reply].join("\n");
    } catch {
      return undefined;
    }
  }
}

interface LogClaim {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly transactionHash: string;
}

/** The answer of more than half of this many. */
function findMajority(reply: readonly string[], ofCount: number): string | undefined {
  const counts = new Map<string, number>();
  for (const one of reply) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].find(([, count]) => count * 2 > ofCount)?.[0];
}

const plainly = (_: string, value: unknown): unknown => (typeof value === "bigint" ? value.toString() : value);
