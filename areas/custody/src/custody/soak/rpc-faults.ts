// A loopback proxy between the exchange and its chains' nodes that injects faults: late, lost before or after the node
// acted, truncated, requested twice, and doubled responses. Faults are counted.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "@clockwork/kit/random";

const LATE_MS_MAX = 3_000;

export interface RpcFaults {
  readonly port: number;
  readonly counts: {
    passed: number;
    late: number;
    lost: number;
    unheard: number;
    cut: number;
    asked2: number;
    told2: number;
  };
  /** From now on everything passes unharmed. */
  heal(): void;
  close(): void;
}

type Fault = "none" | "late" | "lost" | "unheard" | "cut" | "asked2" | "told2";

/** Requests out of a hundred per fault; the rest pass. */
const FAULTS: readonly (readonly [Fault, number])[] = [
  ["late", 6],
  ["lost", 4],
  ["unheard", 4],
  ["cut", 2],
  ["asked2", 5],
  ["told2", 5],
];

function pickFault(random: Random): Fault {
  let draw = random.below(100);
  for (const [fault, share] of FAULTS) {
    if (draw < share) return fault;
    draw -= share;
  }
  return "none";
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

async function pass(path: string, body: string): Promise<string> {
  const [, port = "", network = ""] = path.split("/");
  const headers = { "content-type": "application/json" };
  const response = await fetch(`http://127.0.0.1:${port}/${network}`, { method: "POST", headers, body });
  return response.text();
}

/** Every response of a batch appears twice. */
function doubled(text: string): string {
  const read: unknown = JSON.parse(text);
  return Array.isArray(read) ? JSON.stringify([...read, ...read]) : text;
}

async function serve(fault: Fault, incoming: IncomingMessage, outgoing: ServerResponse, lateMs: number): Promise<void> {
  const body = await readBody(incoming);
  const path = incoming.url ?? "/";
  if (fault === "lost") return void outgoing.destroy();
  if (fault === "asked2") await pass(path, body);
  const text = await pass(path, body);
  if (fault === "late") await sleep(lateMs);
  if (fault === "unheard") return void outgoing.destroy();
  const answer = fault === "told2" ? doubled(text) : text;
  outgoing.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(answer) });
  if (fault !== "cut") return void outgoing.end(answer);
  outgoing.write(answer.slice(0, Math.floor(answer.length / 2)), () => outgoing.destroy());
}

export async function startRpcFaults(random: Random): Promise<RpcFaults> {
  const counts = { passed: 0, late: 0, lost: 0, unheard: 0, cut: 0, asked2: 0, told2: 0 };
  let isHealed = false;
  const server = createServer((incoming, outgoing) => {
    const fault = isHealed ? "none" : pickFault(random);
    counts[fault === "none" ? "passed" : fault] += 1;
    // A node being killed does not answer.
    serve(fault, incoming, outgoing, random.below(LATE_MS_MAX)).catch(() => outgoing.destroy());
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    port: (server.address() as AddressInfo).port,
    counts,
    heal: () => {
      isHealed = true;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
