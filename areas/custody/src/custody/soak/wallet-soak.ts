// The wallet under injected faults, over the real development chain: users deposit and withdraw while the server, the
// signer and the chain are killed at random moments, blocks are replaced and nodes' responses come late, twice or not
// at all. Afterwards no payment was made twice, nothing is lost, every deposit address was swept, ledger and chain
// agree to the last base unit, and no private key is in memory, files or a backup. npm run soak -- wallet [of each]
// [seed] [minutes]
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { measureMs, wallMs } from "@clockwork/host/time/measure";
import { createRandom } from "@clockwork/kit/random";
import { backup } from "@clockwork/server/copies/copies";
import { Visitor } from "@clockwork/server/process/account-fixture";
import { checksumOf } from "../../chain/evm.ts";
import { readSecrets, searchFiles, searchMemory } from "./key-search.ts";
import { startRpcFaults } from "./rpc-faults.ts";
import { atOnce, openKey, type SoakKey, withdrawByKey } from "./soak-key.ts";
import { readAll } from "./soak-lists.ts";
import { readPauses, readSweeps } from "./soak-sweeps.ts";

const PEOPLE = 10;
const NETWORK = "CWT";
const TIMEOUT_MS = 900_000;
const ROUNDS_MAX = 3;
const [FAULT_LATE_MS, AWAY_MS] = [1_500, 2_000];
/** Concurrent lanes, each for some of the users. */
const LANES = 5;
const BY_PERSON = 10;
/** A code is sent once a minute to each of them. */
const CODE_MS = 61_000;
/** The dialect's codes for an insufficient balance, and for the daily limit. */
const [SHORT_CODE, LIMIT_CODE] = [-4_026, -4_023];
const count = Number(process.argv[2] ?? 1_000);
const seed = Number(process.argv[3] ?? wallMs() % 1_000_000);
const livesMs = Number(process.argv[4] ?? Number.POSITIVE_INFINITY) * 60_000;
const random = createRandom(seed);
const folder = mkdtempSync(join(tmpdir(), "cw-wallet-"));
const port = 20_000 + (process.pid % 20_000);
const place = { url: `http://127.0.0.1:${port}` };
const counts = { deposits: 0, withdrawals: 0, refused: 0, kills: 0, reorgs: 0 };
const faults = await startRpcFaults(createRandom(seed + 1));
const detour = new URL("./rpc-detour.ts", import.meta.url);
const say = (line: string): void => void process.stdout.write(`${line}\n`);

let child: ChildProcess | undefined;

async function serve(): Promise<void> {
  const settings = { PORT: String(port), HOST: "127.0.0.1", CW_DATA: folder, CW_MARKET: "off", CW_CAPTCHA: "off" };
  const more = { CW_CHAIN: "auto", CW_CHAIN_PRIORITY: "normal", CW_LOG_LEVEL: "info", CW_RATE_WEIGHT_PER_MINUTE: "0" };
  // Fund passwords are not delayed on a busy machine.
  const hashes = { CW_PASSWORD_PRIORITY: "normal" };
  const flags = ["--import", `${detour.href}?proxy=${faults.port}`];
  // Its output is kept with its data: no key may be in it either.
  const log = openSync(join(folder, "log.txt"), "a");
  const started = spawn(process.execPath, [...flags, "apps/server/build/main.js"], {
    env: { ...settings, ...more, ...hashes, NODE_ENV: "production" },
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  child = started;
  const isUp = async () => (await fetch(`${place.url}/healthz`)).ok || undefined;
  await until("the server", async () => (started.exitCode === null ? isUp() : false));
  if (started.exitCode !== null) throw new Error(`the server ended by itself with ${started.exitCode}`);
}

/** Polls until it holds: whatever was killed comes back. */
async function until<Value>(what: string, look: () => Promise<Value | undefined>): Promise<Value> {
  const endMs = measureMs() + TIMEOUT_MS;
  while (measureMs() < endMs) {
    const found = await look().catch(() => undefined);
    if (found !== undefined) return found;
    await sleep(100);
  }
  throw new Error(`waited in vain for ${what}; the last answer was ${lastAnswer}`);
}

/** The exchange's last response to a caller that is to retry. */
let lastAnswer = "none";

async function dev(call: string, body: object): Promise<Record<string, unknown> | undefined> {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(`${place.url}/dev/${call}`, init);
  return response.ok ? ((await response.json()) as { data: Record<string, unknown> }).data : undefined;
}

interface Person {
  readonly index: number;
  readonly visitor: Visitor;
  readonly email: string;
  readonly address: string;
  readonly key: SoakKey;
  /** Millionths of a USDT with confirmed deposits and withdrawals. */
  inUnits: bigint;
  outUnits: bigint;
}

async function comeIn(index: number): Promise<Person> {
  const visitor = new Visitor(place);
  const email = `soak-${index}@example.com`;
  await visitor.signUp(email);
  await visitor.dev("/identity", { level: 2 });
  await visitor.stepUp(email);
  await visitor.post("/v2/users/security/trade-password/set", { password: "fund-password-1" });
  for (const name of ["0", "1"]) {
    await dev("clock", { advanceMs: CODE_MS });
    await visitor.post("/v2/users/security/step-up/code");
    const code = await visitor.readLastCode(email);
    const saved = { network: NETWORK, address: receiverOf(index, Number(name)), name, code };
    await visitor.post("/asset/v1/api/withdraw/address/add", saved);
  }
  const key = await openKey(visitor);
  const address = await until("an address", async () => {
    const answer = await visitor.post("/asset/v1/api/deposit/address", { asset: "USDT", network: NETWORK });
    return answer.status === 200 ? (answer.data.address as string) : undefined;
  });
  return { visitor, email, address, key, index, inUnits: 0n, outUnits: 0n };
}

const receiverOf = (person: number, which: number): string =>
  checksumOf(`0x${String(person * 2 + which + 1).padStart(40, "9")}`);

/** The clock outruns all sessions. */
async function comeBack({ visitor, email }: Person): Promise<void> {
  visitor.jar.clear();
  await visitor.signIn(email);
}

async function read<Data>(person: Person, path: string): Promise<Data> {
  const first = await person.visitor.get(path);
  if (first.status !== 401) return first.data as Data;
  await comeBack(person);
  return (await person.visitor.get(path)).data as Data;
}

/** The chain's process may have sent what it did not confirm; so each payment has an amount of its own. */
let marks = 0;
async function deposit(person: Person): Promise<void> {
  marks += 1;
  const units = 50_000_000n + BigInt(marks);
  const amount = `${units / 1_000_000n}.${String(units % 1_000_000n).padStart(6, "0")}`;
  const sent = await dev("chain/faucet", { network: NETWORK, asset: "USDT", address: person.address, amount }).catch(
    () => undefined,
  );
  if (sent === undefined) return sleep(AWAY_MS);
  person.inUnits += units;
  counts.deposits += 1;
}

/** Most by API keys, every tenth by the user. */
async function withdraw(person: Person, index: number): Promise<void> {
  const address = receiverOf(person.index, index % 2);
  const request = { network: NETWORK, amount: "11", address };
  if (index % BY_PERSON === 0) return withdrawByPerson(person, index, { ...request, clientId: `s${seed}-${index}` });
  await until(`withdrawal ${index} by a key`, async () => {
    const named = { ...request, coin: "USDT", withdrawOrderId: `s${seed}-${index}` };
    const refusal = await withdrawByKey(place.url, person.key, named);
    if (refusal === undefined) {
      person.outUnits += 11_000_000n;
      counts.withdrawals += 1;
      return true;
    }
    lastAnswer = `${refusal} for a key`;
    if (refusal !== SHORT_CODE && refusal !== LIMIT_CODE) return undefined;
    counts.refused += 1;
    return true;
  });
}

async function withdrawByPerson(person: Person, index: number, request: { readonly clientId: string }): Promise<void> {
  const { visitor, email } = person;
  const { clientId, ...named } = { asset: "USDT", ...request };
  const body = { ...named, clientId };
  await until(`withdrawal ${index}`, async () => {
    const requested = await visitor.post("/asset/v1/api/withdraw/code", named);
    if (requested.status === 401) await comeBack(person);
    else if (requested.status !== 200) await dev("clock", { advanceMs: CODE_MS });
    if (requested.status !== 200) {
      lastAnswer = `${requested.status} ${String(requested.code)} for a code`;
      return undefined;
    }
    const proof = { tradePassword: "fund-password-1", code: await visitor.readCode(email) };
    const answer = await visitor.post("/asset/v1/api/withdraw/apply", { ...body, proof });
    if (answer.status === 200) {
      person.outUnits += 11_000_000n;
      counts.withdrawals += 1;
      return true;
    }
    if (answer.code === "INSUFFICIENT_BALANCE" || answer.code === "RESTRICTED" || answer.code === "LIMIT_REACHED") {
      counts.refused += 1;
      return true;
    }
    lastAnswer = `${answer.status} ${String(answer.code)}`;
    return undefined;
  });
}

function findHelper(worker: string): number | undefined {
  // A missing process is no fault: it has just been started.
  const listed = spawnSync("ps", ["-o", "pid=,args=", "--ppid", String(child?.pid)], { encoding: "utf8" }).stdout;
  const line = listed.split("\n").find((one) => one.includes(worker));
  return line === undefined ? undefined : Number(/\d+/.exec(line)?.[0]);
}

function killHelper(worker: string): void {
  const pid = findHelper(worker);
  if (pid !== undefined) process.kill(pid, "SIGKILL");
}

async function fault(): Promise<void> {
  const what = random.pick(["server", "signer-worker", "chain-worker", "reorg", "reorg", "reorg"]);
  if (what === "reorg") {
    counts.reorgs += 1;
    await dev("chain/reorg", { network: NETWORK, depth: random.between(1, 12) }).catch(() => undefined);
    return;
  }
  counts.kills += 1;
  if (what === "server") {
    const ended = new Promise((done) => child?.once("exit", done));
    child?.kill("SIGKILL");
    await ended;
    await serve();
  } else killHelper(what);
  await isBack();
}

/** The next fault comes to an exchange that works again: one killed while it starts would show nothing else. */
async function isBack(): Promise<void> {
  await until("the chain and the signer", async () => {
    const mined = await dev("chain/mine", { network: NETWORK, blocks: 1 });
    return mined === undefined || findHelper("signer-worker") === undefined ? undefined : true;
  });
}

/** Until the requested number of movements succeeded; refusals for now, and lost responses, do not count. */
async function live(people: readonly Person[]): Promise<void> {
  const endMs = measureMs() + livesMs;
  const isOver = (): boolean => measureMs() > endMs || (counts.deposits >= count && counts.withdrawals >= count);
  let rounds = 0;
  let harming = Promise.resolve();
  const act = async (person: Person, index: number): Promise<void> => {
    if (counts.deposits < count) await deposit(person);
    if (index >= PEOPLE && counts.withdrawals < count)
      await Promise.all(atOnce(index).map((one) => withdraw(person, one)));
    if (index % 5 === 0) await dev("chain/mine", { network: NETWORK, blocks: 4 }).catch(() => undefined);
    if (!random.chance(1, 15)) return;
    // Concurrent with the others, so that it comes at any moment of them; one fault at a time.
    harming = harming.then(() => sleep(random.between(0, FAULT_LATE_MS))).then(fault);
    await harming;
  };
  const lane = async (own: readonly Person[]): Promise<void> => {
    for (let turn = 0; !isOver(); turn += 1) {
      const index = rounds;
      rounds += 1;
      if (index > PEOPLE + count * ROUNDS_MAX) throw new Error(`only ${JSON.stringify(counts)} after ${index} rounds`);
      await act(own[turn % own.length] as Person, index);
      if (index % 50 === 49)
        say(`round ${index + 1}: ${JSON.stringify({ ...counts, swept: readSweeps(folder).done })}`);
    }
  };
  const lanes = Array.from({ length: LANES }, (_, at) => people.filter((__, index) => index % LANES === at));
  await Promise.all(lanes.map(lane));
}

async function isSettled(people: readonly Person[]): Promise<boolean> {
  for (const person of people) {
    const { deposits, withdrawals } = await readSettled(person);
    const open = [...deposits.filter(({ state }) => state === "CONFIRMING" || state === "CREDITED")];
    const going = withdrawals.filter(({ state }) =>
      ["CREATED", "VERIFY", "REVIEW", "QUEUED", "BROADCAST", "CONFIRMING"].includes(state),
    );
    lastAnswer = `${open.length} deposits and ${going.length} withdrawals of ${person.email} under way${readPauses(folder)}`;
    if (open.length + going.length > 0) return false;
  }
  return true;
}

async function holdsUnits(person: Person): Promise<bigint> {
  const data = await read<{ asset: string; available: string; frozen: string }[]>(person, "/v1/spot/balance");
  const row = data.find(({ asset }) => asset === "USDT");
  return unitsOf(row?.available ?? "0") + unitsOf(row?.frozen ?? "0");
}

interface KnownDeposit {
  readonly depositId: string;
  readonly amount: string;
  readonly state: string;
  readonly seenAtMs: number;
}
interface WithdrawalAnswer {
  readonly withdrawalId: string;
  readonly clientId: string;
  readonly amount: string;
  readonly state: string;
  readonly createdAtMs: number;
}
interface Settled {
  readonly deposits: readonly KnownDeposit[];
  readonly withdrawals: readonly WithdrawalAnswer[];
}

async function readSettled(person: Person): Promise<Settled> {
  const deposits = await readAll(
    async (query) => (await read<Settled>(person, `/asset/v1/api/deposit/list${query}`)).deposits,
    ({ depositId }) => depositId,
    ({ seenAtMs }) => seenAtMs,
  );
  const withdrawals = await readAll(
    async (query) => (await read<Settled>(person, `/asset/v1/api/withdraw/list${query}`)).withdrawals,
    ({ withdrawalId }) => withdrawalId,
    ({ createdAtMs }) => createdAtMs,
  );
  return { deposits, withdrawals };
}

/** Every payment has an amount and every request an id of its own: one that appears twice was counted twice. */
function findTwice({ deposits, withdrawals }: Settled): readonly string[] {
  const seen = new Set<string>();
  return [...deposits.map(({ amount }) => amount), ...withdrawals.map(({ clientId }) => clientId)].filter((one) => {
    const isTwice = seen.has(one);
    seen.add(one);
    return isTwice;
  });
}

const unitsOf = (amount: string): bigint => {
  const [whole = "0", part = ""] = amount.split(".");
  return BigInt(`${whole}${part.padEnd(6, "0")}`);
};

/** A user's balance is their deposits less their withdrawals, to the unit, however many there are. */
async function judge(person: Person): Promise<readonly string[]> {
  const settled = await readSettled(person);
  const wrong = findTwice(settled).map((one) => `${person.email}: ${one} is there twice`);
  const [held, due] = [await holdsUnits(person), person.inUnits - person.outUnits];
  // More than was confirmed may have arrived, each by an amount of its own; never less.
  if (held < due) wrong.push(`${person.email} holds ${held}, due are ${due}`);
  const came = settled.deposits
    .filter(({ state }) => state === "UNLOCKED")
    .reduce((sum, { amount }) => sum + unitsOf(amount), 0n);
  const left = settled.withdrawals
    .filter(({ state }) => state === "DONE")
    .reduce((sum, { amount }) => sum + unitsOf(amount), 0n);
  if (held !== came - left) wrong.push(`${person.email} holds ${held}, told are ${came} in and ${left} out`);
  return wrong;
}

/** The search is validated by finding the keys where they belong. */
function findKeys(): readonly string[] {
  const secrets = readSecrets(join(folder, "signer"));
  const signer = findHelper("signer-worker");
  if (signer === undefined || searchMemory(signer, secrets).length === 0)
    return ["the search finds no key even in the signer's memory"];
  const copy = join(folder, "backup");
  backup({ from: folder, to: copy, databaseUrl: undefined, print: () => undefined });
  const memory = searchMemory(child?.pid ?? 0, secrets).map((name) => `the server's memory: ${name}`);
  return [...memory, ...searchFiles(folder, secrets)];
}

/**
 * Every coin's difference from the exchange's reconciliation, once it has run after everything; there were no
 * unsolicited deposits here.
 */
async function differences(): Promise<readonly string[]> {
  const text = await (await fetch(`${place.url}/metrics`)).text();
  const lines = text.split("\n").filter((line) => /^custody_(?:difference|gifts)\{/.test(line));
  if (!lines.some((line) => line.includes('"USDT"'))) return ["chain and ledger were never compared"];
  return lines.filter((line) => !line.endsWith(" 0"));
}

try {
  say(`wallet soak: ${count} of each, seed ${seed}`);
  await serve();
  const people: Person[] = [];
  for (let index = 0; index < PEOPLE; index += 1) people.push(await comeIn(index));
  await dev("clock", { advanceMs: 2 * 86_400_000 });
  const startMs = measureMs();
  await live(people);
  faults.heal();
  await until("everything to be settled", async () => {
    await dev("clock", { advanceMs: 5_000 });
    await dev("chain/mine", { network: NETWORK, blocks: 6 });
    return (await isSettled(people)) || undefined;
  });
  // Every deposit address is eventually swept into the hot wallet, whatever happened in between.
  await until("every address to be swept", async () => {
    const { addresses, open } = readSweeps(folder);
    lastAnswer = `${addresses} addresses swept, ${open} sweeps under way`;
    await dev("chain/mine", { network: NETWORK, blocks: 6 });
    return (addresses === PEOPLE && open === 0) || undefined;
  });
  await sleep(130_000);
  const wrong: string[] = [...(await differences()), ...findKeys()];
  for (const person of people) wrong.push(...(await judge(person)));
  const seconds = Math.round((measureMs() - startMs) / 1_000);
  say(`the nodes' answers: ${JSON.stringify(faults.counts)}; sweeps: ${JSON.stringify(readSweeps(folder))}`);
  say(`${JSON.stringify(counts)} in ${seconds} s: ${wrong.length === 0 ? "ledger and chain agree" : wrong.join("; ")}`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
} catch (error) {
  say(`${JSON.stringify(counts)}: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  const ended = new Promise((done) => child?.once("exit", done));
  if (child?.exitCode === null && child.signalCode === null && child.kill("SIGTERM")) await ended;
  faults.close();
  if (process.exitCode === 0) rmSync(folder, { recursive: true, force: true });
  else say(`what it left behind is in ${folder}`);
}
