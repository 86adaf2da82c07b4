// What identity verification wants from others.

export interface KycNeeds {
  seal(plain: Uint8Array, context: string): Uint8Array;
  open(sealed: Uint8Array, context: string): Uint8Array;
  mark(text: string, context: string): string;
  randomId(): string;
  /** Countries nobody is verified from. */
  readonly blockedCountries: readonly string[];
  isOperator(userId: number): Promise<boolean>;
  /** Writes an operator's deed down before it counts. */
  audit(
    operatorId: number,
    action: string,
    subject: string,
    detail: string,
    address: string,
    timeMs: number,
  ): Promise<void>;
  tell(userId: number, decision: "kyc-approved" | "kyc-rejected" | "kyc-more-info", timeMs: number): Promise<void>;
}
