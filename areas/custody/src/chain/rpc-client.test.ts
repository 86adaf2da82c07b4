// Several nodes of one network: one that lies, lags or claims to be far ahead is ignored.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { chainReader } from "./chain-reader.ts";
import { NodesDisagree, RpcClient } from "./rpc-client.ts";

interface FakeNode {
  head: number;
  /** The prefix of the hashes of its blocks. */
  history: string;
  /** The token transfer announced in each block. */
  paid?: number;
  /** From which block on its logs are made up. */
  lieFrom?: number;
}

const word = (value: number): string => `0x${value.toString(16).padStart(64, "0")}`;
const numberOf = (text: unknown): number => Number(text);

function answerOf(node: FakeNode, method: string, [first]: readonly unknown[]): unknown {
  if (method === "eth_blockNumber") return `0x${node.head.toString(16)}`;
  if (method !== "eth_getLogs") return { hash: `${node.history}${String(first)}` };
  const { fromBlock, toBlock } = first as { fromBlock: string; toBlock: string };
  if (node.paid === undefined) return [];
  const at = numberOf(toBlock);
  const isLie = node.lieFrom !== undefined && at >= node.lieFrom;
  return [
    {
      address: "0xAA",
      data: word(isLie ? 1_000_000 : node.paid),
      transactionHash: "0x1",
      topics: ["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef", word(1), word(2)],
      blockNumber: fromBlock,
      blockHash: "0xb",
    },
  ];
}

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

async function openNode(node: FakeNode): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const calls = JSON.parse(Buffer.concat(chunks).toString()) as { id: number; method: string; params: unknown[] }[];
    const answer = calls.map(({ id, method, params }) => ({ id, result: answerOf(node, method, params) }));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(answer));
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", () => done()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const ask = async (nodes: readonly FakeNode[]): Promise<{ head: number; hash: string }> => {
  const client = new RpcClient(await Promise.all(nodes.map(openNode)));
  const head = Number(await client.ask<string>("eth_blockNumber"));
  const { hash } = await client.ask<{ hash: string }>("eth_getBlockByNumber", "0x5", false);
  return { head, hash };
};

test("[WAL-2] a node with another history than most is excluded", async () => {
  const answer = await ask([
    { head: 100, history: "lie" },
    { head: 100, history: "true" },
    { head: 101, history: "true" },
  ]);
  expect(answer.hash).toBe("true0x5");
});

test("[WAL-2] a lagging node is excluded", async () => {
  const answer = await ask([
    { head: 40, history: "true" },
    { head: 100, history: "true" },
    { head: 100, history: "true" },
  ]);
  expect(answer.head).toBe(100);
});

test("[WAL-2] a node that claims to be far ahead of most does not exclude the honest ones", async () => {
  const answer = await ask([
    { head: 9_000, history: "lie" },
    { head: 100, history: "true" },
    { head: 101, history: "true" },
  ]);
  expect(answer).toEqual({ head: 100, hash: "true0x5" });
});

test("[WAL-2] a node with the right hashes and invented payments is outvoted", async () => {
  const honest = { head: 100, history: "true", paid: 5 };
  // Once in the block that is compared, once only in blocks read for deposits.
  for (const lieFrom of [0, 101]) {
    const nodes = [{ ...honest, head: 101, lieFrom }, { ...honest, head: 101 }, honest];
    const chain = chainReader(new RpcClient(await Promise.all(nodes.map(openNode))));
    expect((await chain.transfers(101, 101)).map(({ value }) => value)).toEqual([5n]);
    expect(await chain.head()).toBe(100);
  }
});

test("[WAL-2] two nodes that contradict each other are both rejected", async () => {
  const open = async (...nodes: readonly FakeNode[]) =>
    chainReader(new RpcClient(await Promise.all(nodes.map(openNode))));
  const honest = { head: 100, history: "true", paid: 5 };
  await expect((await open(honest, { ...honest, history: "lie" })).head()).rejects.toThrow(NodesDisagree);
  await expect((await open(honest, { ...honest, head: 9_000 })).head()).rejects.toThrow(NodesDisagree);
  const later = await open(honest, { ...honest, lieFrom: 101 });
  expect(await later.head()).toBe(100);
  await expect(later.transfers(101, 101)).rejects.toThrow(NodesDisagree);
  // A silent node is no contradiction.
  const alone = chainReader(new RpcClient([await openNode(honest), "http://127.0.0.1:9"]));
  expect(await alone.head()).toBe(100);
});

test("[WAL-2] a lost response is requested once more, and not more often", async () => {
  const received: number[] = [];
  const lossy = createServer((request, response) => {
    received.push(1);
    request.resume();
    if (received.length % 2 === 1 || received.length > 2) response.destroy();
    else response.end(JSON.stringify([{ id: 0, result: "0x7" }]));
  });
  servers.push(lossy);
  await new Promise<void>((done) => lossy.listen(0, "127.0.0.1", () => done()));
  const client = new RpcClient([`http://127.0.0.1:${(lossy.address() as AddressInfo).port}`]);
  expect(await client.head()).toBe(7);
  expect(received).toHaveLength(2);
  await expect(client.head()).rejects.toThrow();
  expect(received).toHaveLength(4);
});
