// The ports of the newsletter: a captcha, a secret, its digest, a mail.

export interface NewsletterNeeds {
  isCaptchaSolved(answer: Readonly<Record<string, string>> | undefined, timeMs: number): Promise<boolean>;
  /** An unguessable secret. */
  randomToken(): string;
  hash(text: string): string;
  /** The unsubscribe token of an address, created for each mail. */
  leaveToken(email: string): string;
  /** The address of such a token; undefined for any other text. */
  readLeaveToken(token: string): string | undefined;
  /** The one mail that is sent without a confirmed subscription: confirm, or do nothing. */
  sendConfirmation(email: string, token: string): Promise<void>;
}
