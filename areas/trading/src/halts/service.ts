// Halts markets on the request of one operator and opens them with the approval of two. The table stores what is halted
// and why; the core enforces it.
import type { ProposalEnd, ProposalKind } from "@clockwork/host/proposal";
import { done, type Result, refused } from "@clockwork/kit/result";
import { DAY_MS } from "@clockwork/kit/time";
import { type HaltedMarket, OpenPayload, type StopBody } from "./contract.ts";
import type { HaltMarket, HaltNeeds } from "./needs.ts";
import type { HaltRefusal } from "./refusals.ts";
import type { HaltStore } from "./store.ts";

/** A market that is not yet open or no longer listed cannot be halted. */
const STOPPABLE = new Set(["TRADING", "CANCEL_ONLY", "HALT"]);

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
      this.#needs.listMarkets().map(async ({ biz, pairCode, status }) => {
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
      return (await this.#needs.setStatus(checked.value.market, status)) ? done(null) : refused("HALT_AWAY");
    });
  }

  /** The stop that an opening would end. */
  async findStop(biz: string, pairCode: string): Promise<Result<number, HaltRefusal>> {
    const row = await this.#store.find(biz, pairCode);
    return row === undefined ? refused("MARKET_NOT_STOPPED") : done(row.stopped_ms);
  }

  openKind(): ProposalKind<typeof OpenPayload, never> {
    return {
      kind: "market.open",
      permission: "trading.stop",
      needsFreshProof: false,
      expiresAfterMs: DAY_MS,
      payload: OpenPayload,
      beneficiariesOf: () => [],
      describe: ({ biz, pairCode }) => `Open ${pairCode} (${biz}) for trading again: waiting orders may fill at once`,
      execute: (payload) => this.#alone(() => this.#open(payload)),
    };
  }

  async #open({ biz, pairCode, stoppedMs }: OpenPayload): Promise<ProposalEnd> {
    const row = await this.#store.find(biz, pairCode);
    const market = this.#find(biz, pairCode);
    // Opened before, by this proposal or by another.
    if (row === undefined && market?.status === "TRADING") return { end: "done", outcome: "is open" };
    if (row?.stopped_ms !== stoppedMs || market === undefined)
      return { end: "refused", code: "STOPPED_AGAIN", message: "It was stopped again since; propose that anew." };
    if (!(await this.#needs.setStatus(market.market, "TRADING"))) return { end: "later" };
    await this.#store.remove(row);
    return { end: "done", outcome: "opened" };
  }

  #find(biz: string, pairCode: string): HaltMarket | undefined {
    return this.#needs.listMarkets().find((one) => one.biz === biz && one.pairCode === pairCode);
  }

  #alone<Value>(work: () => Promise<Value>): Promise<Value> {
    const running = this.#last.then(work);
    this.#last = running.catch(() => undefined);
    return running;
  }
}
