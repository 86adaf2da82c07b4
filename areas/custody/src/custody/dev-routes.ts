// The development chains' own calls, at the root and in the default run alone: coins of the chain's faucet, blocks on
// demand, reorganisations on purpose.

import { answer, defineRoute, type Outcome, type RouteContext, type RouteSpec, refuse } from "@clockwork/host/route";
import type { Network } from "@clockwork/kit/chains/network";
import type { RefusalTable } from "@clockwork/kit/endpoint";
import { ChainFaucetBody, ChainFaucetResult, ChainHead, ChainMineBody, ChainReorgBody } from "./contract.ts";

type Failure = "CHAIN_AWAY" | "CHAIN_SLOW" | "CHAIN_REFUSED";

export interface DevChainNeeds {
  readonly networks: readonly Network[];
  /** Decimals of coins only the chain knows, such as one nobody lists. */
  decimalsOf(network: Network, asset: string): number | undefined;
  addressProblem(address: string): string | undefined;
  /** Why one of the calls below rejected. */
  failureOf(error: unknown): Failure;
  faucet(network: string, asset: string, to: string, units: bigint): Promise<string>;
  mine(network: string, blocks: number): Promise<number>;
  reorg(network: string, depth: number, dropped: boolean): Promise<number>;
}

const COINS_MAX = 100_000n;
const OWN = { method: "POST", tag: "wallet", bases: ["root"] } as const;
const UNKNOWN = refuse({ code: "UNKNOWN_NETWORK", status: 404, message: "There is no such development chain." });
const FAILURES: RefusalTable<Failure> = {
  CHAIN_AWAY: [503, "The chain is being started; try again in a moment."],
  CHAIN_SLOW: [504, "The chain has not answered yet; it may still do it."],
  CHAIN_REFUSED: [409, "The chain refused it."],
};

const local = ({ ip }: RouteContext): Outcome<never> | undefined =>
  ip === "::1" || ip.startsWith("127.") || ip.startsWith("::ffff:127.")
    ? undefined
    : refuse({ code: "LOCAL_ONLY", status: 403, message: "Only from the machine the exchange runs on." });

export function devChainRoutes(needs: DevChainNeeds): readonly RouteSpec[] {
  const fail = (error: unknown) => {
    const code = needs.failureOf(error);
    const [status, message] = FAILURES[code];
    // What the chain said about it is worth knowing: too little money, a full pool.
    const told = code === "CHAIN_REFUSED" && error instanceof Error ? `${message} ${error.message}` : message;
    return refuse({ code, status, message: told, ...(code === "CHAIN_AWAY" ? { retryAfterSeconds: 2 } : {}) });
  };
  const find = (code: string): Network | undefined => needs.networks.find(({ network }) => network === code);
  const give = async (body: { network: string; asset: string; address: string; amount: string }) => {
    const network = find(body.network);
    if (network === undefined) return UNKNOWN;
    const decimals = needs.decimalsOf(network, body.asset);
    if (decimals === undefined) {
      return refuse({ code: "COIN_NOT_ON_NETWORK", status: 404, message: "This chain does not carry the coin." });
    }
    const problem = needs.addressProblem(body.address);
    if (problem !== undefined)
      return refuse({ code: problem, status: 400, message: "This is no address of the chain." });
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
    defineRoute({
      ...OWN,
      path: "/dev/chain/faucet",
      summary: "Sends coins of a development chain to an address in a real transaction; the default run alone",
      body: ChainFaucetBody,
      output: ChainFaucetResult,
      handle: ({ body }) => give(body),
    }),
    defineRoute({
      ...OWN,
      path: "/dev/chain/mine",
      summary: "Makes blocks of a development chain now; the default run alone",
      body: ChainMineBody,
      output: ChainHead,
      handle: async ({ body }, context) =>
        local(context) ?? turn(body.network, () => needs.mine(body.network, body.blocks)),
    }),
    defineRoute({
      ...OWN,
      path: "/dev/chain/reorg",
      summary: "Replaces the newest blocks of a development chain by a longer branch; the default run alone",
      body: ChainReorgBody,
      output: ChainHead,
      handle: async ({ body }, context) =>
        local(context) ?? turn(body.network, () => needs.reorg(body.network, body.depth, body.dropped === true)),
    }),
  ];
}

/** Chains count finer than the ledger: the text is read as it is. Nothing when it is no amount above zero. */
function readChainUnits(text: string, decimals: number): bigint | undefined {
  const [whole = "0", part = ""] = text.split(".");
  if (part.length > decimals) return undefined;
  const value = BigInt(whole + part.padEnd(decimals, "0"));
  return value > 0n ? value : undefined;
}
