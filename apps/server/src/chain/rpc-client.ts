// Asks a network's nodes over JSON-RPC. Several are compared: one that answers nothing, lags behind or tells another
// history than most is set aside until it agrees again. Amounts stay hexadecimal text until somebody needs them.
import { measureMs } from "../clock/measure.ts";

const TIMEOUT_MS = 10_000;
const COMPARE_MS = 10_000;
const LAG_BLOCKS_MAX = 3;

export interface RpcAsk {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** What the node said no to; asking another node helps as little. */
export class RpcRefusal extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

interface Endpoint {
  readonly url: string;
  isAside: boolean;
}

interface Told {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

export class RpcClient {
  #endpoints: Endpoint[];
  #comparedMs = Number.NEGATIVE_INFINITY;

  constructor(urls: readonly string[]) {
    this.#endpoints = urls.map((url) => ({ url, isAside: false }));
  }

  /** Somewhere to ask is known. */
  get isPointed(): boolean {
    return this.#endpoints.length > 0;
  }

  /** The chain's process comes up at another port each time. */
  point(urls: readonly string[]): void {
    this.#endpoints = urls.map((url) => ({ url, isAside: false }));
    this.#comparedMs = Number.NEGATIVE_INFINITY;
  }

  async ask<Value>(method: string, ...params: readonly unknown[]): Promise<Value> {
    const [value] = await this.askAll<Value>([{ method, params }]);
    return value as Value;
  }

  /** In one request; the answers in the order of the questions. */
  async askAll<Value>(asks: readonly RpcAsk[]): Promise<readonly Value[]> {
    await this.#compare();
    let last: unknown = new Error("no node of the network answers");
    for (const endpoint of this.#endpoints.filter(({ isAside }) => !isAside)) {
      try {
        return await this.#send<Value>(endpoint.url, asks);
      } catch (error) {
        if (error instanceof RpcRefusal) throw error;
        last = error;
      }
    }
    throw last;
  }

  async #send<Value>(url: string, asks: readonly RpcAsk[]): Promise<readonly Value[]> {
    const calls = asks.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params }));
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(calls),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const told = (await response.json()) as readonly Told[];
    const byId = new Map(told.map((one) => [one.id, one]));
    return calls.map(({ id }) => {
      const one = byId.get(id);
      if (one === undefined) throw new Error("the node left a question out");
      if (one.error !== undefined) throw new RpcRefusal(one.error.code, one.error.message);
      return one.result as Value;
    });
  }

  /** Whoever stands alone with a block, far behind or far ahead of most is set aside: a head is only a claim. */
  async #compare(): Promise<void> {
    if (this.#endpoints.length < 2 || measureMs() - this.#comparedMs < COMPARE_MS) return;
    this.#comparedMs = measureMs();
    const endpoints = this.#endpoints;
    const heads = await Promise.all(endpoints.map(({ url }) => this.#headOf(url)));
    const told = heads.filter((head) => head !== undefined).sort((left, right) => right - left);
    const middle = told[Math.floor((told.length - 1) / 2)] ?? -1;
    const near = heads.map((head) => head !== undefined && Math.abs(middle - head) <= LAG_BLOCKS_MAX);
    const common = Math.min(
      ...heads.filter((head, index): head is number => near[index] === true && head !== undefined),
    );
    const hashes = await Promise.all(
      endpoints.map(({ url }, index) => (near[index] === true ? this.#hashOf(url, common) : undefined)),
    );
    const counts = new Map<string, number>();
    for (const hash of hashes) if (hash !== undefined) counts.set(hash, (counts.get(hash) ?? 0) + 1);
    const [trusted] = [...counts].sort((left, right) => right[1] - left[1])[0] ?? [];
    for (const [index, endpoint] of endpoints.entries()) {
      endpoint.isAside = trusted !== undefined && hashes[index] !== trusted;
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

  async #hashOf(url: string, number: number): Promise<string | undefined> {
    try {
      const params = [`0x${number.toString(16)}`, false];
      const [block] = await this.#send<{ hash: string } | null>(url, [{ method: "eth_getBlockByNumber", params }]);
      return block?.hash;
    } catch {
      return undefined;
    }
  }
}
