// What identity verification wants from others.
import type { GuardCode } from "@clockwork/host/refusal";
import type { Redrawn } from "@clockwork/kit/picture";
import type { Result } from "@clockwork/kit/result";
import type { Kysely } from "kysely";

/** One way to tell whether a living person stands behind the pictures. Outside providers and the local stand-in alike. */
export interface Liveness {
  /** `simulated` must be called so wherever it is shown: it examines nobody. */
  readonly kind: "simulated" | "outside";
  /** Nothing while the provider cannot be reached. */
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

/** While it lasts nobody is given a right or loses one; everything done with `inside` is one transaction. */
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
  /** Draws a picture anew, so that nothing hidden in the file survives. */
  redrawPicture(bytes: Uint8Array): Promise<Redrawn>;
  readonly liveness: Liveness;
  /** Countries nobody is verified from. */
  readonly blockedCountries: readonly string[];
  /** Nobody withdraws before the first level. */
  readonly isStrict: boolean;
  /** May this operator review, in this session, now? */
  permit(reviewer: Reviewer, timeMs: number): Promise<Result<null, GuardCode>>;
  withRights<Value>(work: (rights: ReviewRights) => Promise<Value>): Promise<Value>;
  /** How a person is called in a list; their mail address or number, shortened. */
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
