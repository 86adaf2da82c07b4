// The list of networks: the two development chains of the default run with their initial money, and those an operator
// configures in a file. Data and its parser only.
import { readFileSync } from "node:fs";
import type { Network, NetworkCoin } from "@clockwork/kit/chains/network";
import { CATALOGUE_ASSETS, CATALOGUE_PAIRS } from "@clockwork/trading/market/catalogue";
import { GENESIS_UNITS } from "@clockwork/trading/market/genesis";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import type { ChainSpec, GenesisCoin } from "./node-wire.ts";
import type { SignerNetwork, SignerPublic } from "./signer-wire.ts";

interface DevNetwork {
  readonly network: string;
  readonly name: string;
  readonly chainId: number;
  readonly native: string;
  readonly blockMs: number;
  readonly creditBlocks: number;
  readonly unlockBlocks: number;
  readonly finalBlocks: number;
  /** Tokens in addition to the chain's own coin. */
  readonly tokens: readonly string[];
  /** Powers of ten between the coin's unit and about one USDT, for fees and minima. */
  readonly feePower: number;
  readonly minPower: number;
}

const NATIVE_DECIMALS = 18;
const HEARTBEAT_MS = 60_000;
const FAUCET_COINS = 10_000_000;
/** The batch payout contract, at a recognisable address; an older contract was one below. */
const PAYOUT_ADDRESS = "0xc0de000000000000000000000000000000009a71";
/** This share of the initial money is in the hot wallet for withdrawals; the rest is cold. */
const HOT_SHARE = 10n;

/** One fast chain with every coin, one slow and cheap with a few: different rules, so that both are exercised. */
const DEV_NETWORKS: readonly DevNetwork[] = [
  {
    network: "CWT",
    name: "Clockwork Test Chain",
    chainId: 133_701,
    native: "ETH",
    blockMs: 1_000,
    creditBlocks: 6,
    unlockBlocks: 12,
    finalBlocks: 32,
    tokens: CATALOGUE_ASSETS.flatMap(({ symbol }) => (symbol === "ETH" ? [] : symbol)),
    feePower: 0,
    minPower: 0,
  },
  {
    network: "CWS",
    name: "Clockwork Slow Chain",
    chainId: 133_702,
    native: "BNB",
    blockMs: 5_000,
    creditBlocks: 2,
    unlockBlocks: 4,
    finalBlocks: 16,
    tokens: ["USDT", "BTC", "ETH"],
    feePower: -1,
    minPower: 1,
  },
];

const scaleOf = (asset: string): number => CATALOGUE_ASSETS.find(({ symbol }) => symbol === asset)?.scale ?? 0;

/** A power of ten of the coin near one USDT's worth, shifted by `power`. */
function powerText(asset: string, power: number): string {
  const price = CATALOGUE_PAIRS.find(({ base, quote }) => base === asset && quote === "USDT")?.firstPrice ?? "1";
  const exponent = Math.max(-scaleOf(asset), power - ((price.split(".")[0] ?? "1").length - 1));
  return exponent >= 0 ? `1${"0".repeat(exponent)}` : `0.${"0".repeat(-exponent - 1)}1`;
}

const coinsOf = ({ native, tokens }: DevNetwork): readonly string[] => [native, ...tokens];

/** Recognisable addresses, the same in every default run. */
function contractOf({ chainId }: DevNetwork, asset: string): string {
  const number = CATALOGUE_ASSETS.findIndex(({ symbol }) => symbol === asset) + 1;
  return `0xc0de${(chainId * 100 + number).toString().padStart(36, "0")}`;
}

function coinOf(dev: DevNetwork, asset: string): NetworkCoin {
  const isNative = asset === dev.native;
  return {
    asset,
    contract: isNative ? null : contractOf(dev, asset),
    decimals: isNative ? NATIVE_DECIMALS : scaleOf(asset),
    depositMin: powerText(asset, dev.minPower),
    withdrawMin: powerText(asset, dev.minPower + 1),
    withdrawFee: powerText(asset, dev.feePower),
  };
}

export const DEVELOPMENT_NETWORKS: readonly Network[] = DEV_NETWORKS.map((dev) => ({
  network: dev.network,
  name: dev.name,
  chainId: dev.chainId,
  isTest: true,
  blockSeconds: dev.blockMs / 1_000,
  creditBlocks: dev.creditBlocks,
  unlockBlocks: dev.unlockBlocks,
  finalBlocks: dev.finalBlocks,
  payoutContract: PAYOUT_ADDRESS,
  coins: coinsOf(dev).map((asset) => coinOf(dev, asset)),
}));

/** A coin that keeps a hundredth of every transfer; it is not listed, so it shows how unlisted coins are handled. */
const STRANGE: Omit<GenesisCoin, "holders"> = {
  symbol: "ODD",
  name: "Odd Coin",
  decimals: 6,
  address: "0xc0de0000000000000000000000000000000000dd",
  feeBps: 100,
};

/** The chains' first state: all the reserves' coins, split over the chains a coin is on, a tenth of it hot. */
export function genesisOf({ hot, cold }: SignerPublic, isTimed: boolean): readonly ChainSpec[] {
  const shares = new Map<string, number>();
  for (const dev of DEV_NETWORKS) for (const asset of coinsOf(dev)) shares.set(asset, (shares.get(asset) ?? 0) + 1);
  return DEV_NETWORKS.map((dev) => {
    const coins = coinsOf(dev).map((asset): GenesisCoin => {
      const { contract, decimals } = coinOf(dev, asset);
      const units = BigInt(GENESIS_UNITS / (shares.get(asset) ?? 1)) * 10n ** BigInt(decimals - scaleOf(asset));
      const hotUnits = units / HOT_SHARE;
      return {
        symbol: asset,
        name: CATALOGUE_ASSETS.find(({ symbol }) => symbol === asset)?.name ?? asset,
        decimals,
        ...(contract === null ? {} : { address: contract }),
        holders: [
          { address: cold, units: (units - hotUnits).toString() },
          { address: hot, units: hotUnits.toString() },
        ],
      };
    });
    const { network, chainId, blockMs, finalBlocks } = dev;
    const rules = { network, chainId, blockMs, isTimed, finality: finalBlocks, heartbeatMs: HEARTBEAT_MS };
    const first = { faucetCoins: FAUCET_COINS, payoutContract: PAYOUT_ADDRESS };
    return { ...rules, ...first, coins: [...coins, { ...STRANGE, holders: [] }] };
  });
}

const Decimal = Type.String({ pattern: "^[0-9]+(\\.[0-9]+)?$", maxLength: 40 });
const NetworkFile = Type.Array(
  Type.Object({
    network: Type.String({ pattern: "^[A-Z0-9]{2,12}$" }),
    name: Type.String({ minLength: 1, maxLength: 40 }),
    chainId: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }),
    isTest: Type.Boolean(),
    blockSeconds: Type.Number({ exclusiveMinimum: 0 }),
    creditBlocks: Type.Integer({ minimum: 1 }),
    unlockBlocks: Type.Integer({ minimum: 1 }),
    finalBlocks: Type.Integer({ minimum: 1, maximum: 1_000 }),
    payoutContract: Type.Optional(Type.String({ pattern: "^0x[0-9a-f]{40}$" })),
    nodes: Type.Array(Type.String({ pattern: "^https?://" }), { minItems: 1, maxItems: 8 }),
    coins: Type.Array(
      Type.Object({
        asset: Type.String({ pattern: "^[A-Z0-9]{1,12}$" }),
        contract: Type.Union([Type.String({ pattern: "^0x[0-9a-f]{40}$" }), Type.Null()]),
        decimals: Type.Integer({ minimum: 0, maximum: 30 }),
        depositMin: Decimal,
        withdrawMin: Decimal,
        withdrawFee: Decimal,
      }),
      { minItems: 1, maxItems: 200 },
    ),
  }),
  { maxItems: 20 },
);
export type ConfiguredNetwork = Static<typeof NetworkFile>[number];

/** Throws with the reason: a network with an unclear configuration must not start. */
export function readNetworks(path: string): readonly ConfiguredNetwork[] {
  if (path === "") return [];
  const read: unknown = JSON.parse(readFileSync(path, "utf8"));
  const [wrong] = Value.Errors(NetworkFile, read);
  if (wrong !== undefined || !Value.Check(NetworkFile, read)) {
    throw new Error(`${path}: ${wrong?.instancePath ?? ""} ${wrong?.message ?? "is no list of networks"}`);
  }
  return read;
}

/** Addresses whose payments require a review, one per line; text after a blank is a note. */
export function readFlagged(path: string): (address: string) => boolean {
  const lines = path === "" ? [] : readFileSync(path, "utf8").split("\n");
  const flagged = new Set(lines.flatMap((line) => line.trim().split(/\s/)[0]?.toLowerCase() || []));
  return (address) => flagged.has(address.toLowerCase());
}

/** The signer's limits of each coin per payment and per day: a part of the hot wallet of a default run. */
export function signerNetworks(networks: readonly Network[]): readonly SignerNetwork[] {
  return networks.map(({ network, chainId, coins, payoutContract }) => ({
    network,
    chainId,
    payoutContract: payoutContract ?? null,
    coins: coins.map(({ asset, contract, decimals }) => {
      const held = (BigInt(GENESIS_UNITS) * 10n ** BigInt(Math.max(0, decimals - scaleOf(asset)))) / HOT_SHARE;
      return { asset, contract, paymentMax: (held / 20n).toString(), dayMax: (held / 2n).toString() };
    }),
  }));
}
