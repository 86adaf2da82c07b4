// Settings of the chains the wallet is connected with.
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
    "JSON file of further EVM networks: nodes, chain id, coins, confirmations, fees (docs/runbook.md)",
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a path with control characters is always a mistake.
    /^[^\u0000-\u001f]{1,1024}$/,
    "a file path",
  ),
  flaggedFile: textSetting(
    "CW_FLAGGED_ADDRESSES",
    "",
    "text file of addresses, one on each line: a withdrawal to one of them is always read by a person",
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a path with control characters is always a mistake.
    /^[^\u0000-\u001f]{1,1024}$/,
    "a file path",
  ),
};
