// Several nodes of one network: one that lies, lags or claims to be far ahead is not listened to.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { RpcClient } from "./rpc-client.ts";

interface FakeNode {
  head: number;
  /** Begins the hash of its blocks. */
  history: string;
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
    const told = calls.map(({ id, method, params }) => ({
      id,
      result:
        method === "eth_blockNumber" ? `0x${node.head.toString(16)}` : { hash: `${node.history}${String(params[0])}` },
    }));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(told));
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

test("[WAL-2] a node that tells another history than most is set aside", async () => {
  const told = await ask([
    { head: 100, history: "lie" },
    { head: 100, history: "true" },
    { head: 101, history: "true" },
  ]);
  expect(told.hash).toBe("true0x5");
});

test("[WAL-2] a node that lags is set aside", async () => {
  const told = await ask([
    { head: 40, history: "true" },
    { head: 100, history: "true" },
    { head: 100, history: "true" },
  ]);
  expect(told.head).toBe(100);
});

test("[WAL-2] a node that claims to be far ahead of most does not set the honest ones aside", async () => {
  const told = await ask([
    { head: 9_000, history: "lie" },
    { head: 100, history: "true" },
    { head: 101, history: "true" },
  ]);
  expect(told).toEqual({ head: 100, hash: "true0x5" });
});
