// Settings of the chains the wallet is connected with.
import { PATH_PATTERN } from "./server-settings.ts";
import { choiceSetting, textSetting } from "./setting.ts";

const CHAIN_KINDS = ["auto", "off"] as const;

export const CHAIN_SETTINGS = {
  chain: choiceSetting(
    "CW_CHAIN",
    "auto",
    "auto: outside production two development chains run beside the server; off: only networks of CW_NETWORKS",
    CHAIN_KINDS,
  ),
  chainPriority: choiceSetting(
    "CW_CHAIN_PRIORITY",
    "idle",
    "idle: chains and signer run when nothing else wants the processor; normal: as any other work, where other programs keep every core busy",
    ["idle", "normal"] as const,
  ),
  chainBlocks: choiceSetting(
    "CW_CHAIN_BLOCKS",
    "timed",
    "timed: the development chains make blocks by themselves; asked: only when /dev/chain/mine asks for them",
    ["timed", "asked"] as const,
  ),
  networksFile: textSetting(
    "CW_NETWORKS",
    "",
    "JSON file of further EVM networks; each as {network, name, chainId, isTest, blockSeconds, creditBlocks, unlockBlocks, finalBlocks, payoutContract (may be left out), nodes: [addresses], coins: [{asset, contract or null, decimals, depositMin, withdrawMin, withdrawFee}]}",
    PATH_PATTERN,
    "a file path",
  ),
  flaggedFile: textSetting(
    "CW_FLAGGED_ADDRESSES",
    "",
    "Text file of addresses, one on each line: a withdrawal to one of them is always reviewed by an operator",
    PATH_PATTERN,
    "a file path",
  ),
};
