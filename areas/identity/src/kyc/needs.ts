// The ports of identity verification.
import type { GuardCode } from "@clockwork/host/refusal";
import type { Redrawn } from "@clockwork/kit/picture";
import type { Result } from "@clockwork/kit/result";
import type { Kysely } from "kysely";

/** A liveness check: an outside provider or the simulated one. */
export interface Liveness {
  /** `simulated` must be labelled as such wherever it is shown: it examines no one. */
  readonly kind: "simulated" | "outside";
  /** Undefined while the provider is unavailable. */
  begin(
    userId: number,
  ): Promise<{ readonly token: string; readonly url?: string; readonly steps?: readonly string[] } | undefined>;
  judge(token: string, answers: readonly string[]): Promise<"passed" | "failed" | "waiting" | undefined>;
}

export interface Reviewer {
  readonly userId: number;
  readonly sessionId: string;
  readonly address: string;
}

/** Rights are unchanged while it is held; everything done with `inside` is one transaction. */
export interface ReviewRights {
  readonly inside: Kysely<unknown>;
  mayReview(userId: number): Promise<boolean>;
  record(
    entry: {
      readonly operatorId: number;
      readonly action: string;
      readonly subject: string;
      readonly detail: string;
      readonly address: string;
    },
    timeMs: number,
  ): Promise<void>;
}

export interface KycNeeds {
  seal(plain: Uint8Array, context: string): Uint8Array;
  open(sealed: Uint8Array, context: string): Uint8Array;
  mark(text: string, context: string): string;
  randomId(): string;
  /** Re-encodes a picture, so that nothing hidden in the file survives. */
  redrawPicture(bytes: Uint8Array): Promise<Redrawn>;
  readonly liveness: Liveness;
  /** Countries that cannot be verified. */
  readonly blockedCountries: readonly string[];
  /** Withdrawals require the first level. */
  readonly isStrict: boolean;
  /** May this operator review, in this session, now? */
  permit(reviewer: Reviewer, timeMs: number): Promise<Result<null, GuardCode>>;
  withRights<Value>(work: (rights: ReviewRights) => Promise<Value>): Promise<Value>;
  /** The name of a person in a list; their mail address or number, shortened. */
  nameOf(userId: number): Promise<string>;
  /** Writes an operator's action down before it counts. */
  audit(
    operatorId: number,
    action: string,
    subject: string,
    detail: string,
    address: string,
    timeMs: number,
  ): Promise<void>;
  notify(
    userId: number,
    decision: "kyc-approved" | "kyc-rejected" | "kyc-more-info",
    reason: string,
    timeMs: number,
  ): Promise<void>;
}
