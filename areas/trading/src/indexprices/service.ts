// Takes index prices that sources sign and push, and hands them to the core. Whatever reads venues, their medians and their
// age is a source's own program: here is only the door.
import type { EngineHandle } from "@clockwork/host/engine";
import { done, type Result, refused } from "@clockwork/kit/result";
import type { MarketPair } from "../markets/pair.ts";
import type { PushBody } from "./contract.ts";
import type { IndexRefusal } from "./refusals.ts";
import { AGE_MAX_MS, type IndexSource, isOwn, readMessage, toCommands } from "./rules.ts";

export interface IndexNeeds {
  readonly sources: readonly IndexSource[];
  readonly submit: EngineHandle["submit"];
  /** Real contracts of both kinds. */
  listContracts(): readonly MarketPair[];
}

export class IndexPriceService {
  readonly #needs: IndexNeeds;
  /** The time of the last message of each source: none is taken twice, and none after a later one. */
  readonly #lastMs = new Map<number, number>();

  constructor(needs: IndexNeeds) {
    this.#needs = needs;
  }

  async push({ source: name, message, signature }: PushBody, timeMs: number): Promise<Result<number, IndexRefusal>> {
    const { sources, submit, listContracts } = this.#needs;
    const source = sources.find((one) => one.name === name);
    if (source === undefined || !isOwn(source, message, signature)) return refused("INDEX_SIGNATURE_WRONG");
    const read = readMessage(message);
    if (!read.done) return read;
    const { atMs } = read.value;
    const isNew = atMs > (this.#lastMs.get(source.number) ?? 0) && Math.abs(atMs - timeMs) <= AGE_MAX_MS;
    if (!isNew) return refused("INDEX_MESSAGE_OLD");
    // Before anything is awaited: of two messages at once the later one counts.
    this.#lastMs.set(source.number, atMs);
    const commands = toCommands(source, read.value, listContracts());
    const acks = await Promise.all(commands.map((command) => submit(command)));
    return done(acks.filter((ack) => ack.done).length);
  }
}
