// Use cases of positions for their owner: open and closed ones, accounts, settings, and changing leverage, modes and
// margin. Each change is one command of the core; its answer comes from the commit. Trades nothing: closing and stops
// are in close-service.

import type { Command } from "@clockwork/core/protocol/command";
import { answer, type Outcome, type RouteRejection, refuse, refuseAs } from "@clockwork/host/route";
import { type BookName, walletTypeOf } from "@clockwork/kit/books";
import { valueText } from "@clockwork/kit/instrument";
import { referenceOf } from "@clockwork/kit/intent/reference";
import { cutPage, readPairCursor, writePairCursor } from "@clockwork/kit/pages/page";
import type { MarketPair } from "../markets/pair.ts";
import type { PositionRow } from "../projectors/futures/futures-rows.ts";
import type { BookChoice, FuturesBiz, FuturesView } from "./account-view.ts";
import type {
  ContractSettings,
  FuturesAccount,
  FuturesPosition,
  MarginHistoryPage,
  PositionHistoryPage,
} from "./contract.ts";
import { describeContractRefusal, type RefusedCommand } from "./contract-refusals.ts";
import { modesOf } from "./figure-rules.ts";
import type { PositionNeeds } from "./needs.ts";
import { type ContractRefusal, OWN_REFUSALS } from "./refusals.ts";
import {
  describeAccount,
  describeClosed,
  describeMarginChange,
  describePositions,
  describeSettings,
  readSignedUnits,
} from "./rules.ts";
import type { PositionStore } from "./store.ts";

export interface Chosen {
  readonly biz?: FuturesBiz;
  readonly account?: string;
}

export interface HistoryQuery extends Chosen {
  readonly pairCode?: string;
  readonly from?: number;
  readonly to?: number;
  readonly before?: string;
  readonly after?: string;
  readonly limit?: number;
}

export interface FoundPosition {
  readonly view: FuturesView;
  readonly row: PositionRow;
  readonly pair: MarketPair;
  /** The command's reference to it. */
  readonly named: {
    readonly account: number;
    readonly market: number;
    readonly side: "both" | "long" | "short";
    readonly position: number;
  };
}

const PAGE = 50;
const BOOKS: Readonly<Record<FuturesBiz, string>> = { futures: "linear", delivery: "inverse", demo: "demo" };

export const UNKNOWN_CONTRACT: RouteRejection<ContractRefusal> = {
  code: "UNKNOWN_MARKET",
  status: 404,
  message: "Contract not found.",
  fields: { pairCode: "Contract not found." },
};
const UNKNOWN_POSITION: RouteRejection<ContractRefusal> = {
  code: "UNKNOWN_POSITION",
  status: 404,
  message: "Open position not found.",
  fields: { "body.positionId": "Open position not found." },
};

export const choiceOf = ({ biz = "futures", account }: Chosen): BookChoice => ({ biz, account });

interface Modes {
  readonly mode?: "one-way" | "hedge";
  readonly layout?: "merge" | "split";
}

/** Further accounts the core's command can name. */
const OTHERS_MAX = 7;

/** Every coin has an account of its own: one command changes all of them or none. */
function modesCommand([account = 0, ...others]: readonly number[], { mode, layout }: Modes): Command {
  if (others.length > OTHERS_MAX) throw new Error(`the modes of ${others.length + 1} accounts are no one command`);
  const [also1 = 0, also2 = 0, also3 = 0, also4 = 0, also5 = 0, also6 = 0, also7 = 0] = others;
  const keeps = mode === undefined ? "hedge" : layout === undefined ? "split" : "none";
  const wanted = { hedge: mode === "hedge", split: layout === "split", keeps } as const;
  return { kind: "setPositionMode", account, ...wanted, also1, also2, also3, also4, also5, also6, also7 };
}

export class PositionService {
  readonly #needs: PositionNeeds;
  readonly #store: PositionStore;

  constructor({ needs, store }: { readonly needs: PositionNeeds; readonly store: PositionStore }) {
    this.#needs = needs;
    this.#store = store;
  }

  async list(
    userId: number,
    query: Chosen & { readonly pairCode?: string },
  ): Promise<Outcome<FuturesPosition[], ContractRefusal>> {
    const choice = choiceOf(query);
    const pair = query.pairCode === undefined ? undefined : this.#needs.contracts.find(choice.biz, query.pairCode);
    if (query.pairCode !== undefined && pair === undefined) return refuse(UNKNOWN_CONTRACT);
    const views = await this.#needs.listViews(userId, choice);
    return answer(views.flatMap((view) => describePositions(this.#needs.contracts, view, pair?.market)));
  }

  async listClosed(userId: number, query: HistoryQuery): Promise<Outcome<PositionHistoryPage, ContractRefusal>> {
    const choice = choiceOf(query);
    const { contracts } = this.#needs;
    const pair = query.pairCode === undefined ? undefined : contracts.find(choice.biz, query.pairCode);
    if (query.pairCode !== undefined && pair === undefined) return refuse(UNKNOWN_CONTRACT);
    const views = await this.#needs.listViews(userId, choice);
    if (views.length === 0) return answer({ positions: [], next: null });
    await this.#needs.settled(Math.max(...views.map(({ changedSequence }) => changedSequence)));
    const limit = query.limit ?? PAGE;
    const rows = await this.#store.listClosed({
      accounts: views.map(({ account }) => account),
      market: pair?.market,
      fromMs: query.from,
      toMs: query.to,
      before: readPairCursor(query.before),
      limit: limit + 1,
    });
    const { shown, end } = cutPage(rows, limit);
    const owners = new Map(views.map((view) => [view.account, view]));
    return answer({
      positions: shown.flatMap((row) => {
        const view = owners.get(row.account);
        return view === undefined ? [] : (describeClosed(contracts, view, row) ?? []);
      }),
      next: end === undefined ? null : writePairCursor(Number(end.closed_sequence), end.position_id),
    });
  }

  async listMarginChanges(userId: number, query: HistoryQuery): Promise<Outcome<MarginHistoryPage, ContractRefusal>> {
    const choice = choiceOf(query);
    const { contracts } = this.#needs;
    const pair = query.pairCode === undefined ? undefined : contracts.find(choice.biz, query.pairCode);
    if (query.pairCode !== undefined && pair === undefined) return refuse(UNKNOWN_CONTRACT);
    const views = await this.#needs.listViews(userId, choice);
    if (views.length === 0) return answer({ changes: [], next: null });
    await this.#needs.settled(Math.max(...views.map(({ changedSequence }) => changedSequence)));
    const limit = query.limit ?? PAGE;
    const accounts = views.map(({ account }) => account);
    const rows = await this.#store.listMarginChanges({
      accounts,
      market: pair?.market,
      fromMs: query.from,
      toMs: query.to,
      before: readPairCursor(query.before),
      after: readPairCursor(query.after),
      limit: limit + 1,
    });
    const modes = await this.#store.listModes(accounts);
    const { shown, end } = cutPage(rows, limit);
    const owners = new Map(views.map((view) => [view.account, view]));
    return answer({
      changes: shown.flatMap((row) => {
        const view = owners.get(row.account);
        const mode = modes.findLast(({ account, sequence }) => account === row.account && sequence <= row.sequence);
        return view === undefined ? [] : (describeMarginChange(contracts, view, row, mode?.hedge === true) ?? []);
      }),
      next: end === undefined ? null : writePairCursor(end.sequence, end.line),
    });
  }

  /** Every settlement coin the account could trade with, also while it holds none. */
  async listAccounts(userId: number, query: Chosen): Promise<Outcome<FuturesAccount[], ContractRefusal>> {
    const choice = choiceOf(query);
    const views = await this.#needs.listViews(userId, choice);
    return answer(views.flatMap((view) => this.describeAccounts(view, choice.biz)));
  }

  describeAccounts(view: FuturesView, biz: FuturesBiz): FuturesAccount[] {
    const { contracts } = this.#needs;
    const coins = new Set(contracts.list(biz).map(({ settle }) => settle.asset));
    const own = biz === "delivery" ? [view.owner.sub] : [...coins];
    return own.flatMap((asset) => describeAccount(contracts, view, asset, biz) ?? []);
  }

  async readSettings(
    userId: number,
    query: Chosen & { readonly pairCode: string },
  ): Promise<Outcome<ContractSettings, ContractRefusal>> {
    const choice = choiceOf(query);
    const pair = this.#needs.contracts.find(choice.biz, query.pairCode);
    if (pair === undefined) return refuse(UNKNOWN_CONTRACT);
    const views = await this.#needs.listViews(userId, choice);
    return answer(
      this.#settings(
        pair,
        views.find((view) => isFor(view, pair)),
      ),
    );
  }

  #settings(pair: MarketPair, view: FuturesView | undefined): ContractSettings {
    const book: BookName = {
      walletType: walletTypeOf(BOOKS[pair.biz as FuturesBiz]) ?? null,
      sub: pair.biz === "delivery" ? pair.settle.symbol : null,
    };
    return describeSettings(this.#needs.contracts, pair, view, book);
  }

  /** In hedge mode one side when given; otherwise both. */
  async setLeverage(
    userId: number,
    body: Chosen & { readonly pairCode: string; readonly leverage: number; readonly side?: "long" | "short" },
  ): Promise<Outcome<ContractSettings, ContractRefusal>> {
    const opened = await this.#open(userId, body);
    if (!opened.ok) return opened;
    const { pair, account } = opened.data;
    const { leverage, side } = body;
    const { isHedge } = modesOf(await this.#needs.openView(account), pair);
    if (side !== undefined && !isHedge) {
      const message = "In one-way mode, both sides share one leverage.";
      return refuse({ code: "INVALID_COMBINATION", status: 400, message, fields: { "body.side": message } });
    }
    const sides =
      side === "long"
        ? { long: leverage, short: await this.#keptShort(account, pair) }
        : side === "short"
          ? { short: leverage }
          : { long: leverage, short: leverage };
    const ack = await this.#needs.submit({ kind: "setLeverage", account, market: pair.market, ...sides });
    if (ack.done) return answer(this.#settings(pair, await this.#needs.openView(account)));
    return refuse(this.#describeLeverage(ack, pair));
  }

  /** The core applies a leverage given for long only to both sides. */
  async #keptShort(account: number, pair: MarketPair): Promise<number> {
    return modesOf(await this.#needs.openView(account), pair).leverageShort;
  }

  #describeLeverage(ack: RefusedCommand, pair: MarketPair): RouteRejection<ContractRefusal> {
    if (ack.code !== "POSITION_LIMIT") {
      return describeContractRefusal(ack, { pair, fields: { INSUFFICIENT_MARGIN: "leverage" } });
    }
    const limit = ack.events.find(({ kind }) => kind === "rejected")?.limit ?? 0;
    const message = `At this leverage, at most ${valueText(pair, limit)} ${pair.settle.symbol} can be held in positions and open orders.`;
    return { code: ack.code, status: 422, message, fields: { "body.leverage": message } };
  }

  async setMarginMode(
    userId: number,
    body: Chosen & { readonly pairCode: string; readonly mode: "cross" | "isolated" },
  ): Promise<Outcome<ContractSettings, ContractRefusal>> {
    const opened = await this.#open(userId, body);
    if (!opened.ok) return opened;
    const { pair, account } = opened.data;
    const isolated = body.mode === "isolated";
    const ack = await this.#needs.submit({ kind: "setMarginMode", account, market: pair.market, isolated });
    if (!ack.done) return refuse(describeContractRefusal(ack, { pair, fields: { INSUFFICIENT_MARGIN: "mode" } }));
    return answer(this.#settings(pair, await this.#needs.openView(account)));
  }

  async setAutoAppend(
    userId: number,
    body: Chosen & { readonly pairCode: string; readonly isOn: boolean },
  ): Promise<Outcome<ContractSettings, ContractRefusal>> {
    const opened = await this.#open(userId, body);
    if (!opened.ok) return opened;
    const { pair, account } = opened.data;
    const ack = await this.#needs.submit({ kind: "setAutoAppend", account, market: pair.market, on: body.isOn });
    if (!ack.done) return refuse(describeContractRefusal(ack, { pair }));
    return answer(this.#settings(pair, await this.#needs.openView(account)));
  }

  /** Omitted members are unchanged; one-way mode always merges. */
  async setModes(
    userId: number,
    body: Chosen & Modes & { readonly coin?: string },
  ): Promise<Outcome<{ positionMode: "one-way" | "hedge"; layout: "merge" | "split" }, ContractRefusal>> {
    const choice = choiceOf(body);
    const { contracts } = this.#needs;
    const coin = body.coin === undefined ? undefined : contracts.findAsset(body.coin);
    if (body.coin !== undefined && coin === undefined) return refuse(UNKNOWN_COIN);
    const settles = new Set(contracts.list(choice.biz).map(({ settle }) => settle.asset));
    const wanted = coin === undefined ? [...settles] : [coin.asset].filter((asset) => settles.has(asset));
    if (wanted.length === 0) return refuse(UNKNOWN_COIN);
    const books = choice.biz === "delivery" ? wanted : wanted.slice(0, 1);
    const accounts: number[] = [];
    for (const asset of books) {
      const opened = await this.#needs.openAccount(userId, choice, asset);
      if ("refusal" in opened) return refuse(opened.refusal);
      accounts.push(opened.account);
    }
    const ack = await this.#needs.submit(modesCommand(accounts, body));
    if (!ack.done) {
      if (ack.code === "INVALID_COMBINATION") return refuseAs("SPLIT_NEEDS_HEDGE", OWN_REFUSALS.SPLIT_NEEDS_HEDGE);
      const field = body.mode === undefined ? "layout" : "mode";
      return refuse(describeContractRefusal(ack, { fields: { MODE_LOCKED: field } }));
    }
    const set = ack.events.findLast((event) => event.kind === "perpSettings");
    const { hedge, split } = set?.kind === "perpSettings" ? set : { hedge: false, split: false };
    return answer({ positionMode: hedge ? "hedge" : "one-way", layout: split ? "split" : "merge" });
  }

  /** Adds to an isolated position's margin, or withdraws from it when negative. */
  async changeMargin(
    userId: number,
    body: Chosen & { readonly positionId: string; readonly amount: string; readonly clientId?: string },
  ): Promise<Outcome<FuturesPosition, ContractRefusal>> {
    const found = await this.find(userId, body);
    if (!found.ok) return found;
    const { pair, named } = found.data;
    const units = readSignedUnits(body.amount, pair.settle.scale);
    if (units === undefined) {
      const message = `amount must not be zero, with at most ${pair.settle.scale} decimals.`;
      return refuse({ code: "INVALID_AMOUNT", status: 400, message, fields: { "body.amount": message } });
    }
    const reference = body.clientId === undefined ? "" : referenceOf(`m:${userId.toString(36)}:`, body.clientId);
    const ack = await this.#needs.submit({ kind: "changeMargin", ...named, units, reference });
    if (ack.done) return this.notify(found.data);
    if (ack.code === "INSUFFICIENT_MARGIN" && units < 0) {
      const limit = ack.events.find((event) => event.kind === "rejected");
      const least = limit?.kind === "rejected" ? limit.limit : 0;
      const message = `At least ${valueText(pair, least)} ${pair.settle.symbol} must remain as initial margin.`;
      return refuse({ code: ack.code, status: 422, message, fields: { "body.amount": message } });
    }
    const fields = { INSUFFICIENT_MARGIN: "amount", MARGIN_UNHEALTHY: "amount" };
    return refuse(describeContractRefusal(ack, { pair, fields }));
  }

  /** The caller's own open position; another user's is as unknown as one that never existed. */
  async find(
    userId: number,
    body: Chosen & { readonly positionId: string },
  ): Promise<Outcome<FoundPosition, ContractRefusal>> {
    const position = Number(body.positionId);
    for (const view of await this.#needs.listViews(userId, choiceOf(body))) {
      const row = view.positions.get(position);
      const pair = row === undefined ? undefined : this.#needs.contracts.findMarket(row.market);
      if (row === undefined || pair === undefined) continue;
      const side = modesOf(view, pair).isHedge ? row.side : "both";
      const named = { account: view.account, market: row.market, side, position } as const;
      // Rows keep changing: the state before the command is copied.
      return answer({ view, row: { ...row }, pair, named });
    }
    return refuse(UNKNOWN_POSITION);
  }

  /** The position as it is after a commit. */
  async notify({ view, row }: FoundPosition): Promise<Outcome<FuturesPosition, ContractRefusal>> {
    const now = await this.#needs.openView(view.account);
    const id = String(row.position_id);
    const result = describePositions(this.#needs.contracts, now, row.market).find(
      ({ positionId }) => positionId === id,
    );
    return result === undefined ? refuse(UNKNOWN_POSITION) : answer(result);
  }

  async #open(
    userId: number,
    body: Chosen & { readonly pairCode: string },
  ): Promise<Outcome<{ pair: MarketPair; account: number }, ContractRefusal>> {
    const choice = choiceOf(body);
    const pair = this.#needs.contracts.find(choice.biz, body.pairCode);
    if (pair === undefined) return refuse(UNKNOWN_CONTRACT);
    const opened = await this.#needs.openAccount(userId, choice, pair.settle.asset);
    return "refusal" in opened ? refuse(opened.refusal) : answer({ pair, account: opened.account });
  }
}

const UNKNOWN_COIN: RouteRejection<ContractRefusal> = {
  code: "UNKNOWN_ASSET",
  status: 404,
  message: "No contract settles in this coin.",
  fields: { "body.coin": "No contract settles in this coin." },
};

const isFor = ({ owner }: FuturesView, pair: MarketPair): boolean =>
  owner.book !== "inverse" || owner.sub === pair.settle.asset;
