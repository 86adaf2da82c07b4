// Operators' actions that create launches, each by two people: coins of the reserves for sales and back, and a launch
// with its rounds, whose stock comes out of those coins. Nothing is minted, and a launch without stock does not exist.

import type { ProposalCall, ProposalEnd, ProposalKind } from "@clockwork/host/proposal";
import type { LedgerCoin } from "@clockwork/kit/instrument";
import { formatUnits, toCoreUnits, units } from "@clockwork/kit/money";
import { DAY_MS } from "@clockwork/kit/time";
import { type LaunchDesk, LaunchPayload, StockPayload } from "./contract.ts";
import type { DeskNeeds } from "./needs.ts";
import type { LaunchDeskRefusal } from "./refusals.ts";
import {
  amountOf,
  draftOf,
  LAUNCH_PERMISSION,
  NAME_TAKEN,
  NO_COIN,
  RETURN_SHORT,
  refusalOf,
  STOCK_SHORT,
  stockOf,
  type Wrong,
  wrong,
} from "./rules.ts";
import type { MakingRow, MakingStore } from "./store.ts";

const SALT_DIGITS = 32;
/** An amount of a coin, or its refusal. */
type StockRead =
  | { readonly refused: Wrong; readonly coin?: undefined; readonly amountUnits?: undefined }
  | { readonly refused?: undefined; readonly coin: LedgerCoin; readonly amountUnits: bigint };

export class LaunchDeskService {
  readonly #store: MakingStore;
  readonly #needs: DeskNeeds;

  constructor({ store, needs }: { readonly store: MakingStore; readonly needs: DeskNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  async read(): Promise<LaunchDesk> {
    const stock: LaunchDesk["stock"] = [];
    for (const { asset, symbol, scale } of this.#needs.listCoins()) {
      const free = await this.#needs.freeUnits(asset);
      if (free > 0n) stock.push({ asset: symbol, free: formatUnits(units(free), scale) });
    }
    return { stock };
  }

  stockKind(): ProposalKind<typeof StockPayload, LaunchDeskRefusal> {
    return {
      ...twoPeople("launchpad.fund"),
      payload: StockPayload,
      check: async (payload) => this.#readStock(payload).refused,
      describe: ({ asset, amount, reason }) => `Set ${amount} ${asset} of the reserves aside for launches: ${reason}`,
      execute: (payload, { reference }) => this.#moveStock("fund", payload, reference),
    };
  }

  returnKind(): ProposalKind<typeof StockPayload, LaunchDeskRefusal> {
    return {
      ...twoPeople("launchpad.return"),
      payload: StockPayload,
      check: async (payload) => {
        const { refused, coin, amountUnits } = this.#readStock(payload);
        if (coin === undefined) return refused;
        return (await this.#needs.freeUnits(coin.asset)) < amountUnits ? RETURN_SHORT : undefined;
      },
      describe: ({ asset, amount, reason }) => `Give ${amount} ${asset} for launches back to the reserves: ${reason}`,
      execute: (payload, { reference }) => this.#moveStock("giveBack", payload, reference),
    };
  }

  #readStock({ asset, amount }: StockPayload): StockRead {
    const coin = this.#needs.findCoin(asset);
    if (coin === undefined) return { refused: NO_COIN };
    const amountUnits = amountOf(amount, coin.scale);
    return amountUnits === undefined ? { refused: wrong("INVALID_AMOUNT", "amount") } : { coin, amountUnits };
  }

  async #moveStock(way: "fund" | "giveBack", payload: StockPayload, reference: string): Promise<ProposalEnd> {
    const { refused, coin, amountUnits } = this.#readStock(payload);
    if (coin === undefined) return refusal(refused);
    const end = await this.#needs[way](coin.asset, toCoreUnits(units(amountUnits)), reference);
    if (end === "later") return { end };
    if (end === "done") return { end, outcome: `${payload.amount} ${payload.asset}` };
    // Another launch was faster.
    if (way === "giveBack" && end === "INSUFFICIENT_BALANCE") return refusal(RETURN_SHORT);
    return { end: "refused", code: end, message: "The ledger rejected the transfer." };
  }

  launchKind(): ProposalKind<typeof LaunchPayload, LaunchDeskRefusal> {
    return {
      ...twoPeople("launchpad.create"),
      payload: LaunchPayload,
      check: (payload) => this.#check(payload),
      describe: ({ projectId, name, asset, price, listingAtMs, rounds }) =>
        `Launch ${name} (${projectId}): ${rounds.map(({ kind, stock }) => `${kind} of ${stock} ${asset}`).join(", ")} ` +
        `at ${price} USDT, listed ${new Date(listingAtMs).toISOString()}`,
      execute: (payload, call) => this.#make(payload, call),
    };
  }

  async #check(payload: LaunchPayload): Promise<Wrong | undefined> {
    const coin = this.#needs.findCoin(payload.asset);
    const refused = refusalOf(payload, coin, this.#needs.now());
    if (refused !== undefined || coin === undefined) return refused ?? NO_COIN;
    if (await this.#isTaken(payload.projectId)) return NAME_TAKEN;
    return (await this.#needs.freeUnits(coin.asset)) < stockOf(payload, coin) ? STOCK_SHORT : undefined;
  }

  async #isTaken(projectId: string): Promise<boolean> {
    return (await this.#store.find(projectId)) !== undefined || (await this.#needs.isLaunch(projectId));
  }

  /** The name is taken first, then the coins move, then it becomes visible; a repeat resumes where it was. */
  async #make(payload: LaunchPayload, call: ProposalCall): Promise<ProposalEnd> {
    const coin = this.#needs.findCoin(payload.asset);
    if (coin === undefined) return refusal(NO_COIN);
    const making = await this.#begin(payload, coin, call);
    if ("code" in making) return refusal(making);
    const draft = draftOf(payload, coin, making);
    const end = await this.#needs.stock(draft, call.reference);
    if (end === "later") return { end };
    if (end !== "done") {
      await this.#store.drop(call.reference);
      if (end === "INSUFFICIENT_BALANCE") return refusal(STOCK_SHORT);
      return { end: "refused", code: end, message: "The ledger rejected the stock." };
    }
    await this.#needs.add(draft);
    return { end: "done", outcome: payload.projectId };
  }

  async #begin(
    payload: LaunchPayload,
    coin: LedgerCoin,
    { reference, timeMs }: ProposalCall,
  ): Promise<MakingRow | Wrong> {
    const { projectId } = payload;
    if ((await this.#store.find(projectId)) === undefined) {
      // Approved days later, its times may be over.
      const refused = refusalOf(payload, coin, timeMs);
      if (refused !== undefined) return refused;
      if (await this.#needs.isLaunch(projectId)) return NAME_TAKEN;
      const [server_seed, salt] = [this.#needs.randomSeed(), this.#needs.randomSeed().slice(0, SALT_DIGITS)];
      await this.#store.add({ reference, project_id: projectId, server_seed, salt, begun_ms: timeMs });
    }
    const making = await this.#store.find(projectId);
    return making?.reference === reference ? making : NAME_TAKEN;
  }
}

function twoPeople(kind: string) {
  const nobody = (): readonly number[] => [];
  return {
    kind,
    permission: LAUNCH_PERMISSION,
    needsFreshProof: false,
    expiresAfterMs: 3 * DAY_MS,
    beneficiariesOf: nobody,
  };
}

const refusal = ({ code, message }: Wrong): ProposalEnd => ({ end: "refused", code, message });
