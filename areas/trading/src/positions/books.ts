// Which of a user's accounts a futures call concerns, and who may open one: perpetuals from identity level 1, demo for
// all users. Reading opens nothing.
import { type RouteRejection, refuseAs } from "@clockwork/host/route";
import type { PartContext } from "../context.ts";
import type { Book, OwnedAccount } from "../ledger/account-resolver.ts";
import type { BookChoice } from "./account-view.ts";
import { type ContractRefusal, OWN_REFUSALS } from "./refusals.ts";

interface Wanted {
  readonly book: Book;
  /** For inverse books the coin; undefined for all of them. */
  readonly sub: number | undefined;
}

const LEVEL_NEEDED = 1;
/** A sufficient level is cached for this time: documents expire by the day. */
const LEVEL_KEPT_MS = 60_000;

export const UNKNOWN_ACCOUNT: RouteRejection<ContractRefusal> = {
  code: "UNKNOWN_ACCOUNT",
  status: 404,
  message: "Account not found.",
  fields: { "body.account": "Account not found." },
};
const IDENTITY_REQUIRED = refuseAs("IDENTITY_REQUIRED", OWN_REFUSALS.IDENTITY_REQUIRED).rejection;
const NOT_READY = refuseAs("ACCOUNT_NOT_READY", OWN_REFUSALS.ACCOUNT_NOT_READY).rejection;

export type Opened = { readonly account: number } | { readonly refusal: RouteRejection<ContractRefusal> };

export interface FuturesBooks {
  /** The existing accounts; none is opened, and nothing of them is read. */
  list(userId: number, choice: BookChoice): Promise<readonly OwnedAccount[]>;
  /**
   * The account that trades the contract, synchronously, if it is cached and may trade; undefined otherwise, which
   * proves nothing.
   */
  recall(userId: number, choice: BookChoice, settleAsset: number): number | undefined;
  /** The same, opened when permitted; otherwise the refusal. */
  open(userId: number, choice: BookChoice, settleAsset: number): Promise<Opened>;
}

export function futuresBooks({ ledger, accounts, clock }: PartContext): FuturesBooks {
  const verified = new Map<number, number>();
  const isKnown = (userId: number): boolean => clock.now() - (verified.get(userId) ?? 0) < LEVEL_KEPT_MS;
  const isVerified = async (userId: number): Promise<boolean> => {
    if (isKnown(userId)) return true;
    const nowMs = clock.now();
    if ((await accounts.kyc.levelOf(userId, nowMs)) < LEVEL_NEEDED) return false;
    verified.set(userId, nowMs);
    return true;
  };
  return {
    async list(userId, choice) {
      const wanted = bookOf(choice, undefined);
      if (wanted === undefined) return [];
      const { book, sub } = wanted;
      // A cached book needs no table; of coins there may be more than are cached.
      const known = sub === undefined ? undefined : ledger.accounts.recall(userId, book, sub);
      if (sub !== undefined && known !== undefined) return [{ account: known, userId, book, sub }];
      const owned = await ledger.accounts.list(userId);
      return owned.filter((one) => one.book === book && (sub ?? one.sub) === one.sub);
    },
    recall(userId, choice, settleAsset) {
      const wanted = bookOf(choice, settleAsset);
      if (wanted === undefined || (choice.biz !== "demo" && !isKnown(userId))) return undefined;
      return ledger.accounts.recall(userId, wanted.book, wanted.sub ?? 0);
    },
    async open(userId, choice, settleAsset) {
      const wanted = bookOf(choice, settleAsset);
      if (wanted === undefined) return { refusal: UNKNOWN_ACCOUNT };
      if (choice.biz !== "demo" && !(await isVerified(userId))) return { refusal: IDENTITY_REQUIRED };
      const { book, sub = 0 } = wanted;
      // Trading opens only the main book; leaders', copies' and bots' books are opened elsewhere.
      const isMain = choice.account === undefined || choice.account === "main";
      const account = isMain
        ? await ledger.accounts.open(userId, book, { sub })
        : await ledger.accounts.find(userId, book, sub);
      if (account !== undefined) return { account };
      return { refusal: isMain ? NOT_READY : UNKNOWN_ACCOUNT };
    },
  };
}

/** Without a coin all inverse books are selected. */
function bookOf({ biz, account = "main" }: BookChoice, settleAsset: number | undefined): Wanted | undefined {
  if (account === "main") {
    if (biz === "delivery") return { book: "inverse", sub: settleAsset };
    return { book: biz === "demo" ? "demo" : "linear", sub: 0 };
  }
  if (biz !== "futures") return undefined;
  if (account === "lead") return { book: "copyFLead", sub: 0 };
  const [kind, id] = account.split(":");
  return { book: kind === "copy" ? "copyF" : "bot", sub: Number(id) };
}
