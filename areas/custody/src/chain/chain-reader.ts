// One network as custody reads it: blocks, transfers of tokens, receipts and balances, as plain numbers instead of
// hexadecimal text. Requests are batched.
import type { Chain, ChainBlock, Receipt, TransferLog } from "@clockwork/kit/chains/chain";
import type { RpcClient, RpcRequest } from "./rpc-client.ts";
import { RpcRefusal, TRANSFER_TOPIC } from "./rpc-client.ts";

/** balanceOf(address). */
const BALANCE_OF = "0x70a08231";
/** allowance(address,address). */
const ALLOWANCE = "0xdd62ed3e";
/** keccak256("Paid(uint256)"). */
const PAID_TOPIC = "0x581d416ae9dff30c9305c2b35cb09ed5991897ab97804db29ccf92678e953160";
const BATCH_MAX = 100;

const hex = (value: number): string => `0x${value.toString(16)}`;
const wordOf = (address: string): string => address.slice(2).padStart(64, "0");
const addressOfTopic = (topic: string): string => `0x${topic.slice(26)}`.toLowerCase();

interface BlockJson {
  readonly number: string;
  readonly hash: string;
  readonly parentHash: string;
  readonly baseFeePerGas?: string;
  readonly transactions: readonly { hash: string; from: string; to: string | null; value: string }[];
}

interface LogJson {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly transactionHash: string;
  readonly blockNumber: string;
  readonly blockHash: string;
}

interface ReceiptJson {
  readonly blockNumber: string;
  readonly blockHash: string;
  readonly status: string;
  readonly gasUsed: string;
  readonly effectiveGasPrice: string;
  readonly logs: readonly LogJson[];
}

/** Data that money depends on: the answer of most nodes, compared in the part `read` selects. */
type RequestMany = <Value>(asks: readonly RpcRequest[], read: (value: Value) => unknown) => Promise<readonly Value[]>;
const orNull =
  <Json, Value>(read: (json: Json) => Value) =>
  (json: Json | null): Value | null =>
    json === null ? null : read(json);

export function chainReader(client: RpcClient): Chain {
  const requestMany: RequestMany = async (asks, read) => {
    const all = [];
    for (let at = 0; at < asks.length; at += BATCH_MAX)
      all.push(...(await client.requestAgreed(asks.slice(at, at + BATCH_MAX), read)));
    return all;
  };
  return {
    ...blockCalls(client, requestMany),
    async receipts(hashes) {
      const asks = hashes.map((hash) => ({ method: "eth_getTransactionReceipt", params: [hash] }));
      const found = await requestMany<ReceiptJson | null>(asks, orNull(readReceipt));
      return found.map((json) => (json === null ? undefined : readReceipt(json)));
    },
    async balances(asks, number) {
      const found = await requestMany<string>(
        asks.map(({ contract, address, number: own = number }) =>
          contract === null
            ? { method: "eth_getBalance", params: [address, hex(own)] }
            : {
                method: "eth_call",
                params: [{ to: contract, data: `${BALANCE_OF}${wordOf(address)}` }, hex(own)],
              },
        ),
        (text) => text,
      );
      return found.map((text) => (text === "0x" ? 0n : BigInt(text)));
    },
    async allowance(contract, owner, spender) {
      const call = { to: contract, data: `${ALLOWANCE}${wordOf(owner)}${wordOf(spender)}` };
      const [text = "0x"] = await requestMany<string>(
        [{ method: "eth_call", params: [call, "latest"] }],
        (answer) => answer,
      );
      return text === "0x" ? 0n : BigInt(text);
    },
    async fees() {
      const [block, tip] = await client.requestAll<BlockJson | string>([
        { method: "eth_getBlockByNumber", params: ["latest", false] },
        { method: "eth_maxPriorityFeePerGas", params: [] },
      ]);
      return { baseFee: BigInt((block as BlockJson).baseFeePerGas ?? "0x0"), tip: BigInt(tip as string) };
    },
    hasCode: async (address) => (await client.ask<string>("eth_getCode", address, "latest")) !== "0x",
    async send(raw) {
      try {
        await client.ask<string>("eth_sendRawTransaction", raw);
      } catch (error) {
        // It is there: that is all that was wanted.
        if (!(error instanceof RpcRefusal && /already known|known transaction/i.test(error.message))) throw error;
      }
    },
    countOf: async (address) => Number(await client.ask<string>("eth_getTransactionCount", address, "latest")),
  };
}

function blockCalls(
  client: RpcClient,
  requestMany: RequestMany,
): Pick<Chain, "head" | "blocks" | "hashAt" | "transfers"> {
  return {
    head: () => client.head(),
    async blocks(from, to) {
      const asks = Array.from({ length: to - from + 1 }, (_, index) => ({
        method: "eth_getBlockByNumber",
        params: [hex(from + index), true],
      }));
      const found = await requestMany<BlockJson | null>(asks, orNull(readBlock));
      const end = found.indexOf(null);
      return (end < 0 ? found : found.slice(0, end)).flatMap((json) => (json === null ? [] : readBlock(json)));
    },
    async hashAt(number) {
      return (await client.ask<BlockJson | null>("eth_getBlockByNumber", hex(number), false))?.hash;
    },
    async transfers(from, to) {
      const filter = { fromBlock: hex(from), toBlock: hex(to), topics: [TRANSFER_TOPIC] };
      const [logs = []] = await requestMany<readonly LogJson[]>(
        [{ method: "eth_getLogs", params: [filter] }],
        readTransfers,
      );
      return readTransfers(logs);
    },
  };
}

function readBlock({ number, hash, parentHash, transactions }: BlockJson): ChainBlock {
  return {
    number: Number(number),
    hash,
    parentHash,
    transactions: transactions.map((one) => ({
      hash: one.hash,
      from: one.from.toLowerCase(),
      to: one.to === null ? null : one.to.toLowerCase(),
      value: BigInt(one.value),
    })),
  };
}

/**
 * A transfer's place is its rank in its transaction, which is the same when the transaction is mined again elsewhere.
 */
function readTransfers(logs: readonly LogJson[]): readonly TransferLog[] {
  const ranks = new Map<string, number>();
  return logs.flatMap((log) => {
    const place = ranks.get(log.transactionHash) ?? 0;
    ranks.set(log.transactionHash, place + 1);
    const [, from, to] = log.topics;
    // Coins of one piece each announce themselves alike, with a topic more and no amount.
    if (from === undefined || to === undefined || log.topics.length !== 3 || log.data.length < 66) return [];
    return {
      contract: log.address.toLowerCase(),
      from: addressOfTopic(from),
      to: addressOfTopic(to),
      value: BigInt(log.data.slice(0, 66)),
      txHash: log.transactionHash,
      place,
      blockNumber: Number(log.blockNumber),
      blockHash: log.blockHash,
    };
  });
}

function readReceipt({ blockNumber, blockHash, status, gasUsed, effectiveGasPrice, logs }: ReceiptJson): Receipt {
  return {
    blockNumber: Number(blockNumber),
    blockHash,
    isDone: status === "0x1",
    feeUnits: BigInt(gasUsed) * BigInt(effectiveGasPrice),
    transfers: readTransfers(logs.filter(({ topics }) => topics[0] === TRANSFER_TOPIC)),
    paid: logs
      .filter(({ topics, data }) => topics[0] === PAID_TOPIC && topics.length === 1 && data.length === 66)
      .map(({ address, data }) => ({ contract: address.toLowerCase(), places: BigInt(data) })),
  };
}
