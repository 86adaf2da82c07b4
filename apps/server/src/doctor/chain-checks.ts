// The doctor's looks at networks and the wallet: does each node follow the chain it is configured for, are the coins the
// contracts they are said to be, and where do the keys lie.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type ConfiguredNetwork, readNetworks } from "@clockwork/custody/chain/networks";
import { CATALOGUE_ASSETS } from "@clockwork/trading/market/catalogue";
import { SIGNER_FOLDER } from "../copies/keys.ts";
import { type Check, type Finding, green, type Patient, reasonOf, red, yellow } from "./finding.ts";

/** `decimals()` of an ERC-20 contract. */
const DECIMALS = "0x313ce567";
/** A chain without a block for so many of its intervals has stopped, or the node has. */
const BLOCKS_LATE = 30;
const LATE_MIN_S = 120;
const NEAR = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

export const checkNetworks: Check = async (patient) => {
  const { networksFile } = patient.config;
  if (networksFile === "")
    return patient.config.mode === "production"
      ? [
          yellow(
            "networks.none",
            "no network is configured: nothing can be deposited or withdrawn",
            "write the file of CW_NETWORKS",
          ),
        ]
      : [];
  try {
    const found = await Promise.all(readNetworks(networksFile).map((network) => checkNetwork(patient, network)));
    return found.flat();
  } catch (error) {
    return [red("networks.file", `CW_NETWORKS: ${reasonOf(error)}`, "correct the file: the runbook has its form")];
  }
};

async function checkNetwork(patient: Patient, network: ConfiguredNetwork): Promise<readonly Finding[]> {
  const { network: name, isTest, nodes, coins } = network;
  const found: Finding[] = [];
  if (isTest && patient.config.mode === "production")
    found.push(
      red("networks.test", `${name} is a test network: its coins are worth nothing`, `take ${name} out of CW_NETWORKS`),
    );
  if (nodes.length < 2)
    found.push(
      yellow(
        "networks.single",
        `${name} has one node: it is believed whatever it says, and deposits stop when it does`,
        "name a second node of another operator",
      ),
    );
  for (const { asset } of coins) {
    if (!CATALOGUE_ASSETS.some(({ symbol }) => symbol === asset))
      found.push(
        red(
          "networks.unlisted",
          `${name}: ${asset} is no asset of this exchange`,
          `list ${asset}, or take it out of CW_NETWORKS`,
        ),
      );
  }
  const read = await Promise.all(nodes.map((node, at) => checkNode(patient, network, node, at + 1)));
  found.push(...read.flat());
  return found.length > 0
    ? found
    : [green("networks", `${name}: ${nodes.length} nodes follow chain ${network.chainId}`)];
}

async function checkNode(
  patient: Patient,
  network: ConfiguredNetwork,
  node: string,
  number: number,
): Promise<readonly Finding[]> {
  // An address of a node often holds a key: it is named by its place in the list.
  const here = `${network.network}, node ${number} (${new URL(node).hostname})`;
  const url = new URL(node);
  const found: Finding[] = [];
  if (url.protocol === "http:" && !NEAR.test(url.hostname))
    found.push(
      red(
        "nodes.plain",
        `${here} is called without TLS: deposits could be invented on the way`,
        "use https, or a node on this machine",
      ),
    );
  try {
    const call = (method: string, params: readonly unknown[] = []) => callNode(patient, node, method, params);
    const chainId = Number(await call("eth_chainId"));
    if (chainId !== network.chainId)
      return [
        ...found,
        red(
          "nodes.chain",
          `${here} follows chain ${chainId}, not ${network.chainId}`,
          "correct chainId or the node's address",
        ),
      ];
    const block = (await call("eth_getBlockByNumber", ["latest", false])) as { readonly timestamp: string } | null;
    const ageS = Math.round(patient.outside.now() / 1000 - Number(block?.timestamp ?? 0));
    if (ageS > Math.max(LATE_MIN_S, network.blockSeconds * BLOCKS_LATE))
      found.push(
        red("nodes.late", `${here}: its newest block is ${ageS} s old`, "let the node catch up, or name another"),
      );
    for (const { asset, contract, decimals } of network.coins) {
      if (contract === null) continue;
      const answer = String(await call("eth_call", [{ to: contract, data: DECIMALS }, "latest"]));
      if (answer === "0x")
        found.push(
          red(
            "coins.contract",
            `${here}: there is no token at ${contract} for ${asset}`,
            "correct the contract in CW_NETWORKS",
          ),
        );
      else if (Number(answer) !== decimals)
        found.push(
          red(
            "coins.decimals",
            `${here}: ${asset} has ${Number(answer)} decimals, not ${decimals}`,
            "correct decimals in CW_NETWORKS: every amount would be wrong",
          ),
        );
    }
    const { payoutContract } = network;
    if (payoutContract !== undefined && String(await call("eth_getCode", [payoutContract, "latest"])) === "0x")
      found.push(
        yellow(
          "networks.payout",
          `${here}: there is no contract at ${payoutContract}`,
          "clockwork payout-contract, or leave payoutContract out",
        ),
      );
    return found;
  } catch (error) {
    return [
      ...found,
      red("nodes.down", `${here} does not answer (${reasonOf(error)})`, "start the node, or name another"),
    ];
  }
}

async function callNode(
  { outside }: Patient,
  node: string,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  const { username, password, origin, pathname, search } = new URL(node);
  const credentials = Buffer.from(`${username}:${password}`).toString("base64");
  const reply = await outside.fetch(`${origin}${pathname}${search}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(username === "" ? {} : { authorization: `Basic ${credentials}` }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  if (!reply.ok) throw new Error(`answers ${reply.status}`);
  const { result, error } = (await reply.json()) as {
    readonly result?: unknown;
    readonly error?: { readonly message: string };
  };
  if (error !== undefined) throw new Error(error.message);
  return result;
}

/** Only where the keys lie: what the wallets hold is on the operators' desk. */
export const checkWallet: Check = ({ config: { folder, networksFile, mode } }) => {
  if (networksFile === "" || mode !== "production") return [];
  const isThere = (name: string): boolean => existsSync(join(folder, SIGNER_FOLDER, name));
  const found: Finding[] = [];
  if (isThere("cold-wallet.sealed"))
    found.push(
      red(
        "wallet.cold",
        "the key of the cold wallet lies on this server",
        "clockwork backup-keys, then move cold-wallet.sealed to a machine without a network",
      ),
    );
  if (isThere("keys.sealed") && !isThere("unlock.key"))
    found.push(
      red("wallet.unlock", "unlock.key is missing: nothing can be signed", "put it back from the copy of the keys"),
    );
  if (!isThere("keys.sealed"))
    found.push(
      yellow(
        "wallet.keys",
        "there are no keys yet",
        "the first start makes them; copy them then with clockwork backup-keys",
      ),
    );
  return found.length > 0 ? found : [green("wallet", "the hot wallet's keys are here, the cold wallet's are not")];
};
