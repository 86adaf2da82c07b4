// A simulated user: signs up, requests funds, trades, follows the own channels, ends sessions. Stores what was
// promised: a confirmed order, a cancel, an ended session. Calls get lost, duplicated and repeated.
import type { Random } from "@clockwork/kit/random";
import { Follower } from "./follower.ts";
import { type CallAnswer, type CallOptions, callOver } from "./http-call.ts";
import type { SimulatedNetwork } from "./network.ts";

const PASSWORD = "correct-horse-1";
const USERS = "/api/v2/users";
/** The orders' prices: near enough to one another to match. */
const PRICE_LOW = 90_000;
const PRICE_STEPS = 20;

interface Intent {
  readonly body: Readonly<Record<string, unknown>>;
  /** What it was called by every answer. */
  readonly orderIds: Set<string>;
  isCanceled: boolean;
}

/** A user's view. */
export interface Look {
  readonly balances: readonly { readonly asset: string; readonly available: string; readonly frozen: string }[];
  readonly open: readonly { readonly orderId: string; readonly clientOrderId: string }[];
}

export class Trader {
  readonly name: string;
  readonly follower: Follower;
  readonly intents = new Map<string, Intent>();
  readonly faults: string[] = [];
  readonly #random: Random;
  readonly #network: SimulatedNetwork;
  readonly #jar = new Map<string, string>();
  readonly #headers: Readonly<Record<string, string>>;
  /** Cookies of sessions whose end was confirmed. */
  readonly #ended: Map<string, string>[] = [];
  /** Another device of the same user. */
  #other: Map<string, string> | undefined;
  #count = 0;

  constructor(name: string, network: SimulatedNetwork, random: Random) {
    this.name = name;
    this.#network = network;
    this.#random = random;
    this.#headers = { cwDeviceId: `00000000-0000-4000-8000-${name.padStart(12, "0")}` };
    this.follower = new Follower(network, this.#jar);
  }

  get #account(): string {
    return `person-${this.name}@example.com`;
  }

  /** In the quiet before the storm: answers come. */
  async arrive(): Promise<void> {
    await this.#must({ method: "POST", path: `${USERS}/sign-up/code`, body: { account: this.#account } });
    const body = { account: this.#account, code: await this.#readCode(), password: PASSWORD };
    await this.#must({ method: "POST", path: `${USERS}/sign-up`, body });
    for (const [asset, amount] of [
      ["USDT", "1000000"],
      ["BTC", "10"],
    ]) {
      await this.#must({ method: "POST", path: "/dev/faucet", body: { asset, amount, clientId: `first-${asset}` } });
    }
  }

  /** Does one random action. */
  async act(): Promise<void> {
    const roll = this.#random.below(100);
    if (roll < 50) await this.#place();
    else if (roll < 65) await this.#repeat();
    else if (roll < 80) await this.#cancel();
    else if (roll < 88) this.follower.open();
    else if (roll < 91) this.follower.close();
    else if (roll < 94) this.follower.pause(this.#random.chance(1, 2));
    else if (roll < 97) await this.#enterElsewhere();
    else await this.#leaveElsewhere();
  }

  async #place(): Promise<void> {
    const clientOrderId = `${this.name}-${++this.#count}`;
    const body = {
      pairCode: "BTC_USDT",
      type: "limit",
      side: this.#random.pick(["buy", "sell"]),
      price: String(PRICE_LOW + this.#random.below(PRICE_STEPS)),
      quantity: `0.00${this.#random.between(1, 9)}`,
      clientOrderId,
    };
    this.intents.set(clientOrderId, { body, orderIds: new Set(), isCanceled: false });
    await this.#send(clientOrderId);
  }

  /** Repeats a call, as clients do without a response; sometimes also after one. */
  async #repeat(): Promise<void> {
    const known = [...this.intents.keys()];
    if (known.length > 0) await this.#send(this.#random.pick(known));
  }

  async #send(clientOrderId: string): Promise<void> {
    const intent = this.intents.get(clientOrderId) as Intent;
    const options = { method: "POST", path: "/api/v1/spot/orders", body: intent.body } as const;
    const answers = this.#random.chance(1, 10)
      ? await Promise.all([this.#call(options), this.#call(options)])
      : [await this.#call(options)];
    for (const answer of answers) if (answer?.status === 200) intent.orderIds.add(String(answer.data.orderId));
    if (intent.orderIds.size > 1) this.faults.push(`${clientOrderId} became ${[...intent.orderIds].join(" and ")}`);
  }

  async #cancel(): Promise<void> {
    const confirmed = [...this.intents.values()].filter(({ orderIds }) => orderIds.size === 1);
    if (confirmed.length === 0) return;
    const intent = this.#random.pick(confirmed);
    const [orderId] = intent.orderIds;
    const answer = await this.#call({ method: "DELETE", path: `/api/v1/spot/orders/${orderId}` });
    if (answer?.status === 200) intent.isCanceled = true;
  }

  async #enterElsewhere(): Promise<void> {
    if (this.#other !== undefined) {
      await this.#call({ method: "GET", path: `${USERS}/devices` }, this.#other);
      return;
    }
    const jar = new Map<string, string>();
    const entered = await this.#call(
      { method: "POST", path: `${USERS}/login/do-login`, body: { account: this.#account, password: PASSWORD } },
      jar,
    );
    if (entered?.status !== 200) return;
    const { ticket } = entered.data as { ticket?: string };
    if (ticket !== undefined) {
      const codes = { email: await this.#readCode() };
      await this.#call({ method: "POST", path: `${USERS}/login/do-login`, body: { ticket, codes } }, jar);
    }
    this.#other ??= jar;
  }

  async #leaveElsewhere(): Promise<void> {
    const jar = this.#other;
    if (jar === undefined) return;
    const kept = new Map(jar);
    const answer = await this.#call({ method: "POST", path: `${USERS}/sign-out`, body: {} }, jar);
    this.#other = undefined;
    // Without a response it is unknown whether the session is alive.
    if (answer?.status === 200) this.#ended.push(kept);
  }

  /** Holds for every ended session at any time. */
  async checkEnded(): Promise<void> {
    for (const jar of this.#ended) {
      const answer = await this.#must({ method: "GET", path: `${USERS}/devices` }, new Map(jar), true);
      if (answer.status !== 401) this.faults.push(`${this.name}: an ended session was answered ${answer.status}`);
    }
  }

  /** The user's view: balances, and every open order. */
  async look(): Promise<Look> {
    const balances = await this.#must({ method: "GET", path: "/api/v1/spot/balance" });
    const open = await this.#must({ method: "GET", path: "/api/v1/spot/orders?state=open&limit=200" });
    return { balances: balances.data, open: open.data.orders };
  }

  /** Whether the exchange still has an order it confirmed. */
  async knows(orderId: string): Promise<boolean> {
    const answer = await this.#must({ method: "GET", path: `/api/v1/spot/orders/${orderId}` }, this.#jar, true);
    return answer.status === 200;
  }

  async #readCode(): Promise<string> {
    const line = this.#connect();
    if (line === undefined) return "";
    const path = `/dev/outbox.json?to=${encodeURIComponent(this.#account)}`;
    const answer = await callOver(line, { method: "GET", path, jar: new Map() });
    return (answer?.whole as { code: string }[] | undefined)?.[0]?.code ?? "";
  }

  #connect(): ReturnType<SimulatedNetwork["connect"]> | undefined {
    try {
      return this.#network.connect();
    } catch {
      return undefined;
    }
  }

  /** Over a line that may fail it. */
  async #call(options: Omit<CallOptions, "jar">, jar = this.#jar): Promise<CallAnswer | undefined> {
    const line = this.#connect();
    if (line === undefined) return undefined;
    const fate = this.#random.below(20);
    if (fate === 0) line.loseAnswers();
    const answered = callOver(line, { ...options, jar, headers: this.#headers });
    if (fate > 1) return answered;
    // Gives up after a while, as a browser does.
    for (let turn = this.#random.below(60); turn > 0; turn--) await new Promise((next) => setImmediate(next));
    line.cut();
    return answered;
  }

  /** Over a line that holds. */
  async #must(options: Omit<CallOptions, "jar">, jar = this.#jar, isRefusalFine = false): Promise<CallAnswer> {
    const line = this.#network.connect();
    const answer = await callOver(line, { ...options, jar, headers: this.#headers });
    if (answer === undefined) throw new Error(`${this.name}: ${options.path} was not answered`);
    if (answer.status !== 200 && !isRefusalFine)
      throw new Error(`${this.name}: ${options.path} was answered ${answer.status} ${String(answer.code)}`);
    return answer;
  }
}
