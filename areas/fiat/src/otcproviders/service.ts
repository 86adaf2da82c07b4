// Deals with outside providers: quoted, accepted, pending until the provider's signed callback gives the result,
// carried out once. Coins move by ledger commands named by the deal; money held with the provider by entries that sum
// to zero.
import { decimalText } from "@clockwork/kit/decimal";
import { formatUnits, parseUnits, units } from "@clockwork/kit/money";
import { FIAT_SCALE, findFiat } from "@clockwork/kit/otc/fiat";
import { readMark, writeMark } from "@clockwork/kit/otc/page-mark";
import { PRICE_SCALE, quantityOf } from "@clockwork/kit/otc/price";
import { cutPage } from "@clockwork/kit/pages/page";
import { done, type Result, refused } from "@clockwork/kit/result";
import type {
  Bill,
  BillsQuery,
  CallbackBody,
  Deal,
  DealList,
  FinanceBills,
  LegalTender,
  ProviderList,
  QuoteBody,
} from "./contract.ts";
import type { LedgerReply, ProviderNeeds } from "./needs.ts";
import type { ProviderRefusal } from "./refusals.ts";
import { isAsked, LEVEL_MIN, PAGE, PRUNE_MS, pageOfBills, QUOTE_MS, signedText } from "./rules.ts";
import type { DealRow, ProviderStore } from "./store.ts";

type Outcome<Value> = Promise<Result<Value, ProviderRefusal>>;
const UNDER_WAY_MS = 5_000;

export class ProviderService {
  readonly #store: ProviderStore;
  readonly #needs: ProviderNeeds;

  constructor({ store, needs }: { readonly store: ProviderStore; readonly needs: ProviderNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  list(): ProviderList {
    const providers = this.#needs.providers.map(({ name, label, isSimulated, fiats, minUsd, maxUsd }) => ({
      name,
      label,
      isSimulated,
      fiats: [...fiats],
      minUsd,
      maxUsd,
    }));
    return { providers };
  }

  async quote(userId: number, body: QuoteBody): Outcome<Deal> {
    if ((await this.#needs.levelOf(userId)) < LEVEL_MIN) return refused("IDENTITY_LEVEL");
    const provider = this.#needs.providers.find((one) => one.name === body.provider);
    if (provider === undefined) return refused("PROVIDER_UNKNOWN");
    if (!provider.fiats.includes(body.fiat)) return refused("PROVIDER_FIAT");
    const cents = parseUnits(body.amount, FIAT_SCALE);
    if (!cents.done || cents.value === 0n || (findFiat(body.fiat)?.decimals === 0 && cents.value % 100n !== 0n))
      return refused("AMOUNT_INVALID");
    const rateE8 = this.#needs.rateE8(body.fiat);
    if (rateE8 === undefined) return refused("NO_PRICE");
    const usdCents = (cents.value * 10n ** 8n) / rateE8;
    if (usdCents < BigInt(provider.minUsd) * 100n || usdCents > BigInt(provider.maxUsd) * 100n)
      return refused("PROVIDER_LIMITS");
    const coin = this.#needs.coin(body.asset);
    const index = this.#needs.indexPriceE4(body.asset, body.fiat);
    if (coin === undefined || index === undefined) return refused("NO_PRICE");
    const price_e4 = provider.quote(body.side, index);
    const quantity_units = quantityOf(cents.value, coin.scale, price_e4);
    if (quantity_units === 0n) return refused("AMOUNT_INVALID");
    const nowMs = this.#needs.now();
    const row: DealRow = {
      deal_id: this.#needs.randomId(),
      user_id: userId,
      provider: body.provider,
      side: body.side,
      asset: body.asset,
      fiat: body.fiat,
      price_e4,
      amount_cents: cents.value,
      quantity_units,
      source: body.side === "sell" ? "balance" : (body.source ?? "outside"),
      state: "QUOTED",
      result: "",
      reason: "",
      expires_ms: nowMs + QUOTE_MS,
      created_ms: nowMs,
      changed_ms: nowMs,
    };
    await this.#store.removeQuotes(userId, nowMs - PRUNE_MS);
    await this.#store.add(row);
    return done(this.describe(row));
  }

  /** Once; a repeat returns the same deal. */
  async accept(userId: number, dealId: string): Outcome<Deal> {
    const row = await this.#store.find(dealId);
    if (row === undefined || row.user_id !== userId) return refused("DEAL_UNKNOWN");
    if (row.state === "TAKING") return this.#begin(row);
    if (row.state !== "QUOTED") return done(this.describe(row));
    if (this.#needs.now() >= row.expires_ms) return refused("QUOTE_EXPIRED");
    const spent = row.side === "buy" && row.source === "balance" ? row.amount_cents : 0n;
    const taken = await this.#store.take(row, spent, this.#needs.now());
    if (taken === "short") return refused("MONEY_SHORT");
    return taken === undefined ? refused("DEAL_STATE") : this.#begin(taken);
  }

  /** A seller's coins are held before the provider is called. */
  async #begin(row: DealRow): Outcome<Deal> {
    const coin = this.#needs.coin(row.asset);
    if (coin === undefined) return refused("NO_PRICE");
    const reply = row.side === "sell" ? await this.#needs.holdCoins(row, coin) : "done";
    if (reply === "away") return refused("LEDGER_AWAY");
    if (reply !== "done") {
      const reason = reply === "restricted" ? "RESTRICTED" : "INSUFFICIENT_BALANCE";
      await this.#store.step(row, { state: "FAILED", reason, changed_ms: this.#needs.now() });
      this.#needs.changed(row);
      return refused(reason);
    }
    const pending = await this.#store.step(row, { state: "PENDING", changed_ms: this.#needs.now() });
    if (pending === undefined) return refused("DEAL_STATE");
    this.#needs.changed(pending);
    await this.#needs.providers.find(({ name }) => name === row.provider)?.begin(pending);
    return done(this.describe(pending));
  }

  async read(userId: number, dealId: string): Outcome<Deal> {
    const row = await this.#store.find(dealId);
    return row === undefined || row.user_id !== userId ? refused("DEAL_UNKNOWN") : done(this.describe(row));
  }

  /** The provider's result, once; a repeated call gets the same answer, a different result after it is refused. */
  async callback(body: CallbackBody, signature: string): Outcome<Deal> {
    const provider = this.#needs.providers.find(({ name }) => name === body.provider);
    if (provider === undefined || !provider.isSigned(signedText(body), signature)) return refused("SIGNATURE_WRONG");
    const row = await this.#store.find(body.dealId);
    if (row === undefined || row.provider !== body.provider) return refused("DEAL_UNKNOWN");
    if (row.state === body.state) return done(this.describe(row));
    if (row.state !== "PENDING" || (row.result !== "" && row.result !== body.state)) return refused("DEAL_STATE");
    const noted =
      row.result === "" ? await this.#store.step(row, { result: body.state, changed_ms: this.#needs.now() }) : row;
    if (noted === undefined) return refused("DEAL_STATE");
    return this.#carryOut(noted);
  }

  async #carryOut(row: DealRow): Outcome<Deal> {
    const reply = await this.#moveCoins(row);
    if (reply !== "done") return refused("LEDGER_AWAY");
    // Before the last step, which is never taken twice: a resumed one then notifies.
    await this.#needs.notify(row, this.#wordsOf(row));
    const isDone = row.result === "SUCCESS";
    const change = { state: isDone ? "SUCCESS" : "FAILED", changed_ms: this.#needs.now() } as const;
    const ended = await this.#store.end(row, { ...change, reason: isDone ? "" : "PROVIDER" }, moneyOf(row));
    this.#needs.changed(row);
    return done(this.describe(ended ?? (await this.#store.find(row.deal_id)) ?? row));
  }

  #wordsOf(row: DealRow): { readonly title: string; readonly body: string } {
    const { quantity, amount } = this.describe(row);
    const [coins, money] = [`${quantity} ${row.asset}`, `${amount} ${row.fiat}`];
    if (row.side === "buy")
      return row.result === "SUCCESS"
        ? { title: `${coins} bought`, body: `${coins} for ${money} are in your funding account.` }
        : { title: "A purchase failed", body: `The provider could not take ${money}; no coins were bought.` };
    return row.result === "SUCCESS"
      ? { title: `${coins} sold`, body: `${money} for ${coins} are held with the provider.` }
      : { title: "A sale failed", body: `The provider could not pay ${money}; ${coins} are free again.` };
  }

  async #moveCoins(row: DealRow): Promise<LedgerReply> {
    const coin = this.#needs.coin(row.asset);
    if (coin === undefined) return "away";
    if (row.side === "buy") return row.result === "SUCCESS" ? this.#needs.payCoins(row, coin) : "done";
    return row.result === "SUCCESS" ? this.#needs.takeCoins(row) : this.#needs.returnCoins(row);
  }

  async resume(): Promise<void> {
    for (const row of await this.#store.listHalf(this.#needs.now() - UNDER_WAY_MS)) {
      if (row.state === "TAKING") await this.#begin(row);
      else await this.#carryOut(row);
    }
  }

  /** Deals waiting for their provider; a simulated one is called again after a stop. */
  listPending(): Promise<readonly DealRow[]> {
    return this.#store.listPending();
  }

  async legalTender(userId: number): Promise<LegalTender> {
    const held = await this.#store.listHeld(userId);
    return {
      assets: held.map(({ fiat, cents }) => ({
        fiat,
        name: findFiat(fiat)?.name ?? fiat,
        amount: decimalText(cents, FIAT_SCALE),
      })),
    };
  }

  /** One more than a page of every kind, so that the page's end is known. */
  async bills(userId: number, query: BillsQuery): Promise<FinanceBills> {
    const hasDeals = query.kind === undefined || query.kind === "provider";
    const [deals, others] = await Promise.all([
      // One more than the page and its successor: the row named by the mark may be shown already.
      hasDeals ? this.#store.listEnded(userId, query, PAGE + 2) : [],
      this.#needs.listBills(userId, query, PAGE + 2),
    ]);
    const own = deals.map((row): Bill => {
      const { quantity, amount } = this.describe(row);
      const [sign, moneySign] = row.side === "buy" ? ["", "-"] : ["-", ""];
      return {
        kind: "provider",
        reference: row.deal_id,
        asset: row.asset,
        quantity: `${sign}${quantity}`,
        fiat: row.fiat,
        amount: `${moneySign}${amount}`,
        atMs: row.changed_ms,
      };
    });
    return pageOfBills([...own, ...others].filter((bill) => isAsked(bill, query)));
  }

  /** Without quotes that were not accepted. */
  async deals(userId: number, before: string | undefined): Promise<DealList> {
    const rows = await this.#store.listTaken(userId, before === undefined ? undefined : readMark(before), PAGE + 1);
    const { shown, end } = cutPage(rows, PAGE);
    const nextBefore = end === undefined ? null : writeMark({ atMs: end.created_ms, id: end.deal_id });
    return { deals: shown.map((row) => this.describe(row)), nextBefore };
  }

  describe(row: DealRow): Deal {
    return {
      dealId: row.deal_id,
      provider: row.provider,
      side: row.side,
      asset: row.asset,
      fiat: row.fiat,
      price: decimalText(row.price_e4, PRICE_SCALE),
      amount: decimalText(row.amount_cents, FIAT_SCALE),
      quantity: formatUnits(units(row.quantity_units), this.#needs.coin(row.asset)?.scale ?? 0),
      source: row.source,
      state: row.state === "TAKING" ? "PENDING" : row.state,
      reason: row.reason,
      leftMs: row.state === "QUOTED" ? Math.max(0, row.expires_ms - this.#needs.now()) : 0,
      expiresAtMs: row.expires_ms,
      createdAtMs: row.created_ms,
      changedAtMs: row.changed_ms,
    };
  }
}

/**
 * How the end changes the money a user holds with the provider: a sale's proceeds, or money spent on a failed purchase.
 */
function moneyOf(row: DealRow): bigint {
  if (row.side === "sell") return row.result === "SUCCESS" ? row.amount_cents : 0n;
  return row.result === "FAILED" && row.source === "balance" ? row.amount_cents : 0n;
}
