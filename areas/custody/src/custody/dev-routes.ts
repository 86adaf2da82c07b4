// The development chains' own calls, at the root and in the default run only: coins of the chain's faucet, blocks on
// demand, deliberate reorganisations.

import {
  answer,
  type Outcome,
  type RouteContext,
  type RouteSpec,
  refuse,
  refuseBy,
  serve,
} from "@clockwork/host/route";
import type { Network } from "@clockwork/kit/chains/network";
import type { AddressProblem } from "../chain/evm.ts";
import { CHAIN_CALLS } from "./contract.ts";
import { CHAIN_REFUSALS, type ChainRefusal } from "./refusals.ts";

type Failure = Extract<ChainRefusal, "CHAIN_AWAY" | "CHAIN_SLOW" | "CHAIN_REFUSED">;

export interface DevChainNeeds {
  readonly networks: readonly Network[];
  /** Decimals of coins only on the chain, such as an unlisted one. */
  decimalsOf(network: Network, asset: string): number | undefined;
  addressProblem(address: string): AddressProblem | undefined;
  /** Why one of the calls below rejected. */
  failureOf(error: unknown): Failure;
  faucet(network: string, asset: string, to: string, units: bigint): Promise<string>;
  mine(network: string, blocks: number): Promise<number>;
  reorg(network: string, depth: number, dropped: boolean): Promise<number>;
}

const COINS_MAX = 100_000n;
const UNKNOWN = refuseBy(CHAIN_REFUSALS, { code: "UNKNOWN_NETWORK" });

const local = ({ ip }: RouteContext): Outcome<never, "LOCAL_ONLY"> | undefined =>
  ip === "::1" || ip.startsWith("127.") || ip.startsWith("::ffff:127.")
    ? undefined
    : refuseBy(CHAIN_REFUSALS, { code: "LOCAL_ONLY" });

export function devChainRoutes(needs: DevChainNeeds): readonly RouteSpec[] {
  const fail = (error: unknown) => {
    const code = needs.failureOf(error);
    const [status, message] = CHAIN_REFUSALS[code];
    // The chain's message is useful: too little money, a full pool.
    const result = code === "CHAIN_REFUSED" && error instanceof Error ? `${message} ${error.message}` : message;
    return refuse({ code, status, message: result, ...(code === "CHAIN_AWAY" ? { retryAfterSeconds: 2 } : {}) });
  };
  const find = (code: string): Network | undefined => needs.networks.find(({ network }) => network === code);
  const give = async (body: { network: string; asset: string; address: string; amount: string }) => {
    const network = find(body.network);
    if (network === undefined) return UNKNOWN;
    const decimals = needs.decimalsOf(network, body.asset);
    if (decimals === undefined) {
      return refuseBy(CHAIN_REFUSALS, { code: "COIN_NOT_ON_NETWORK" });
    }
    const problem = needs.addressProblem(body.address);
    if (problem !== undefined) return refuseBy(CHAIN_REFUSALS, { code: problem });
    const units = readChainUnits(body.amount, decimals);
    if (units === undefined || units > COINS_MAX * 10n ** BigInt(decimals)) {
      const message = `amount must be above zero, at most ${COINS_MAX}, with at most ${decimals} decimals.`;
      return refuse({ code: "INVALID_AMOUNT", status: 400, message, fields: { "body.amount": message } });
    }
    return needs
      .faucet(body.network, body.asset, body.address.toLowerCase(), units)
      .then((txHash) => answer({ txHash }), fail);
  };
  const turn = async (network: string, run: () => Promise<number>) => {
    if (find(network) === undefined) return UNKNOWN;
    return run().then((block) => answer({ network, block }), fail);
  };
  return [
    serve(CHAIN_CALLS.faucet, {
      tag: "wallet",
      summary: "Sends coins of a development chain to an address in a real transaction; the default run alone",
      handle: ({ body }) => give(body),
    }),
    serve(CHAIN_CALLS.mine, {
      tag: "wallet",
      summary: "Makes blocks of a development chain now; the default run alone",
      handle: async ({ body }, context) =>
        local(context) ?? turn(body.network, () => needs.mine(body.network, body.blocks)),
    }),
    serve(CHAIN_CALLS.reorg, {
      tag: "wallet",
      summary: "Replaces the newest blocks of a development chain by a longer branch; the default run alone",
      handle: async ({ body }, context) =>
        local(context) ?? turn(body.network, () => needs.reorg(body.network, body.depth, body.dropped === true)),
    }),
  ];
}

/**
 * Chains have more decimals than the ledger: the text is parsed directly. Undefined unless it is an amount above zero.
 */
function readChainUnits(text: string, decimals: number): bigint | undefined {
  const [whole = "0", part = ""] = text.split(".");
  if (part.length > decimals) return undefined;
  const value = BigInt(whole + part.padEnd(decimals, "0"));
  return value > 0n ? value : undefined;
}
