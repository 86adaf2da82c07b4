// What a futures account sees of its money: every cash change by type; and demo accounts, which begin again once a day.
import { BUSINESSES } from "@clockwork/core/protocol/names";
import { describeContractRefusal } from "@clockwork/kit/contract-refusals";
import { formatUnits, units } from "@clockwork/kit/money";
import { answer, type Outcome, refuse } from "@clockwork/kit/route";
import { DAY_MS } from "@clockwork/kit/time";
import type { FuturesBillPage } from "./api.ts";
import type { FuturesNeeds } from "./needs.ts";
import { billTypeOf, describeBill } from "./rules.ts";
import { choiceOf, type PageQuery, pageFilter, UNKNOWN_CONTRACT } from "./service.ts";
import type { FuturesStore } from "./store.ts";

const DEMO = { biz: "demo" } as const;
const NO_DEMO = refuse({
  code: "DEMO_UNAVAILABLE",
  status: 503,
  message: "There is no demo market now; try again later.",
  retryAfterSeconds: 30,
});

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
    query: PageQuery & { readonly asset?: string; readonly type?: string },
  ): Promise<Outcome<FuturesBillPage>> {
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
    const rows = await this.#store.listBills({ ...filter, asset, businesses });
    const shown = rows.slice(0, filter.limit - 1);
    const last = rows.length > shown.length ? shown.at(-1) : undefined;
    const owners = new Map(views.map((view) => [view.account, view.owner]));
    return answer({
      bills: shown.flatMap((row) => {
        const owner = owners.get(row.account);
        return owner === undefined ? [] : (describeBill(pairs, row, owner, choice.biz) ?? []);
      }),
      next: last === undefined ? null : `${last.sequence}-${last.line}`,
    });
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

  /** Orders end, positions close, the balance is what everybody begins with; the core allows it once in 24 hours. */
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
