// Test funds of the default run: a daily amount of each coin, from the reserves into the caller's spot account. The
// ledger holds how much was given today; nothing else is stored. Never part of a production run.

import { RESERVES_ACCOUNT } from "@clockwork/core/protocol/names";
import { answer, type Outcome, refuse } from "@clockwork/host/route";
import { referenceOf } from "@clockwork/kit/intent/reference";
import { formatUnits, units } from "@clockwork/kit/money";
import { DAY_MS } from "@clockwork/kit/time";
import type { MarketAsset } from "../markets/pair.ts";
import type { SpotNeeds } from "./needs.ts";
import { ACCOUNT_NOT_READY, describeProblem, describeRefusal } from "./refusal-rules.ts";
import type { SpotRefusal } from "./refusals.ts";
import { readAmountUnits } from "./rules.ts";

export interface FaucetNeeds extends Pick<SpotNeeds, "pairs" | "submit" | "findSpotAccount" | "openView" | "settled"> {
  /** Units given to the account since then. */
  sumGiven(account: number, asset: number, sinceMs: number): Promise<bigint>;
  /** Whether this grant was made before. */
  wasGiven(account: number, reference: string): Promise<boolean>;
  /** A unique reference. */
  drawReference(): string;
}

export interface FaucetRequest {
  readonly asset: string;
  readonly amount: string;
  /** Identifies the intent. */
  readonly clientId?: string;
}

export interface FaucetResult {
  readonly asset: string;
  readonly amount: string;
  readonly available: string;
}

/** The daily maximum of a coin per account, in USDT at its value; and in whole coins without a value. */
const WORTH_USDT_MAX = 1_000_000n;
const COINS_MAX = 10_000n;
const WORTH_SCALE = 6;
const WAITING_MAX = 1_000;

export class FaucetService {
  readonly #needs: FaucetNeeds;
  /** One grant at a time per account: the second must see the first. */
  readonly #turns = new Map<number, Promise<unknown>>();

  constructor(needs: FaucetNeeds) {
    this.#needs = needs;
  }

  async give(userId: number, request: FaucetRequest, timeMs: number): Promise<Outcome<FaucetResult, SpotRefusal>> {
    const { asset: symbol, amount, clientId } = request;
    const asset = this.#needs.pairs.findAsset(symbol);
    if (asset === undefined) return refuse({ code: "UNKNOWN_ASSET", status: 404, message: "Coin not found." });
    const amountUnits = readAmountUnits(amount, asset.scale);
    if (amountUnits === undefined) {
      const message = `amount must be above zero, with at most ${asset.scale} decimals.`;
      return refuse(describeProblem({ code: "INVALID_AMOUNT", field: "amount", message }));
    }
    const account = await this.#needs.findSpotAccount(userId);
    if (account === undefined || this.#turns.size >= WAITING_MAX) return refuse(ACCOUNT_NOT_READY);
    const before = this.#turns.get(account) ?? Promise.resolve();
    // The user's number separates callers' ids.
    const reference =
      clientId === undefined ? this.#needs.drawReference() : referenceOf(`f:${userId.toString(36)}:`, clientId);
    const turn = before.catch(() => undefined).then(() => this.#give(account, asset, amountUnits, reference, timeMs));
    this.#turns.set(account, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(account) === turn) this.#turns.delete(account);
    }
  }

  async #give(
    account: number,
    asset: MarketAsset,
    amountUnits: number,
    reference: string,
    timeMs: number,
  ): Promise<Outcome<FaucetResult, SpotRefusal>> {
    const view = await this.#needs.openView(account);
    await this.#needs.settled(view.changedSequence);
    const given = await this.#needs.sumGiven(account, asset.asset, timeMs - (timeMs % DAY_MS));
    const left = this.#dailyUnits(asset) - given;
    // A repeat of a paid request is answered by the ledger as before, however little is left today.
    if (BigInt(amountUnits) > left && !(await this.#needs.wasGiven(account, reference))) {
      const rest = formatUnits(units(left > 0n ? left : 0n), asset.scale);
      const message = `The faucet gives ${rest} ${asset.symbol} more today.`;
      return refuse({
        code: "FAUCET_EXHAUSTED",
        status: 429,
        message,
        fields: { "body.amount": message },
        retryAfterSeconds: Math.ceil((DAY_MS - (timeMs % DAY_MS)) / 1_000),
      });
    }
    const ack = await this.#needs.submit({
      kind: "transfer",
      account: RESERVES_ACCOUNT,
      to: account,
      asset: asset.asset,
      business: "faucet",
      units: amountUnits,
      reference,
    });
    if (!ack.done) return refuse(describeRefusal(ack));
    const posting = ack.events.find((event) => event.kind === "posting" && event.account === account);
    // A repeated intent posts nothing: the balance was granted before.
    const held = view.balances.get(asset.asset)?.available_units ?? 0n;
    const available = posting?.kind === "posting" ? BigInt(posting.availableUnits) : held;
    return answer({
      asset: asset.symbol,
      amount: formatUnits(units(amountUnits), asset.scale),
      available: formatUnits(units(available), asset.scale),
    });
  }

  #dailyUnits({ asset, scale }: MarketAsset): bigint {
    const one = 10n ** BigInt(scale);
    const worth = this.#needs.pairs.worthUnits(asset, one);
    if (worth === undefined || worth === 0n) return COINS_MAX * one;
    return (WORTH_USDT_MAX * 10n ** BigInt(WORTH_SCALE) * one) / worth;
  }
}
