// Decides which waiting payments leave together in one transaction, where a network has a contract for it and it saves.
// No payment waits for others: what waits now leaves now. Holds no table; what is lost with the process is requested
// again.
import type { Chain } from "@clockwork/kit/chains/chain";
import { coinOf, type Network } from "@clockwork/kit/chains/network";
import type { Allow, Plan, Situation, Waiting } from "./needs.ts";
import { arrange, groupByAsset, isAllowing, isResetting, leavingTogether, mayJoin, savesTogether } from "./rules.ts";

/** A token that confirms but grants no allowance costs one try per interval. */
const ALLOW_REST_MS = 3_600_000;

export class BatchService {
  readonly #now: () => number;
  /** Contracts confirmed to exist, by network. */
  readonly #real = new Set<string>();
  /** The signer refused these as a batch: each is signed separately, so that the refused one is identified. */
  readonly #alone = new Set<string>();
  readonly #allowedMs = new Map<string, number>();

  constructor({ now }: { readonly now: () => number }) {
    this.#now = now;
  }

  payAlone(keys: readonly string[]): void {
    for (const key of keys) this.#alone.add(key);
  }

  /** Under way: requested again only after a pause. */
  allowing({ network }: Network, { asset, isReset }: Allow): void {
    this.#allowedMs.set(`${network}:${asset}:${isReset}`, this.#now());
  }

  async plan(at: Situation): Promise<Plan> {
    const { network, chain, waiting } = at;
    const contract = network.payoutContract;
    const groups: (readonly Waiting[])[] = [];
    let allow: Allow | undefined;
    if (contract !== undefined && waiting.length > 1 && (await this.#isReal(network, chain, contract))) {
      for (const [asset, group] of groupByAsset(waiting.filter(({ key }) => !this.#alone.has(key)))) {
        const fit = await this.#fitting(at, asset, group);
        if (fit.length === 0) continue;
        const missing = await this.#missing(at, contract, asset, fit);
        if (missing === undefined) groups.push(fit);
        else allow ??= this.#mayAllow(at, missing);
      }
    }
    const isToken = (asset: string): boolean => isTokenOf(network, asset);
    const payments = arrange(waiting, groups, { contract: contract ?? "", isToken, timeMs: this.#now() });
    for (const { key } of payments) this.#alone.delete(key);
    return { payments, allow };
  }

  async #isReal({ network }: Network, chain: Chain, contract: string): Promise<boolean> {
    const key = `${network}:${contract}`;
    if (!this.#real.has(key) && (await chain.hasCode(contract))) this.#real.add(key);
    return this.#real.has(key);
  }

  /** None where a batch would not save. */
  async #fitting({ network, chain }: Situation, asset: string, group: readonly Waiting[]): Promise<readonly Waiting[]> {
    const isToken = isTokenOf(network, asset);
    const able = group.filter((one) => mayJoin(one, isToken));
    if (!savesTogether(able.length, isToken)) return [];
    if (isToken) return able;
    const asks = able.map(({ receiver }) => ({ contract: null, address: receiver }));
    const held = await chain.balances(asks, await chain.head());
    const known = able.filter((_, index) => (held[index] ?? 0n) > 0n);
    return savesTogether(known.length, isToken) ? known : [];
  }

  /** The allowances required before they can leave together; undefined when all exist. */
  async #missing(at: Situation, payout: string, asset: string, fit: readonly Waiting[]): Promise<Allow | undefined> {
    const contract = coinOf(at.network, asset)?.contract ?? null;
    if (contract === null) return undefined;
    const allowed = await at.chain.allowance(contract, at.hot, payout);
    const sum = fit.reduce((all, { chain_units }) => all + BigInt(chain_units), 0n);
    const free = allowed - leavingTogether(at.open, asset);
    if (free >= sum && !isResetting(at.open, asset)) return undefined;
    // Some tokens allow no change of a non-zero allowance, only a reset to zero.
    return { asset, isReset: allowed > 0n };
  }

  #mayAllow({ network, open }: Situation, allow: Allow): Allow | undefined {
    const key = `${network.network}:${allow.asset}:${allow.isReset}`;
    const lastMs = this.#allowedMs.get(key) ?? Number.NEGATIVE_INFINITY;
    if (isAllowing(open, allow.asset) || this.#now() - lastMs < ALLOW_REST_MS) return undefined;
    // While any of them may be mined again, the allowance is theirs.
    if (allow.isReset && leavingTogether(open, allow.asset) > 0n) return undefined;
    return allow;
  }
}

function isTokenOf(network: Network, asset: string): boolean {
  return (coinOf(network, asset)?.contract ?? null) !== null;
}
