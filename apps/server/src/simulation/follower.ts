// A correct client of the private channels: stores what was published, requests the rest after its connection was cut,
// and records every message that does not continue the one before.
import { SESSION_COOKIE } from "@clockwork/kit/constants";
import { WebSocket } from "ws";
import type { SimulatedNetwork } from "./network.ts";

type Row = Readonly<Record<string, unknown>>;

interface SocketMessage {
  readonly event: string;
  readonly channel?: string;
  readonly snapshot?: boolean;
  readonly resumed?: boolean;
  readonly sequence?: number;
  readonly firstSequence?: number;
  readonly data?: readonly Row[];
}

const CHANNELS = ["orders", "balances"] as const;
type ChannelName = (typeof CHANNELS)[number];

interface View {
  sequence: number | undefined;
  readonly rows: Map<string, Row>;
}

export class Follower {
  readonly faults: string[] = [];
  /** The highest sequence received. */
  sequence = 0;
  readonly #network: SimulatedNetwork;
  readonly #jar: ReadonlyMap<string, string>;
  readonly #views: Record<ChannelName, View> = {
    orders: { sequence: undefined, rows: new Map() },
    balances: { sequence: undefined, rows: new Map() },
  };
  readonly #answered = new Set<ChannelName>();
  #socket: WebSocket | undefined;
  #isPaused = false;

  constructor(network: SimulatedNetwork, jar: ReadonlyMap<string, string>) {
    this.#network = network;
    this.#jar = jar;
  }

  get isOpen(): boolean {
    return this.#socket !== undefined;
  }

  rows(channel: ChannelName): ReadonlyMap<string, Row> {
    return this.#views[channel].rows;
  }

  /** Every channel has spoken since the line was opened. */
  get isAnswered(): boolean {
    return this.isOpen && CHANNELS.every((name) => this.#answered.has(name));
  }

  open(): void {
    if (this.#socket !== undefined) return;
    let line: ReturnType<SimulatedNetwork["connect"]>;
    try {
      line = this.#network.connect();
    } catch {
      return;
    }
    const socket = new WebSocket("ws://127.0.0.1/ws", { createConnection: () => line.client as never });
    this.#socket = socket;
    this.#answered.clear();
    socket.on("error", () => undefined);
    socket.on("close", () => {
      if (this.#socket === socket) this.#socket = undefined;
    });
    socket.on("open", () =>
      socket.send(JSON.stringify({ event: "login", data: { token: this.#jar.get(SESSION_COOKIE.accessToken) } })),
    );
    socket.on("message", (data) => this.#receive(socket, JSON.parse(data.toString()) as SocketMessage));
  }

  /** Stops or resumes reading. */
  pause(isPaused: boolean): void {
    this.#isPaused = isPaused;
    if (isPaused) this.#socket?.pause();
    else this.#socket?.resume();
  }

  close(): void {
    if (this.#isPaused) this.pause(false);
    this.#socket?.terminate();
    this.#socket = undefined;
  }

  #receive(socket: WebSocket, answer: SocketMessage): void {
    if (answer.event === "login") {
      for (const name of CHANNELS) {
        const { sequence } = this.#views[name];
        const from = sequence === undefined ? {} : { data: { sequence } };
        socket.send(JSON.stringify({ event: "sub", channel: name, biz: "spot", ...from }));
      }
    }
    if (answer.event === "data" && (answer.channel === "orders" || answer.channel === "balances"))
      this.#fold(answer.channel, answer);
  }

  #fold(name: ChannelName, { snapshot, resumed, sequence = 0, firstSequence, data }: SocketMessage): void {
    const view = this.#views[name];
    this.#answered.add(name);
    this.sequence = Math.max(this.sequence, sequence);
    if (resumed === true) {
      if (sequence !== view.sequence) this.faults.push(`${name} resumed at ${sequence}, not ${view.sequence}`);
      return;
    }
    if (snapshot === true) view.rows.clear();
    else if ((firstSequence ?? sequence) > (view.sequence ?? 0) + 1)
      this.faults.push(`${name} goes from ${view.sequence} to ${firstSequence ?? sequence}`);
    view.sequence = sequence;
    for (const row of data ?? []) view.rows.set(String(row.orderId ?? row.asset), row);
  }
}
