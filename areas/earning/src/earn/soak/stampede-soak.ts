// A stampede over HTTP: 2 000 users press 50 000 times in ten seconds for a flash sale, and as often place spot orders,
// in turns and over the same connections, while other traders measure the latency of their orders. Nothing may be sold
// twice, every request is answered, and the journal replays to a ledger that balances. This process is the exchange;
// load and measurement are processes of their own. Absolute figures depend on the machine; the ratio is within one run.
// npm run soak -- stampede [people] [presses] [rounds]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { checkInvariants } from "@clockwork/core/inspect/invariants";
import { createMachine, restoreMachine } from "@clockwork/core/machine/machine";
import { wallMs } from "@clockwork/host/time/measure";
import { verifyFolder } from "@clockwork/server/engine/inspection";
import { localFiles } from "@clockwork/server/engine/journal/files";
import { recover } from "@clockwork/server/engine/recovery/recovery";
import type { Visitor } from "@clockwork/server/process/account-fixture";
import { startTradingServer, type TradingServer } from "@clockwork/trading/spot/spot-fixture";
import { offer } from "../earn-fixture.ts";
import { coins, launchOf } from "../launch-fixture.ts";
import { earnStore } from "../store.ts";
import { findSaleFaults, people, type Rushed, renew, requestOf, rush } from "./stampede.ts";

const [participantCount, presses, rounds] = [2, 3, 4].map((at, index) =>
  Number(process.argv[at] ?? [2_000, 25, 2][index]),
) as [number, number, number];
const COUNT = participantCount * presses;
const OVER_MS = 10_000;
const LOTS = Math.floor(participantCount / 4);
const PROBERS = 20;
/** Connections of each: the measurement is of the exchange, not of a queue in the client. */
const CONNECTIONS = 10;
const PROBES = 2_000;
const PUT_UNITS = 10_000_000;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const faults: string[] = [];

interface Phase {
  readonly participants: Rushed;
  readonly probes: Rushed;
  /** Percentiles 99 and 99.9 of the longest blocks of the exchange's main thread. */
  readonly takenMs: readonly [number, number];
  /** Processor time of the exchange for each request, in microseconds. */
  readonly spentUs: number;
}

async function phase(server: TradingServer, requests: readonly string[], probes: readonly string[]): Promise<Phase> {
  const startsAtMs = wallMs() + 4_000;
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const before = process.cpuUsage();
  const { port } = server;
  const [participants, counted] = await Promise.all([
    rush({ port, requests, count: COUNT, overMs: OVER_MS }, startsAtMs),
    rush({ port, requests: probes, count: PROBES, overMs: OVER_MS }, startsAtMs),
  ]);
  const { user, system } = process.cpuUsage(before);
  delay.disable();
  for (const { unanswered, lost, unhelpful } of [participants, counted]) {
    if (unanswered + lost > 0) faults.push(`${unanswered} requests had no answer, ${lost} lost their connection`);
    if (unhelpful > 0) faults.push(`${unhelpful} were told to come again without a time`);
  }
  const refused = Object.keys(counted.answers).filter((name) => name !== "200");
  if (refused.length > 0) faults.push(`an order beside the crowd ended with ${refused.join(", ")}`);
  const takenMs = [delay.percentile(99) / 1e6, delay.percentile(99.9) / 1e6] as const;
  return { participants, probes: counted, takenMs, spentUs: (user + system) / (COUNT + PROBES) };
}

function printPhase(name: string, { participants, probes, takenMs, spentUs }: Phase): void {
  const ms = (value: number): string => value.toFixed(1);
  say(
    `${name}: ${participants.requested} requests in ${participants.seconds.toFixed(1)} s (${JSON.stringify(participants.answers)}; p50 ${ms(participants.p50Ms)}, ` +
      `p99 ${ms(participants.p99Ms)} ms; the crowd itself late by ${ms(participants.lateMs)} ms at worst); a spot order beside them p50 ` +
      `${ms(probes.p50Ms)}, p99 ${ms(probes.p99Ms)}, most ${ms(probes.maxMs)} ms; the thread taken for ${ms(takenMs[0])} ms at p99, ` +
      `${ms(takenMs[1])} at p99.9; ${Math.round(spentUs)} us of processors a request`,
  );
}

/** Every user subscribes three times at once to a product with a quota for a quarter of them. */
async function subscribe(server: TradingServer, participants: readonly Visitor[]): Promise<void> {
  const kysely = server.kysely as NonNullable<TradingServer["kysely"]>;
  const product_id = "term";
  await offer(kysely, { product_id, kind: "fixed", days: 7, rate: 5_000_000, quota_units: BigInt(LOTS * PUT_UNITS) });
  const body = { productId: product_id, amount: "10", clientId: "rush" };
  const requests = participants.map((one) => requestOf(one, "/financial/v1/subscribe", body));
  const answer = await rush({ port: server.port, requests, count: 3 * participants.length, overMs: 1_000 });
  const row = await earnStore(kysely).findProduct(product_id);
  const held = await Promise.all(
    participants.map(async (one) => (await one.get("/financial/v1/holdings")).data?.holdings?.length ?? 0),
  );
  const inside = held.filter((count) => count === 1).length;
  if (answer.unanswered + answer.lost > 0) faults.push("a subscription had no answer");
  if (held.some((count) => count > 1)) faults.push("somebody is in twice by one id");
  if (row === undefined || row.taken_units > row.quota_units) faults.push("the quota was passed");
  if (row?.taken_units !== BigInt(inside * PUT_UNITS)) faults.push(`${inside} are in, ${row?.taken_units} taken`);
  say(`a quota for ${LOTS}: ${answer.requested} presses, ${inside} in (${JSON.stringify(answer.answers)})`);
}

async function run(folder: string): Promise<void> {
  const server = await startTradingServer({ CW_DATA: folder });
  try {
    const startedMs = wallMs();
    const participants = await people(server, participantCount, { USDT: "5000" });
    const probers = await people(server, PROBERS, { USDT: "5000" }, "prober");
    say(
      `${participantCount} people signed up in ${Math.round((wallMs() - startedMs) / 1_000)} s; ${COUNT} requests in ${OVER_MS / 1_000} s`,
    );
    const order = { pairCode: "BTC_USDT", side: "buy", type: "limit", quantity: "0.0001" };
    const probe = { ...order, price: "51000", quantity: "0.0002", timeInForce: "IOC" };
    const orders = () =>
      participants.map((one, index) =>
        requestOf(one, "/v1/spot/orders", { ...order, price: String(50_000 + (index % 500)) }),
      );
    const probes = () =>
      Array.from({ length: CONNECTIONS }, () => probers)
        .flat()
        .map((one) => requestOf(one, "/v1/spot/orders", probe));
    await renew(participants);
    await rush({ port: server.port, requests: orders(), count: Math.ceil(COUNT / 5), overMs: OVER_MS / 4 });
    const ratios: number[] = [];
    for (let turn = 1; turn <= rounds; turn++) {
      await renew([...participants, ...probers]);
      const beside = await phase(server, orders(), probes());
      printPhase(`turn ${turn}, spot orders`, beside);
      const round = await launchOf(server, "flash", coins(LOTS * 100));
      const requests = participants.map((one) => requestOf(one, "/seckill/buy", { roundId: round.round_id }));
      const sale = await phase(server, requests, probes());
      printPhase(`turn ${turn}, flash sale`, sale);
      ratios.push(sale.probes.p99Ms / beside.probes.p99Ms);
      faults.push(...(await findSaleFaults(server, round, participants)));
    }
    await renew(participants);
    await subscribe(server, participants);
    const best = Math.min(...ratios);
    say(`spot p99 beside the sale ÷ beside spot orders: ${ratios.map((one) => one.toFixed(2)).join(", ")}`);
    if (best > 1) faults.push("spot orders were slower beside every sale than beside as many spot orders");
  } finally {
    await server.close();
  }
}

const folder = mkdtempSync(join(tmpdir(), "cw-stampede-"));
await run(folder);
const factory = { createMachine, restoreMachine };
if (!verifyFolder({ folder, factory, print: say })) faults.push("the journal does not replay to its state");
const journal = {
  files: localFiles,
  journalFolder: join(folder, "journal"),
  snapshotFolder: join(folder, "snapshots"),
};
const { machine } = recover({ ...journal, factory, withoutSnapshots: true });
faults.push(...checkInvariants(machine).map(({ rule, detail }) => `${rule}: ${detail}`));
rmSync(folder, { recursive: true, force: true });
for (const fault of [...new Set(faults)].slice(0, 20)) say(`✗ ${fault}`);
say(faults.length === 0 ? "nothing was sold twice, everybody was answered, the ledger balances" : "FAILED");
process.exitCode = faults.length === 0 ? 0 : 1;
