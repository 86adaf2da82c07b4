// What social sign-in takes of its providers, the sign-in, users and sessions.

import type { SessionTokens } from "@clockwork/host/route";
import type { Vault } from "@clockwork/host/vault";
import type { Result } from "@clockwork/kit/result";
import type { Change, Rest } from "../security/changes.ts";
import type { Factor } from "../sessions/contract.ts";
import type { SessionService } from "../sessions/service.ts";

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

export interface SocialNeeds<Client> extends Providers, Vault, Pick<SessionService, "change"> {
  readonly rest: Rest<SocialChange>;
  readonly notify: Change<SocialChange>;
  randomId(): string;
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
}

export type SocialChange = "social-bound" | "social-removed";
