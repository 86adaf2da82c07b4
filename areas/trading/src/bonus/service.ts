// Almighty gold: a user's gold, and granting it as a two-operator action. The money is the core's: it comes from the
// campaign treasury, counts as margin, bears its share of losses and is returned at its end.

import type { Applied } from "@clockwork/host/engine";
import type { ProposalCall, ProposalEnd, ProposalKind } from "@clockwork/host/proposal";
import { type RouteRejection, refuseAs } from "@clockwork/host/route";
import type { LedgerCoin } from "@clockwork/kit/instrument";
import { formatUnits, parseUnits, units } from "@clockwork/kit/money";
import { DAY_MS } from "@clockwork/kit/time";
import { type Bonus, type BonusAmount, type BonusList, type BonusStatus, GrantPayload } from "./contract.ts";
import type { BonusNeeds } from "./needs.ts";
import { type BonusRefusal, REFUSALS } from "./refusals.ts";
import type { BonusStore, GrantRecord } from "./store.ts";

const wrong = (code: BonusRefusal, text?: string) => refuseAs(code, REFUSALS[code], text).rejection;

export class BonusService {
  readonly #needs: BonusNeeds;
  readonly #store: BonusStore;

  constructor({ needs, store }: { readonly needs: BonusNeeds; readonly store: BonusStore }) {
    this.#needs = needs;
    this.#store = store;
  }

  async list(userId: number): Promise<BonusList> {
    const accounts = await this.#needs.listAccounts(userId);
    const rows = await this.#store.list(accounts.map(({ account }) => account));
    const terms = await this.#store.listTerms(rows.map(({ grant_id }) => grant_id));
    return {
      bonuses: rows.flatMap((row) => {
        const coin = this.#needs.pairs.findAssetById(row.asset);
        const book = accounts.find(({ account }) => account === row.account)?.book;
        const own = terms.find(({ grant_id }) => grant_id === row.grant_id);
        return coin === undefined ? [] : [describeBonus(row, coin, book ?? "", own)];
      }),
    };
  }

  /** Sums by coin. */
  async readAmount(userId: number): Promise<BonusAmount> {
    const sums = new Map<number, { left: bigint; given: bigint }>();
    for (const { asset, state, left_units, given_units } of await this.#rows(userId)) {
      const sum = sums.get(asset) ?? { left: 0n, given: 0n };
      sums.set(asset, { left: sum.left + (state === "ACTIVE" ? left_units : 0n), given: sum.given + given_units });
    }
    return {
      amounts: [...sums].flatMap(([asset, { left, given }]) => {
        const coin = this.#needs.pairs.findAssetById(asset);
        if (coin === undefined) return [];
        const text = (value: bigint): string => formatUnits(units(value), coin.scale);
        return [{ asset: coin.symbol, left: text(left), given: text(given) }];
      }),
    };
  }

  async readStatus(userId: number): Promise<BonusStatus> {
    const rows = await this.#rows(userId);
    const active = rows.filter(({ state, left_units }) => state === "ACTIVE" && left_units > 0n);
    const ends = active.map(({ expires_ms }) => expires_ms);
    return {
      isActive: active.length > 0,
      count: rows.length,
      nextExpiryMs: ends.length === 0 ? null : Math.min(...ends),
    };
  }

  async #rows(userId: number): Promise<GrantRecord[]> {
    const accounts = await this.#needs.listAccounts(userId);
    return this.#store.list(accounts.map(({ account }) => account));
  }

  grantKind(): ProposalKind<typeof GrantPayload, BonusRefusal> {
    return {
      kind: "bonus.grant",
      permission: "coupons.issue",
      needsFreshProof: false,
      expiresAfterMs: 3 * DAY_MS,
      payload: GrantPayload,
      beneficiariesOf: ({ user }) => [Number(user)],
      check: (payload) => this.#check(payload),
      describe: ({ user, amount, asset, biz, days, ratioPercent, maxLeverage, reason }) =>
        `Give ${amount} ${asset} of almighty gold (${biz}) to account ${user} for ${days} days: bears ${ratioPercent} % ` +
        `of losses${maxLeverage === 0 ? "" : `, leverage at most ${maxLeverage}`}, ${reason}`,
      execute: (payload, call) => this.#grant(payload, call),
    };
  }

  async #check(payload: GrantPayload): Promise<RouteRejection<BonusRefusal> | undefined> {
    const coin = this.#needs.pairs.findAsset(payload.asset);
    if (coin === undefined || !this.#settles(payload.biz, coin.asset)) {
      return wrong("UNKNOWN_ASSET");
    }
    const amount = parseUnits(payload.amount, coin.scale);
    if (!amount.done || amount.value === 0n) {
      return wrong("INVALID_AMOUNT", `Must be above zero, with at most ${coin.scale} decimals.`);
    }
    if (await this.#needs.isUser(Number(payload.user))) return undefined;
    return wrong("UNKNOWN_USER");
  }

  /** The reference is the proposal's: repeated attempts give one grant. */
  async #grant(payload: GrantPayload, { reference, timeMs }: ProposalCall): Promise<ProposalEnd> {
    const { biz, days, ratioPercent, maxLeverage, reason } = payload;
    const userId = Number(payload.user);
    const refused = await this.#check(payload);
    const coin = this.#needs.pairs.findAsset(payload.asset);
    if (refused !== undefined || coin === undefined) {
      return { end: "refused", code: refused?.code ?? "UNKNOWN_ASSET", message: refused?.message ?? "" };
    }
    const amount = parseUnits(payload.amount, coin.scale);
    const account = await this.#needs.openAccount(userId, biz, coin.asset);
    if (account === undefined || !amount.done) return { end: "later" };
    const ack = await this.#needs.submit({
      kind: "grantBonus",
      account,
      asset: coin.asset,
      units: Number(amount.value),
      reference,
      ratioBps: ratioPercent * 100,
      leverageMax: maxLeverage,
      expiresAt: timeMs + days * DAY_MS,
    });
    if (!ack.done) {
      if (ack.code.startsWith("ENGINE_")) return { end: "later" };
      return { end: "refused", code: ack.code, message: "The exchange rejected the grant." };
    }
    const grant = await this.#grantOf(account, ack);
    if (grant === undefined) return { end: "later" };
    await this.#store.putTerms({ grant_id: grant, ratio_percent: ratioPercent, leverage_max: maxLeverage, reason });
    const body = `${payload.amount} ${coin.symbol} counts as margin for ${days} days: ${reason}`;
    await this.#needs.notify(userId, { reference, title: "You received almighty gold", body }, timeMs);
    return { end: "done", outcome: `grant ${grant}` };
  }

  /** Whether contracts of the product settle in the coin. */
  #settles(biz: "futures" | "delivery", asset: number): boolean {
    return this.#needs.pairs.listContracts(biz).some(({ settle }) => settle.asset === asset);
  }

  /** A repeat names the command that granted it; the tables hold the result. */
  async #grantOf(account: number, ack: Applied): Promise<number | undefined> {
    for (const event of ack.events) {
      if (event.kind === "bonusChanged" && event.account === account) return event.grant;
      if (event.kind !== "repeated") continue;
      await this.#needs.settled(ack.sequence);
      return (await this.#store.findAt(account, event.firstSequence))?.grant_id;
    }
    return undefined;
  }
}

function describeBonus(
  row: GrantRecord,
  coin: LedgerCoin,
  book: string,
  terms: { readonly ratio_percent: number; readonly leverage_max: number } | undefined,
): Bonus {
  const text = (value: bigint): string => formatUnits(units(value), coin.scale);
  const leverage = terms?.leverage_max ?? 0;
  return {
    grantId: String(row.grant_id),
    asset: coin.symbol,
    biz: book === "inverse" ? "delivery" : "futures",
    state: row.state as Bonus["state"],
    amount: text(row.given_units),
    left: text(row.left_units),
    ratio: formatUnits(units(terms?.ratio_percent ?? 100), 2),
    maxLeverage: leverage === 0 ? null : leverage,
    grantedAtMs: row.granted_ms,
    expiresAtMs: row.expires_ms,
  };
}
