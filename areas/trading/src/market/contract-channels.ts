// Publishes what moves a contract besides its trades: mark, index, funding and open interest as latest values,
// liquidations as a numbered stream. Read a few times a second while there are subscribers; nothing is kept without
// them.

import type { Channel, Live } from "@clockwork/host/channel";
import type { Clock } from "@clockwork/host/clock";
import { priceText } from "@clockwork/kit/instrument";
import type { SocketTopic } from "@clockwork/kit/wire";
import {
  FUNDING_CHANNEL,
  INDEX_CHANNEL,
  INTEREST_CHANNEL,
  LIQUIDATIONS_CHANNEL,
  type LiquidationEntry,
  MARK_CHANNEL,
} from "../markets/contract.ts";
import type { ContractState } from "../markets/contract-projector.ts";
import { type ContractService, describePrint } from "../markets/contract-service.ts";
import type { PrintPlace } from "../markets/contract-store.ts";
import type { MarketPair } from "../markets/pair.ts";
import type { MarketData } from "./data.ts";

/** Marks are made once a second. */
const NOTIFY_MS = 250;
const RETAIN_MS = 30_000;
const SNAPSHOT_PRINTS = 50;
const LATEST = [MARK_CHANNEL, INDEX_CHANNEL, FUNDING_CHANNEL, INTEREST_CHANNEL] as const;

interface Reading {
  readonly topic: SocketTopic;
  /** The last published value: an equal one is not repeated. */
  answer: string;
}

export interface ContractChannelParts {
  readonly data: MarketData;
  readonly contracts: ContractService;
  readonly live: Pick<Live, "publish">;
  readonly clock: Clock;
}

export class ContractChannels {
  readonly channels: readonly Channel[];
  readonly #parts: ContractChannelParts;
  readonly #latest = new Map<string, Reading>();
  /** The last command whose prints were published, by topic. */
  readonly #prints = new Map<string, { readonly topic: SocketTopic; sequence: number }>();
  #stop: (() => void) | undefined;

  constructor(parts: ContractChannelParts) {
    this.#parts = parts;
    this.channels = [...LATEST.map((channel) => this.#latestChannel(channel)), this.#liquidationsChannel()];
  }

  close(): void {
    this.#stop?.();
  }

  #find({ biz, type, pairCode }: SocketTopic): { pair: MarketPair; state: ContractState } | undefined {
    if ((biz !== "futures" && biz !== "delivery") || type !== undefined || pairCode === undefined) return undefined;
    const { pairs, projector } = this.#parts.data;
    const pair = pairs.findListed(biz, pairCode);
    const state = pair === undefined ? undefined : projector.states.get(pair.market)?.contract;
    return pair === undefined || state === undefined ? undefined : { pair, state };
  }

  #latestChannel(channel: (typeof LATEST)[number]): Channel {
    return {
      channel,
      kind: "latest",
      serves: (topic) => this.#find(topic) !== undefined,
      snapshot: (topic) => ({ data: this.#read(topic) }),
      opened: (topic) => {
        this.#latest.set(keyOf(topic), { topic, answer: "" });
        this.#begin();
      },
      closed: (topic) => {
        this.#latest.delete(keyOf(topic));
        this.#end();
      },
    };
  }

  /** The contracts whose liquidations a topic publishes: one, or with type "all" every one of its product. */
  #listOf(topic: SocketTopic): readonly { pair: MarketPair; state: ContractState }[] {
    const { biz, type, pairCode } = topic;
    if (type !== "all" || pairCode !== undefined) return [this.#find(topic)].flatMap((found) => found ?? []);
    if (biz !== "futures" && biz !== "delivery") return [];
    const { channel } = topic;
    const all = this.#parts.data.pairs.listContracts(biz);
    return all.flatMap((pair) => this.#find({ channel, biz, pairCode: pair.pairCode }) ?? []);
  }

  /** Oldest first. */
  #printsOf(topic: SocketTopic, isWanted: (row: PrintPlace) => boolean): LiquidationEntry[] {
    return this.#listOf(topic)
      .flatMap(({ pair, state }) => state.liquidations.filter(isWanted).map((row) => ({ pair, row })))
      .toSorted(({ row: left }, { row: right }) => left.sequence - right.sequence || left.place - right.place)
      .map(({ pair, row }) => describePrint(pair, row));
  }

  #liquidationsChannel(): Channel {
    return {
      channel: LIQUIDATIONS_CHANNEL,
      kind: "sequenced",
      retainMs: RETAIN_MS,
      serves: (topic) => this.#listOf(topic).length > 0,
      position: () => this.#parts.data.sequence,
      snapshot: (topic) => {
        this.#publishPrints();
        const data = this.#printsOf(topic, () => true).slice(-SNAPSHOT_PRINTS);
        return { data, sequence: this.#parts.data.sequence };
      },
      opened: (topic) => {
        const key = keyOf(topic);
        // A stream without earlier readers starts here; a kept one continues.
        if (!this.#prints.has(key)) this.#prints.set(key, { topic, sequence: this.#parts.data.sequence });
        this.#begin();
      },
      closed: (topic) => {
        this.#prints.delete(keyOf(topic));
        this.#end();
      },
    };
  }

  #begin(): void {
    this.#stop ??= this.#parts.clock.every(NOTIFY_MS, () => this.#notify());
  }

  #end(): void {
    if (this.#latest.size + this.#prints.size > 0) return;
    this.#stop?.();
    this.#stop = undefined;
  }

  #notify(): void {
    for (const reading of this.#latest.values()) {
      const data = this.#read(reading.topic);
      const text = JSON.stringify({ ...data, timeMs: 0 });
      if (text === reading.answer) continue;
      reading.answer = text;
      this.#parts.live.publish(reading.topic, data);
    }
    this.#publishPrints();
  }

  #publishPrints(): void {
    for (const reading of this.#prints.values()) {
      const known = reading.sequence;
      const data = this.#printsOf(reading.topic, ({ sequence }) => sequence > known);
      reading.sequence = this.#parts.data.sequence;
      if (data.length === 0) continue;
      this.#parts.live.publish(reading.topic, data, { sequence: reading.sequence });
    }
  }

  #read(topic: SocketTopic): object {
    const found = this.#find(topic);
    if (found === undefined) throw new Error(`NET-6: ${topic.pairCode} is not listed`);
    const { pair, state } = found;
    const timeMs = this.#parts.clock.now();
    const price = (ticks: number) => ({
      price: ticks === 0 ? null : priceText(pair, ticks),
      isDegraded: state.isDegraded,
      timeMs,
    });
    if (topic.channel === MARK_CHANNEL) return price(state.markTicks);
    if (topic.channel === INDEX_CHANNEL) return price(state.indexTicks);
    const { contracts } = this.#parts;
    return topic.channel === FUNDING_CHANNEL
      ? contracts.describeFunding(state)
      : contracts.describeInterest(pair, state);
  }
}

function keyOf({ channel, biz, type, pairCode }: SocketTopic): string {
  return `${channel}/${biz}/${type ?? ""}/${pairCode}`;
}
