// Users' views of custody: networks with their rules and state, their own addresses, their deposits.

import { answer, type Outcome, refuse, refuseBy } from "@clockwork/host/route";
import type { ChainsNeeds, Coins } from "@clockwork/kit/chains/chain";
import type { Network } from "@clockwork/kit/chains/network";
import { coinOf, confirmationsOf } from "@clockwork/kit/chains/network";
import { formatUnits, units } from "@clockwork/kit/money";
import type { DebtList, DepositAddress, DepositList, DepositView, NetworkView, OwedList } from "./contract.ts";
import { type DepositRefusal, REFUSALS } from "./refusals.ts";
import type { CustodyStore, DepositRow } from "./store.ts";
import type { WatchService } from "./watch-service.ts";

export interface ViewNeeds {
  readonly chains: ChainsNeeds;
  readonly coins: Coins;
  /** A coin by the ledger's number. */
  findCoin(asset: number): { readonly symbol: string; readonly scale: number } | undefined;
  readonly now: () => number;
  /** Withdrawals over it are stopped. */
  isPaused(network: string): boolean;
  signer(): NetworkView["signer"];
}

/** A node silent for this long is unavailable; it is polled every other second. */
const AWAY_MS = 10_000;
const PAGE = 20;

const SHOWN = { CREDITING: "CONFIRMING", TAKING: "REPLACED" } as const;

export class CustodyViews {
  readonly #store: CustodyStore;
  readonly #watch: WatchService;
  readonly #needs: ViewNeeds;

  constructor(parts: { readonly store: CustodyStore; readonly watch: WatchService; readonly needs: ViewNeeds }) {
    this.#store = parts.store;
    this.#watch = parts.watch;
    this.#needs = parts.needs;
  }

  async listDebts(userId: number): Promise<DebtList> {
    return (await this.listOwed(userId)).map(({ asset, owed }) => ({ asset, owed }));
  }

  /** Of one user, or of all. */
  async listOwed(userId?: number): Promise<OwedList> {
    return (await this.#store.listOwed(userId)).flatMap(({ user_id, asset, owed_units, updated_ms }) => {
      const coin = this.#needs.findCoin(asset);
      if (coin === undefined) return [];
      const owed = formatUnits(units(owed_units), coin.scale);
      return [{ user: String(user_id), asset: coin.symbol, owed, changedAtMs: updated_ms }];
    });
  }

  listNetworks(): NetworkView[] {
    const nowMs = this.#needs.now();
    return this.#needs.chains.networks.map((network) => {
      const state = this.#watch.stateOf(network.network);
      const ageMs = state === undefined ? null : Math.max(0, nowMs - state.readMs);
      const isAway = ageMs === null || ageMs > AWAY_MS;
      const { name, isTest, blockSeconds, creditBlocks, unlockBlocks } = network;
      return {
        network: network.network,
        name,
        isTest,
        blockSeconds,
        creditBlocks,
        unlockBlocks,
        state: isAway ? "away" : this.#needs.isPaused(network.network) ? "paused" : "open",
        signer: this.#needs.signer(),
        block: state?.read ?? null,
        blockAgeMs: ageMs,
        coins: network.coins.map(({ asset, contract, depositMin, withdrawMin, withdrawFee }) => ({
          asset,
          contract: contract === null ? null : this.#needs.chains.checksumOf(contract),
          depositMin,
          withdrawMin,
          withdrawFee,
        })),
      };
    });
  }

  findNetwork(code: string): Network | undefined {
    return this.#needs.chains.networks.find(({ network }) => network === code);
  }

  /** The user's own address on a network, the same for every coin of it, permanently. */
  async openAddress(userId: number, asset: string, code: string): Promise<Outcome<DepositAddress, DepositRefusal>> {
    const network = this.findNetwork(code);
    if (network === undefined) return refuseBy(REFUSALS, { code: "UNKNOWN_NETWORK" });
    const coin = coinOf(network, asset);
    if (coin === undefined || this.#needs.coins.find(asset) === undefined) {
      return refuse({ code: "COIN_NOT_ON_NETWORK", status: 404, message: `${network.name} does not carry this coin.` });
    }
    const address = this.#needs.chains.addressOf(network.chainId, userId);
    if (address === undefined) {
      const [status, message] = REFUSALS.CUSTODY_NOT_READY;
      return refuse({ code: "CUSTODY_NOT_READY", status, message, retryAfterSeconds: 2 });
    }
    await this.#watch.own(network.network, address, userId);
    const { depositMin } = coin;
    return answer({ asset, network: code, address: this.#needs.chains.checksumOf(address), depositMin });
  }

  async listDeposits(userId: number, query: { before?: number; limit?: number } = {}): Promise<DepositList> {
    const rows = await this.#store.listByUser(userId, query.limit ?? PAGE, query.before);
    return { deposits: rows.flatMap((row) => this.#describe(row) ?? []) };
  }

  #describe(row: DepositRow): DepositView | undefined {
    const network = this.findNetwork(row.network);
    const coin = this.#needs.coins.find(row.asset);
    if (network === undefined || coin === undefined) return undefined;
    const head = this.#watch.stateOf(row.network)?.read ?? row.block_number ?? 0;
    const state = row.state === "CREDITING" || row.state === "TAKING" ? SHOWN[row.state] : row.state;
    return {
      depositId: row.deposit_id,
      network: row.network,
      asset: row.asset,
      amount: formatUnits(units(row.units), coin.scale),
      txHash: row.tx_hash,
      address: this.#needs.chains.checksumOf(row.address),
      from: row.sender === "" ? "" : this.#needs.chains.checksumOf(row.sender),
      state,
      confirmations: Math.min(confirmationsOf(row.block_number, head), network.unlockBlocks),
      creditBlocks: network.creditBlocks,
      unlockBlocks: network.unlockBlocks,
      blockNumber: row.block_number,
      seenAtMs: row.seen_ms,
      creditedAtMs: row.credited_ms,
    };
  }
}
