// What identity offers all later areas: people, proofs of who somebody is, notices and operators' rights. Declarations
// alone; accounts/accounts.ts implements them.
import type { Audit } from "@clockwork/host/audit";
import type { Claimant, TakeReward } from "@clockwork/host/claimant";
import type { BaseContext, Part } from "@clockwork/host/part";
import type { Proposals } from "@clockwork/host/proposal";
import type { RouteContext } from "@clockwork/host/route";
import type { Result } from "@clockwork/kit/result";
import type { Message } from "@clockwork/messaging/messages/rules";
import type { NoticeService } from "@clockwork/messaging/notices/service";
import type { Kysely } from "kysely";
import type { KycService } from "./kyc/service.ts";
import type { RoleService } from "./operators/role-service.ts";
import type { Permissions } from "./operators/rules.ts";
import type { OperatorService } from "./operators/service.ts";
import type { SecurityNeeds } from "./security/needs.ts";
import type { SecurityService } from "./security/service.ts";
import type { UserService } from "./users/service.ts";

/** What parts are made from once there are accounts. */
export interface IdentityContext extends BaseContext {
  readonly accounts: Accounts;
  /** Where operators' actions are written down before they count. */
  readonly audit: Audit;
  /** Where a part registers what operators may do with it, before it names that in a route's scope. */
  readonly permissions: Pick<Permissions, "add">;
  /** For what an operator's route shows to some roles alone; the route's own scope says who may call it at all. */
  readonly mayOperate: (context: RouteContext, permission: string) => Promise<boolean>;
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
  /** Other accounts used from a device one of these was used from, as many as a person could have. */
  listSharing(userIds: readonly number[]): Promise<ReadonlySet<number>>;
  /** True when the passkey is that user's, and has just verified its user. */
  provePasskey(context: RouteContext, response: unknown, userId: number): Promise<boolean>;
  hasPasskeys(userId: number): Promise<boolean>;
  /** False while strangers have had so much sent to a mailbox that it rests; asked before each such mail. */
  mayWriteTo(contact: string, timeMs: number): Promise<boolean>;
  /** For mails to people without an account. */
  sendMail(to: string, words: Pick<Message, "kind" | "subject" | "text">): Promise<void>;
  /** For what is sent to many: part of the caller's transaction, which is told to the queue once it has ended. */
  readonly queue: {
    readonly hasMail: boolean;
    readonly hasPush: boolean;
    add(inside: Kysely<unknown>, message: Message): Promise<void>;
    wake(): void;
  };
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
  onRevoked(notify: (userId: number) => void): void;
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
