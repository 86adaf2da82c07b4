// What passwords and contacts want from others: the account's row, codes, hashing, messages, sessions.
import type { AccountName } from "@clockwork/kit/account";
import type { Result } from "@clockwork/kit/result";
import type { SessionTokens } from "@clockwork/kit/route";

export interface Busy {
  readonly retryAfterSeconds: number;
}

export interface Owner {
  readonly id: number;
  readonly email: string | null;
  readonly phone: string | null;
  readonly password_hash: string;
}

export type CodePurpose = "reset" | "contact";

interface AccountNeeds {
  find(userId: number): Promise<Owner | undefined>;
  findByName(name: AccountName): Promise<Owner | undefined>;
  setPassword(userId: number, hash: string): Promise<void>;
  setContact(userId: number, name: AccountName): Promise<void>;
}

interface CodeNeeds {
  isCaptchaSolved(answer: Readonly<Record<string, string>> | undefined, timeMs: number): Promise<boolean>;
  mintCode(purpose: CodePurpose, receiver: string, timeMs: number): Promise<Result<string, "CODE_TOO_SOON">>;
  checkCode(purpose: CodePurpose, receiver: string, code: string, timeMs: number): Promise<boolean>;
  /** Written like any other message; a void one reaches nobody. */
  sendCode(to: AccountName, purpose: CodePurpose, code: string, isVoid: boolean, timeMs: number): Promise<void>;
}

interface PasswordNeeds {
  hashPassword(password: string): Promise<string | Busy>;
  verifyPassword(password: string, hash: string | undefined): Promise<boolean | Busy>;
}

export interface CredentialNeeds extends AccountNeeds, CodeNeeds, PasswordNeeds {
  mark(text: string, context: string): string;
  randomId(): string;
  hasTotp(userId: number): Promise<boolean>;
  checkTotp(userId: number, code: string, timeMs: number): Promise<boolean>;
  /** False while a second factor proved in this session is older than five minutes. */
  isVerified(sessionId: string, timeMs: number): Promise<boolean>;
  /** Ends every session but this one, and gives this one a new name. */
  renewAlone(userId: number, sessionId: string, timeMs: number): Promise<SessionTokens | null>;
  endSessions(userId: number): Promise<void>;
  /** Rests withdrawals and tells the owner. */
  onChanged(userId: number, change: CredentialChange, timeMs: number): Promise<void>;
  /** Counts tries of a password by its signed-in owner, or whoever sits at their desk. */
  guardTries(key: string, isRight: () => Promise<boolean | Busy>, timeMs: number): Promise<boolean | Busy>;
}

export type CredentialChange =
  | "password-reset"
  | "password-changed"
  | "email-bound"
  | "email-changed"
  | "phone-bound"
  | "phone-changed";
