// Reports liquidations step by step from the events in the tables: publicly by the id of a print, to the owner with
// balances. Changes nothing.
import { answer, type Outcome, refuseBy } from "@clockwork/host/route";
import type { AccountOwner } from "@clockwork/kit/books";
import { cutPage } from "@clockwork/kit/pages/page";
import type { MarketBiz, MarketPair } from "../markets/pair.ts";
import type { LiquidationList, LiquidationReport } from "./contract.ts";
import { REFUSALS } from "./refusals.ts";
import { describeReport, readReportId, reportId } from "./rules.ts";
import type { LiquidationRecord, LiquidationStore } from "./store.ts";

const PAGE = 20;
const UNKNOWN = refuseBy(REFUSALS, { code: "UNKNOWN_LIQUIDATION" });

type ReportBiz = Exclude<MarketBiz, "spot">;

export interface LiquidationNeeds {
  findMarket(market: number): MarketPair | undefined;
  /** The user's accounts of a product. */
  listAccounts(userId: number, biz: ReportBiz): Promise<readonly number[]>;
  ownerOf(account: number): Promise<AccountOwner | undefined>;
}

export class LiquidationService {
  readonly #needs: LiquidationNeeds;
  readonly #store: LiquidationStore;

  constructor({ needs, store }: { readonly needs: LiquidationNeeds; readonly store: LiquidationStore }) {
    this.#needs = needs;
    this.#store = store;
  }

  async read(id: string, userId: string | null): Promise<Outcome<LiquidationReport, "UNKNOWN_LIQUIDATION">> {
    const row = await this.#store.find(...readReportId(id));
    if (row === undefined) return UNKNOWN;
    const owner = await this.#needs.ownerOf(row.account);
    const isOwn = userId !== null && owner?.userId === Number(userId);
    // Demo accounts are visible to their owner only.
    if (owner?.book === "demo" && !isOwn) return UNKNOWN;
    const report = await this.#describe(row, isOwn);
    return report === undefined ? UNKNOWN : answer(report);
  }

  async listOwn(
    userId: number,
    query: { readonly biz?: ReportBiz; readonly before?: string; readonly limit?: number },
  ): Promise<Outcome<LiquidationList, never>> {
    const accounts = await this.#needs.listAccounts(userId, query.biz ?? "futures");
    if (accounts.length === 0) return answer({ liquidations: [], next: null });
    const limit = query.limit ?? PAGE;
    const before = query.before === undefined ? undefined : readReportId(query.before);
    const rows = await this.#store.list(accounts, before, limit + 1);
    const { shown, end } = cutPage(rows, limit);
    const reports = await Promise.all(shown.map((row) => this.#describe(row, true)));
    return answer({
      liquidations: reports.flatMap((report) => report ?? []),
      next: end === undefined ? null : reportId(end),
    });
  }

  async #describe(row: LiquidationRecord, isOwn: boolean): Promise<LiquidationReport | undefined> {
    const { sequence, place } = row;
    const [steps, deleveragings] = await Promise.all([
      this.#store.listSteps(sequence, place),
      this.#store.listDeleveragings(sequence, place),
    ]);
    return describeReport({ row, steps, deleveragings }, this.#needs.findMarket, isOwn);
  }
}
