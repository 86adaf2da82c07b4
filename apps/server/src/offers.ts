// What the first parts offer all later ones: the ledger, the market and the accounts as their makers (process/ledger-part,
// market/part, accounts) fulfil them. Owns the words only.
import type { KycService } from "@clockwork/identity/kyc/service";
import type { RoleService } from "@clockwork/identity/operators/role-service";
import type { OperatorService } from "@clockwork/identity/operators/service";
import type { SecurityNeeds } from "@clockwork/identity/security/needs";
import type { SecurityService } from "@clockwork/identity/security/service";
import type { UserService } from "@clockwork/identity/users/service";
import type { Claimant, TakeReward } from "@clockwork/kit/claimant";
import type { Proposals } from "@clockwork/kit/proposal";
import type { Result } from "@clockwork/kit/result";
import type { RouteContext } from "@clockwork/kit/route";
import type { Message } from "@clockwork/messaging/messages/rules";
import type { NoticeService } from "@clockwork/messaging/notices/service";
import type { ContractService } from "@clockwork/trading/markets/contract-service";
import type { MarketService } from "@clockwork/trading/markets/service";
import type { Kysely } from "kysely";
import type { CachedAccount } from "./engine/projection/account-cache.ts";
import type { AccountResolver } from "./ledger/account-resolver.ts";
import type { LiveAccounts } from "./ledger/live-accounts.ts";
import type { ToldReader } from "./ledger/told.ts";
import type { MarketData } from "./market/data.ts";
import type { PairBook } from "./market/pairs.ts";
import type { Part, PartWith } from "./part.ts";

export interface Ledger extends PartWith<"start" | "close">, ToldReader {
  readonly accounts: AccountResolver;
  readonly live: LiveAccounts;
  /** What an account has now, never older than the last answer its owner was given. */
  readonly openView: (account: number) => Promise<CachedAccount>;
  /** Resolves when the tables hold everything up to this sequence, or after a while. */
  readonly settled: (sequence: number) => Promise<void>;
}

/** off: nothing is listed, as tests of other things want it. listed: the catalogue with books for customers alone.
 *  simulated: the same, kept alive by simulated traders. */
export type MarketMode = "off" | "listed" | "simulated";

export interface Market extends Part {
  readonly pairs: PairBook;
  readonly data: MarketData;
  readonly service: Pick<MarketService, "readRankings" | "readFavourites" | "readCandles">;
  /** What is public about perpetual contracts: calls and channels of futures and delivery are built on it. */
  readonly contracts: ContractService;
}

export interface Accounts extends Part {
  readonly users: UserService;
  readonly security: SecurityService;
  readonly kyc: KycService;
  /** The one way to tell a user something. */
  readonly notices: NoticeService;
  readonly operators: OperatorService;
  /** Asked by every part of the operators' console before an action or a look. */
  readonly roles: RoleService;
  /** Where a slice registers what needs a second person. */
  readonly proposals: Proposals;
  /** How somebody is called in the console. */
  readonly nameOf: (userId: number) => Promise<string>;
  /** For forms outside accounts that ask for the same check. */
  isCaptchaSolved(answer: Readonly<Record<string, string>> | undefined, timeMs: number): Promise<boolean>;
  /** Where the site is seen from outside. */
  readonly origin: string;
  /** Who somebody is, for whoever answers him. */
  findPerson(userId: number, timeMs: number): Promise<Person | undefined>;
  /** For slices that keep further ways into an account. */
  readonly guard: AccountGuard;
  /** Rewards that are worth money are given once to a person. */
  readonly claimants: Claimants;
  /** True when the passkey is that user's, and has just verified its user. */
  provePasskey(context: RouteContext, response: unknown, userId: number): Promise<boolean>;
  hasPasskeys(userId: number): Promise<boolean>;
  /** False while strangers have had so much sent to a mailbox that it rests; asked before each such mail. */
  mayWriteTo(contact: string, timeMs: number): Promise<boolean>;
  /** For mails to people without an account. */
  sendMail(to: string, words: Pick<Message, "kind" | "subject" | "text">): Promise<void>;
}

export interface AccountGuard extends Pick<SecurityNeeds, "change" | "isVerified"> {
  /** Encrypts. The context (whose secret, which kind) must be given again to open: rows cannot be swapped. */
  seal(plain: Uint8Array, context: string): Uint8Array;
  open(sealed: Uint8Array, context: string): Uint8Array;
  /** False while the account is frozen or gone. */
  isActive(userId: number): Promise<boolean>;
  /** True while nothing may begin to leave: the account is frozen, or withdrawals rest. */
  isHeld(userId: number): Promise<boolean>;
  /** The security version a call rests on, read before anything is proved; none once its session is over. */
  versionOf(context: RouteContext): Promise<number | undefined>;
  /**
   * One transaction for what was proved: refused when the account was frozen or its security changed since the version
   * was read. `write` uses nothing but the given connection.
   */
  changeAt<Value, Code extends string>(
    userId: number,
    version: number | undefined,
    write: (kysely: Kysely<unknown>) => Promise<Result<Value, Code>>,
  ): Promise<Result<Value, Code | "OVERTAKEN">>;
  /** Told after every session of an account was ended: whatever was remembered of it is to be asked for again. */
  onRevoked(tell: (userId: number) => void): void;
}

export interface Claimants {
  /** Who asks, from which device and address. */
  readonly of: (context: RouteContext) => Promise<Claimant>;
  /** With a verified identity. */
  readonly take: TakeReward;
  /** Without: for what is worth nothing by itself. */
  readonly mark: TakeReward;
}

/** What others may know of an account. */
export interface Person {
  readonly nickname: string;
  readonly kycLevel: number;
  readonly isOperator: boolean;
}
