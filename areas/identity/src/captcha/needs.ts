// The ports of the captcha.
import type { CaptchaAnswer } from "./contract.ts";

export interface CaptchaProvider {
  readonly captchaId: string;
  /** The widget's script, as a page loads it. */
  readonly scriptUrl: string;
  /** Verifies the answer with the provider; rejects when it cannot be reached. */
  check(answer: CaptchaAnswer): Promise<boolean>;
}

export interface CaptchaNeeds {
  readonly kind: "off" | "work" | "geetest";
  readonly provider?: CaptchaProvider;
  /** A keyed digest. */
  mark(text: string, context: string): string;
  /** Unpredictable bytes. */
  random(length: number): Uint8Array;
  report(fact: string, fields: Readonly<Record<string, unknown>>): void;
}
