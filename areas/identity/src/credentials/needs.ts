// What credentials take of users, codes, sessions and security.
import type { Vault } from "@clockwork/host/vault";
import type { AccountName } from "@clockwork/kit/account";
import type { Kysely } from "kysely";
import type { Checks } from "../codes/checks.ts";
import type { Change, Rest } from "../security/changes.ts";
import type { SecurityService } from "../security/service.ts";
import type { SessionService } from "../sessions/service.ts";
import type { UserService } from "../users/service.ts";

export interface CredentialNeeds
  extends Pick<Vault, "mark">,
    Pick<Checks, "isCaptchaSolved" | "mintCode" | "checkCode" | "sendCode" | "hashPassword" | "verifyPassword">,
    Pick<Checks, "guardTries">,
    Pick<SessionService, "change" | "revoke" | "versionOf" | "isVerified" | "knowsDevice">,
    Pick<SecurityService, "hasTotp" | "checkTotp">,
    Pick<UserService, "find" | "findByName"> {
  readonly rest: Rest<CredentialChange>;
  readonly notify: Change<CredentialChange>;
  randomId(): string;
  setPassword(kysely: Kysely<unknown>, userId: number, hash: string): Promise<void>;
  /** False when another account has it. */
  setContact(kysely: Kysely<unknown>, userId: number, name: AccountName): Promise<boolean>;
  /** Lifts the lock of wrong passwords. */
  forgiveTries(kysely: Kysely<unknown>, userId: number): Promise<void>;
}

export type CredentialChange =
  | "password-reset"
  | "password-changed"
  | "email-bound"
  | "email-changed"
  | "phone-bound"
  | "phone-changed";
