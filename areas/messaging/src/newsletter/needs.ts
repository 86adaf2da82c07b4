// What the newsletter wants from others: a captcha, a secret, its digest, a mail.

export interface NewsletterNeeds {
  isCaptchaSolved(answer: Readonly<Record<string, string>> | undefined, timeMs: number): Promise<boolean>;
  /** A secret nobody can guess. */
  randomToken(): string;
  hash(text: string): string;
  /** The one mail that is sent without being asked for twice: confirm, or do nothing. */
  sendConfirmation(email: string, token: string): Promise<void>;
}
