// The ports of social sign-in: the providers' protocol, the sign-in, the account's owner.

import type { SessionTokens } from "@clockwork/host/route";
import type { Result } from "@clockwork/kit/result";
import type { Kysely } from "kysely";
import type { Factor } from "../sessions/contract.ts";

export interface Proof {
  readonly subject: string;
  readonly email: string;
}

export interface Providers {
  readonly names: readonly string[];
  /** The provider's page, the state it will return, and what must be stored until then. */
  ask(
    provider: string,
    returnUrl: string,
  ): Promise<{ readonly url: string; readonly state: string; readonly memory: string } | undefined>;
  /** The identity from the provider; undefined when anything in the answer is wrong. */
  redeem(provider: string, memory: string, query: string): Promise<Proof | undefined>;
}

export type Entered =
  | { readonly kind: "open"; readonly userId: number; readonly tokens: SessionTokens }
  | {
      readonly kind: "next";
      readonly next: readonly Factor[];
      readonly ticket: string;
      readonly sentTo?: string;
    };

export interface NewAccount {
  readonly password: string;
  readonly country?: string;
  readonly inviteCode?: string;
}

export type SignUpRefusal = "PASSWORD_INVALID" | "INVITE_UNKNOWN" | "ACCOUNT_KNOWN" | "BUSY";

/** The user and session of a change. */
export interface Caller {
  readonly userId: number;
  readonly sessionId: string;
}

export interface SocialNeeds<Client> extends Providers {
  mark(text: string, context: string): string;
  randomId(): string;
  seal(plain: Uint8Array, context: string): Uint8Array;
  open(sealed: Uint8Array, context: string): Uint8Array;
  /** Continues as after a right password: authenticator, new device, frozen accounts. */
  enter(
    userId: number,
    client: Client,
    isKept: boolean,
    timeMs: number,
  ): Promise<Result<Entered, "ACCOUNT_FROZEN" | "TICKET_INVALID">>;
  /** True when an account here has this address. */
  isKnown(email: string): Promise<boolean>;
  /** A new account for an address proved by a provider. */
  signUp(email: string, body: NewAccount, timeMs: number): Promise<Result<number, SignUpRefusal>>;
  /**
   * One transaction for a change of the account's security: refused unless the session is active and has a fresh proof,
   * and with the refusals of `write`. The session is renamed; others end or are carried over. `write` uses only the
   * given connection.
   */
  change<Value, Code extends string>(
    caller: Caller,
    rule: {
      readonly needsProof: boolean;
      readonly endsOthers: boolean;
      readonly activity: string | ((value: Value) => string);
    },
    timeMs: number,
    write: (kysely: Kysely<unknown>) => Promise<Result<Value, Code>>,
  ): Promise<
    Result<{ readonly value: Value; readonly tokens: SessionTokens }, Code | "UNAUTHENTICATED" | "STEP_UP_REQUIRED">
  >;
  /** Suspends withdrawals where the rule requires it. */
  rest(kysely: Kysely<unknown>, userId: number, change: SocialChange, timeMs: number): Promise<void>;
  /** Notifies the owner. */
  notify(userId: number, change: SocialChange, timeMs: number): Promise<void>;
}

export type SocialChange = "social-bound" | "social-removed";
