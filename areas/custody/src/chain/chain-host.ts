// Runs the wallet's helper processes: the signer, in a run with test money the development chains, and a client for
// each network. Started after pages are served; a process that dies is restarted and the wallet notified.
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "@clockwork/host/log";
import type { Network } from "@clockwork/kit/chains/network";
import { HelperProcess, type Timeout } from "./child.ts";
import { depositAddresses } from "./evm.ts";
import { type ConfiguredNetwork, DEVELOPMENT_NETWORKS, genesisOf, signerNetworks } from "./networks.ts";
import type { NodeMessage, NodeRequest } from "./node-wire.ts";
import { RpcClient } from "./rpc-client.ts";
import type { KnownHouse, Signed, SignerMessage, SignerPublic, SignerRequest } from "./signer-wire.ts";

export interface ChainHostOptions {
  readonly folder: string;
  readonly log: Log;
  /** The development chains of the default run. */
  readonly isDevelopment: boolean;
  /** The helper processes yield to everything else on the processor. */
  readonly isIdle: boolean;
  /** The development chains make blocks on a timer. */
  readonly isTimed: boolean;
  readonly configured: readonly ConfiguredNetwork[];
  /**
   * Called once the exchange's addresses are read, and again after the signer came back. Returns what is wrong with
   * them.
   */
  readonly onHouse: (house: SignerPublic) => Promise<string | undefined>;
}

const NODE_FLAGS = ["--max-old-space-size=96", "--max-semi-space-size=2"];
const REQUEST_AGAIN_MS = 1_000;
/** Requests for a block wait for the chain to come back, and as long as a busy machine takes for many of them. */
const DEVELOPER: Timeout = { readyMs: 10_000, answerMs: 90_000 };
const SIGNER_FLAGS = ["--max-old-space-size=64", "--max-semi-space-size=2"];

type BlockListener = (network: string) => void;

export class ChainHost {
  readonly networks: readonly Network[];
  readonly #options: ChainHostOptions;
  readonly #clients = new Map<string, RpcClient>();
  readonly #listeners = new Set<BlockListener>();
  readonly #signer: HelperProcess<SignerRequest, SignerPublic, { signed: Signed }>;
  readonly #node: HelperProcess<NodeRequest, { port: number }, { value: string }> | undefined;
  #known: KnownHouse = { hasAddresses: false };
  #house: SignerPublic | undefined;
  #keysProblem: string | undefined;
  #addressOf: ((chainId: number, userId: number) => string) | undefined;
  #isNodeBegun = false;

  constructor(options: ChainHostOptions) {
    this.#options = options;
    this.networks = [...(options.isDevelopment ? DEVELOPMENT_NETWORKS : []), ...options.configured];
    for (const { network } of this.networks) {
      const nodes = options.configured.find((one) => one.network === network)?.nodes ?? [];
      this.#clients.set(network, new RpcClient(nodes));
    }
    this.#signer = this.#makeSigner();
    this.#node = options.isDevelopment ? this.#makeNode() : undefined;
  }

  /** With the keys in use, from the tables: none of them is ever created again. */
  start(known: KnownHouse): void {
    this.#known = known;
    if (this.networks.length > 0) this.#signer.start();
  }

  close(): void {
    this.#node?.close();
    this.#signer.close();
  }

  /** Undefined until the signer has reported it. */
  get house(): SignerPublic | undefined {
    return this.#house;
  }

  /** Why nothing can be signed: the keys in use are missing. Written for operators. */
  get keysProblem(): string | undefined {
    return this.#keysProblem;
  }

  get signer(): "ready" | "away" | "refused" {
    if (this.#keysProblem !== undefined) return "refused";
    return this.#signer.isReady && this.#house !== undefined ? "ready" : "away";
  }

  client(network: string): RpcClient {
    const client = this.#clients.get(network);
    if (client === undefined) throw new Error(`there is no network ${network}`);
    return client;
  }

  addressOf(chainId: number, userId: number): string | undefined {
    return this.#addressOf?.(chainId, userId);
  }

  async sign(ask: SignerRequest): Promise<Signed> {
    if (this.#keysProblem !== undefined) throw new Error("the keys in use are not there");
    return (await this.#signer.ask(ask)).signed;
  }

  /** For the calls of the default run; undefined without development chains. */
  get development(): ((ask: NodeRequest) => Promise<string>) | undefined {
    const node = this.#node;
    return node === undefined ? undefined : async (ask) => (await node.ask(ask, DEVELOPER)).value;
  }

  onBlock(listener: BlockListener): void {
    this.#listeners.add(listener);
  }

  #makeSigner(): HelperProcess<SignerRequest, SignerPublic, { signed: Signed }> {
    const { folder, log } = this.#options;
    return new HelperProcess({
      module: new URL("./signer-worker.ts", import.meta.url),
      flags: SIGNER_FLAGS,
      isIdle: this.#options.isIdle,
      start: () => ({
        folder: join(folder, "signer"),
        networks: signerNetworks(this.networks),
        known: this.#known,
      }),
      onReady: ({ extendedPublicKey, hot, cold }) => void this.#takeHouse({ extendedPublicKey, hot, cold }),
      onMessage: (message) => {
        const answer = message as SignerMessage;
        if (answer.kind === "refused") this.#refuseKeys(answer.message);
      },
      onGone: (code) => log.warn("signer.gone", { code }),
    });
  }

  /** The addresses are published only after the tables have confirmed that they are the ones in use. */
  async #takeHouse(house: SignerPublic): Promise<void> {
    let wrong: string | undefined;
    try {
      wrong = await this.#options.onHouse(house);
    } catch (error) {
      this.#options.log.warn("signer.house.unread", { error });
      await sleep(REQUEST_AGAIN_MS, undefined, { ref: false });
      return this.#takeHouse(house);
    }
    if (wrong !== undefined) {
      this.#refuseKeys(wrong);
      return;
    }
    this.#keysProblem = undefined;
    this.#house = house;
    this.#known = { ...house, hasAddresses: this.#known.hasAddresses };
    this.#addressOf = depositAddresses(house.extendedPublicKey);
    this.#beginNode();
  }

  /** Deposits to issued addresses are still detected: the tables' data is public and right. */
  #refuseKeys(message: string): void {
    if (this.#keysProblem === message) return;
    this.#keysProblem = message;
    this.#options.log.error("signer.keys.refused", { message });
    const { extendedPublicKey, hot, cold } = this.#known;
    if (extendedPublicKey === undefined || hot === undefined || cold === undefined) return;
    this.#house = { extendedPublicKey, hot, cold };
    this.#beginNode();
  }

  #beginNode(): void {
    if (this.#isNodeBegun) return;
    this.#isNodeBegun = true;
    this.#node?.start();
  }

  #makeNode(): HelperProcess<NodeRequest, { port: number }, { value: string }> {
    const { folder, log, isTimed } = this.#options;
    return new HelperProcess({
      module: new URL("../../../../devchain/src/chain-worker.ts", import.meta.url),
      flags: NODE_FLAGS,
      isIdle: this.#options.isIdle,
      start: () => {
        const chains = this.#house === undefined ? [] : genesisOf(this.#house, isTimed);
        return { folder: join(folder, "chain"), chains };
      },
      onReady: ({ port }) => {
        for (const { network } of DEVELOPMENT_NETWORKS) {
          this.#clients.get(network)?.point([`http://127.0.0.1:${port}/${network}`]);
          this.#publishBlock(network);
        }
        log.info("chain.started", { port });
      },
      onMessage: (message) => {
        const answer = message as NodeMessage;
        if (answer.kind === "block") this.#publishBlock(answer.network);
      },
      onGone: (code) => log.warn("chain.gone", { code }),
    });
  }

  #publishBlock(network: string): void {
    for (const listener of this.#listeners) listener(network);
  }
}
