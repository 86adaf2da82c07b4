// Halts markets on the request of one operator and opens them with the approval of two. The table stores what is halted
// and why; the core enforces it.
import type { EngineHandle } from "@clockwork/host/engine";
import type { ProposalEnd, ProposalKind } from "@clockwork/host/proposal";
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS } from "@clockwork/kit/time";
import type { PairBook } from "../market/pairs.ts";
import type { MarketPair } from "../markets/pair.ts";
import { type HaltedMarket, OpenPayload, type StopBody } from "./contract.ts";
import type { HaltRefusal } from "./refusals.ts";
import type { HaltStore } from "./store.ts";

/** In the place of the time of a stop. */
const NEVER_OPENED_MS = 0;

/** A market that is not yet open or no longer listed cannot be halted. */
const STOPPABLE = new Set(["TRADING", "CANCEL_ONLY", "HALT"]);

export interface HaltNeeds {
  readonly pairs: PairBook;
  readonly submit: EngineHandle["submit"];
  nameOf(userId: number): Promise<string>;
}

/** Demo markets follow the real ones. */
type HaltMarket = MarketPair & { readonly biz: "spot" | "futures" | "delivery" };

export class HaltService {
  readonly #store: HaltStore;
  readonly #needs: HaltNeeds;
  /** One change at a time: an opening under way never follows a later halt. */
  #last: Promise<unknown> = Promise.resolve();

  constructor({ store, needs }: { readonly store: HaltStore; readonly needs: HaltNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  async list(): Promise<readonly HaltedMarket[]> {
    const stops = await this.#store.list();
    return Promise.all(
      this.#listMarkets().map(async ({ biz, pairCode, status }) => {
        const row = stops.find((one) => one.biz === biz && one.pair_code === pairCode);
        const by = row === undefined ? "" : await this.#needs.nameOf(row.stopped_by);
        const stop = row === undefined ? null : { reason: row.reason, by, atMs: row.stopped_ms };
        return { biz, pairCode, status, stop };
      }),
    );
  }

  /** Checks a halt before the log is written. */
  check({ biz, pairCode, confirmation }: StopBody): Result<HaltMarket, HaltRefusal> {
    const market = this.#find(biz, pairCode);
    if (market === undefined) return refused("UNKNOWN_MARKET");
    if (confirmation.trim() !== pairCode) return refused("CONFIRMATION_WRONG");
    return STOPPABLE.has(market.status) ? done(market) : refused("MARKET_NOT_OPEN");
  }

  stop(body: StopBody, operatorId: number, timeMs: number): Promise<Result<null, HaltRefusal>> {
    return this.#alone(async () => {
      const checked = this.check(body);
      if (!checked.done) return checked;
      const { biz, pairCode, status, reason } = body;
      // Written first: a halted market is always recorded, with its operator.
      const row = { biz, pair_code: pairCode, status, reason, stopped_by: operatorId, stopped_ms: timeMs };
      await this.#store.save(row);
      return (await this.#setStatus(checked.value.market, status)) ? done(null) : refused("HALT_AWAY");
    });
  }

  /** The stop that an opening would end; none for a market that was never open. */
  async findStop(biz: string, pairCode: string): Promise<Result<number, HaltRefusal>> {
    const row = await this.#store.find(biz, pairCode);
    if (row !== undefined) return done(row.stopped_ms);
    // Listed and never opened: it opens as one that was stopped does, by two.
    return this.#find(biz, pairCode)?.status === "PRE" ? done(NEVER_OPENED_MS) : refused("MARKET_NOT_STOPPED");
  }

  openKind(): ProposalKind<typeof OpenPayload, never> {
    return {
      kind: "market.open",
      permission: "trading.stop",
      needsFreshProof: false,
      expiresAfterMs: DAY_MS,
      payload: OpenPayload,
      beneficiariesOf: () => [],
      describe: ({ biz, pairCode }) => `Open ${pairCode} (${biz}) for trading: resting orders may fill immediately`,
      execute: (payload) => this.#alone(() => this.#open(payload)),
    };
  }

  async #open({ biz, pairCode, stoppedMs }: OpenPayload): Promise<ProposalEnd> {
    const row = await this.#store.find(biz, pairCode);
    const market = this.#find(biz, pairCode);
    // Opened before, by this proposal or by another.
    if (row === undefined && market?.status === "TRADING") return { end: "done", outcome: "is open" };
    const isNamed =
      row === undefined ? stoppedMs === NEVER_OPENED_MS && market?.status === "PRE" : row.stopped_ms === stoppedMs;
    if (!isNamed || market === undefined)
      return { end: "refused", code: "STOPPED_AGAIN", message: "It was halted again. Make a new proposal." };
    if (!(await this.#setStatus(market.market, "TRADING"))) return { end: "later" };
    if (row !== undefined) await this.#store.remove(row);
    return { end: "done", outcome: "opened" };
  }

  #listMarkets(): readonly HaltMarket[] {
    const { pairs } = this.#needs;
    return [...pairs.pairs, ...pairs.listContracts("futures"), ...pairs.listContracts("delivery")] as HaltMarket[];
  }

  /** False while the core cannot answer or refuses. */
  async #setStatus(market: number, status: StopBody["status"] | "TRADING"): Promise<boolean> {
    return (await this.#needs.submit({ kind: "setMarketStatus", market, status })).done;
  }

  #find(biz: string, pairCode: string): HaltMarket | undefined {
    return this.#listMarkets().find((one) => one.biz === biz && one.pairCode === pairCode);
  }

  #alone<Value>(work: () => Promise<Value>): Promise<Value> {
    const running = this.#last.then(work);
    this.#last = running.catch(() => undefined);
    return running;
  }
}
