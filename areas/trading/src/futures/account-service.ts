// The money of a futures account: every cash change by type, and the daily reset of demo accounts.
import { BUSINESSES, goldSubOf } from "@clockwork/core/protocol/names";
import { answer, type Outcome, refuse, refuseAs } from "@clockwork/host/route";
import type { AccountOwner } from "@clockwork/kit/books";
import { formatUnits, units } from "@clockwork/kit/money";
import { cutPage, writePairCursor } from "@clockwork/kit/pages/page";
import { DAY_MS } from "@clockwork/kit/time";
import { describeContractRefusal } from "../positions/contract-refusals.ts";
import { type ContractRefusal, OWN_REFUSALS } from "../positions/refusals.ts";
import type { FuturesBillPage } from "./contract.ts";
import type { FuturesNeeds, TradingView } from "./needs.ts";
import { billTypeOf, describeBill } from "./rules.ts";
import { choiceOf, type PageQuery, pageFilter, UNKNOWN_CONTRACT } from "./service.ts";
import type { FuturesStore } from "./store.ts";

const DEMO = { biz: "demo" } as const;
const NO_DEMO = refuseAs("DEMO_UNAVAILABLE", OWN_REFUSALS.DEMO_UNAVAILABLE);

export class FuturesAccountService {
  readonly #needs: FuturesNeeds;
  readonly #store: FuturesStore;

  constructor({ needs, store }: { readonly needs: FuturesNeeds; readonly store: FuturesStore }) {
    this.#needs = needs;
    this.#store = store;
  }

  /** The types a bill can have, as this exchange writes them. */
  listBillTypes(): string[] {
    return [...new Set(BUSINESSES.map(billTypeOf))];
  }

  async listBills(
    userId: number,
    query: PageQuery & { readonly asset?: string; readonly type?: string; readonly payer?: "wallet" | "gold" | "all" },
  ): Promise<Outcome<FuturesBillPage, ContractRefusal>> {
    const { pairs } = this.#needs;
    const choice = choiceOf(query);
    const pair = query.pairCode === undefined ? undefined : pairs.find(choice.biz, query.pairCode);
    if (query.pairCode !== undefined && pair === undefined) return refuse(UNKNOWN_CONTRACT);
    const views = await this.#needs.listViews(userId, choice);
    const asset = query.asset === undefined ? undefined : pairs.findAsset(query.asset)?.asset;
    const businesses =
      query.type === undefined ? undefined : BUSINESSES.filter((business) => billTypeOf(business) === query.type);
    const isEmpty = (query.asset !== undefined && asset === undefined) || businesses?.length === 0;
    if (views.length === 0 || isEmpty) return answer({ bills: [], next: null });
    await this.#needs.settled(Math.max(...views.map(({ changedSequence }) => changedSequence)));
    const filter = pageFilter(views, query, pair?.market);
    const owners = await this.#payers(userId, views, query.payer ?? "wallet");
    if (owners.size === 0) return answer({ bills: [], next: null });
    const rows = await this.#store.listBills({ ...filter, accounts: [...owners.keys()], asset, businesses });
    const { shown, end } = cutPage(rows, filter.limit - 1);
    return answer({
      bills: shown.flatMap((row) => {
        const payer = owners.get(row.account);
        return payer === undefined
          ? []
          : (describeBill(pairs, row, payer.owner, { ...choice, payer: payer.payer }) ?? []);
      }),
      next: end === undefined ? null : writePairCursor(end.sequence, end.line),
    });
  }

  /** By the account whose bills are listed: the accounts they concern, and the payer. */
  async #payers(userId: number, views: readonly TradingView[], wanted: "wallet" | "gold" | "all") {
    const payers = new Map<number, { readonly owner: AccountOwner; readonly payer: "wallet" | "gold" }>();
    if (wanted !== "gold") for (const { account, owner } of views) payers.set(account, { owner, payer: "wallet" });
    if (wanted === "wallet") return payers;
    const gold = await this.#needs.listGold(
      userId,
      views.map(({ account }) => account),
    );
    for (const { account, sub } of gold) {
      const view = views.find((one) => goldSubOf(one.account) === sub);
      if (view !== undefined) payers.set(account, { owner: view.owner, payer: "gold" });
    }
    return payers;
  }

  async readDemo(userId: number, timeMs: number) {
    const coin = this.#demoCoin();
    if (coin === undefined) return NO_DEMO;
    const [view] = await this.#needs.listViews(userId, DEMO);
    if (view !== undefined) await this.#needs.settled(view.changedSequence);
    const resetMs = view === undefined ? undefined : await this.#store.readReset(view.account);
    const nextMs = resetMs === undefined ? 0 : resetMs + DAY_MS;
    return answer({
      asset: coin.symbol,
      isOpened: resetMs !== undefined,
      nextResetMs: nextMs > timeMs ? nextMs : null,
    });
  }

  /** Cancels orders, closes positions and restores the starting balance; the core allows it once in 24 hours. */
  async resetDemo(userId: number) {
    const coin = this.#demoCoin();
    if (coin === undefined) return NO_DEMO;
    const opened = await this.#needs.openAccount(userId, DEMO, coin.asset);
    if ("refusal" in opened) return refuse(opened.refusal);
    const ack = await this.#needs.submit({ kind: "resetDemo", account: opened.account, asset: coin.asset });
    if (!ack.done) return refuse(describeContractRefusal(ack));
    const reset = ack.events.find((event) => event.kind === "demoReset");
    if (reset?.kind !== "demoReset") return NO_DEMO;
    const balance = formatUnits(units(reset.units), coin.scale);
    return answer({ asset: coin.symbol, balance, nextResetMs: reset.time + DAY_MS });
  }

  #demoCoin() {
    return this.#needs.pairs.list("demo")[0]?.settle;
  }
}
