// What signing in through others wants: the providers' protocol, sign-in proper, the account's owner.
import type { Result } from "@clockwork/kit/result";
import type { SessionTokens } from "@clockwork/kit/route";

export interface Proof {
  readonly subject: string;
  readonly email: string;
}

export interface Providers {
  readonly names: readonly string[];
  /** The provider's page, the state it will bring back, and what must be remembered until then. */
  ask(
    provider: string,
    returnUrl: string,
  ): Promise<{ readonly url: string; readonly state: string; readonly memory: string } | undefined>;
  /** Who the provider says it is; nothing when anything about the answer is wrong. */
  redeem(provider: string, memory: string, query: string): Promise<Proof | undefined>;
}

export type Entered =
  | { readonly kind: "open"; readonly userId: number; readonly tokens: SessionTokens }
  | {
      readonly kind: "next";
      readonly next: readonly string[];
      readonly ticket: string;
      readonly sentTo?: string;
    };

export interface NewAccount {
  readonly password: string;
  readonly country?: string;
  readonly inviteCode?: string;
}

export type SignUpRefusal = "PASSWORD_INVALID" | "INVITE_UNKNOWN" | "ACCOUNT_KNOWN" | "BUSY";

export interface SocialNeeds<Client> extends Providers {
  mark(text: string, context: string): string;
  randomId(): string;
  seal(plain: Uint8Array, context: string): Uint8Array;
  open(sealed: Uint8Array, context: string): Uint8Array;
  /** Goes on as after a right password: authenticator, new device, frozen accounts. */
  enter(
    userId: number,
    client: Client,
    isKept: boolean,
    timeMs: number,
  ): Promise<Result<Entered, "ACCOUNT_FROZEN" | "TICKET_INVALID">>;
  /** True when an account here has this address. */
  isKnown(email: string): Promise<boolean>;
  /** A new account for an address somebody else has proved. */
  signUp(email: string, body: NewAccount, timeMs: number): Promise<Result<number, SignUpRefusal>>;
  isVerified(sessionId: string, timeMs: number): Promise<boolean>;
  renewSession(sessionId: string, timeMs: number): Promise<SessionTokens | null>;
  onChanged(userId: number, change: "social-bound" | "social-removed", timeMs: number): Promise<void>;
}
