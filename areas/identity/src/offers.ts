// What identity offers all later areas: users, proofs of identity, notices and operators' rights. Declarations only;
// accounts/accounts.ts implements them.
import type { Audit } from "@clockwork/host/audit";
import type { Claimant, TakeReward } from "@clockwork/host/claimant";
import type { BaseContext, Part } from "@clockwork/host/part";
import type { Proposals } from "@clockwork/host/proposal";
import type { RouteContext } from "@clockwork/host/route";
import type { Sealing } from "@clockwork/host/vault";
import type { Result } from "@clockwork/kit/result";
import type { Message } from "@clockwork/messaging/messages/rules";
import type { NoticeService } from "@clockwork/messaging/notices/service";
import type { Kysely } from "kysely";
import type { KycService } from "./kyc/service.ts";
import type { RoleService } from "./operators/role-service.ts";
import type { Permissions } from "./operators/rules.ts";
import type { OperatorService } from "./operators/service.ts";
import type { SecurityService } from "./security/service.ts";
import type { SessionService } from "./sessions/service.ts";
import type { UserService } from "./users/service.ts";

/** The context of parts made after accounts. */
export interface IdentityContext extends BaseContext {
  readonly accounts: Accounts;
  /** Where operators' actions are logged before they take effect. */
  readonly audit: Audit;
  /** Where a part registers permissions for operators, before it uses them in a route's scope. */
  readonly permissions: Pick<Permissions, "add">;
  /** For fields of an operator's route that only some roles see; the route's own scope decides who may call it. */
  readonly mayOperate: (context: RouteContext, permission: string) => Promise<boolean>;
}

export interface Accounts extends Part {
  readonly users: UserService;
  /** Nothing is sent for real: messages are read on a page of the installation. */
  readonly hasOutbox: boolean;
  readonly security: SecurityService;
  readonly kyc: KycService;
  /** The one way to notify a user. */
  readonly notices: NoticeService;
  readonly operators: OperatorService;
  /** Called by every part of the console before an action or a read. */
  readonly roles: RoleService;
  /** Where a slice registers actions that need a second person. */
  readonly proposals: Proposals;
  /** The name of a person in the console. */
  readonly nameOf: (userId: number) => Promise<string>;
  /** For forms outside accounts that require the same check. */
  isCaptchaSolved(answer: Readonly<Record<string, string>> | undefined, timeMs: number): Promise<boolean>;
  /** The public origin of the site. */
  readonly origin: string;
  /** A user's identity, for support. */
  findPerson(userId: number, timeMs: number): Promise<Person | undefined>;
  /** For slices that add ways to sign in. */
  readonly guard: AccountGuard;
  /** Rewards with a monetary value are given once per person. */
  readonly claimants: Claimants;
  /** Other accounts used from a device of one of these, up to the maximum per person. */
  listSharing(userIds: readonly number[]): Promise<ReadonlySet<number>>;
  /** Other accounts taken for the same person's: by a device, the mailbox or an identity document; at most so many of each. */
  listLinked(userId: number, limit: number): Promise<ReadonlySet<number>>;
  /** True when the passkey is that user's, and has just verified its user. */
  provePasskey(context: RouteContext, response: unknown, userId: number): Promise<boolean>;
  hasPasskeys(userId: number): Promise<boolean>;
  /** False while unauthenticated requests have exhausted the limit of a mailbox; checked before each such mail. */
  mayWriteTo(contact: string, timeMs: number): Promise<boolean>;
  /** For mails to people without an account. */
  sendMail(to: string, words: Pick<Message, "kind" | "subject" | "text">): Promise<void>;
  /** For messages to many: part of the caller's transaction; the queue is notified after its commit. */
  readonly queue: {
    readonly hasMail: boolean;
    readonly hasPush: boolean;
    /** Whether pushes to this token leave, or are kept in the outbox. */
    canPush(token: string): boolean;
    add(inside: Kysely<unknown>, message: Message): Promise<void>;
    wake(): void;
  };
}

export interface AccountGuard extends Sealing, Pick<SessionService, "change" | "isVerified"> {
  /** False while the account is frozen or missing. */
  isActive(userId: number): Promise<boolean>;
  /** True while no outgoing movement may start: the account is frozen, or withdrawals are suspended. */
  isHeld(userId: number): Promise<boolean>;
  /** The security version of a call, read before any proof; undefined once its session is over. */
  versionOf(context: RouteContext): Promise<number | undefined>;
  /**
   * One transaction for a proved change: refused when the account was frozen or its security changed since the version
   * was read. `write` uses only the given connection.
   */
  changeAt<Value, Code extends string>(
    userId: number,
    version: number | undefined,
    write: (kysely: Kysely<unknown>) => Promise<Result<Value, Code>>,
  ): Promise<Result<Value, Code | "OVERTAKEN">>;
  /** Writes into the owner's activity log what a session of theirs did, or somebody without one. */
  record(userId: number, sessionId: string | undefined, kind: string, timeMs: number): Promise<void>;
  /** Told after every session of an account was ended: whatever was remembered of it is to be asked for again. */
  onRevoked(notify: (userId: number) => void): void;
}

export interface Claimants {
  /** The user, device and address of a request. */
  readonly of: (context: RouteContext) => Promise<Claimant>;
  /** With a verified identity. */
  readonly take: TakeReward;
  /** Without an identity: for rewards without a value of their own. */
  readonly mark: TakeReward;
}

/** The public view of an account. */
export interface Person {
  readonly nickname: string;
  readonly kycLevel: number;
  readonly isOperator: boolean;
}
