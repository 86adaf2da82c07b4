// One door for every kind of captcha: a solver turns a challenge into an answer for the server.
// The embedded proof of work is here; an outside provider comes in through the same door.

import { solveWork, type WorkChallenge } from "./proof-of-work.ts";

/** Sent to the server unchanged; the server stores the kind it requested. */
export type CaptchaAnswer = Readonly<Record<string, string>>;

export interface CaptchaRun {
  readonly signal: AbortSignal;
  readonly onProgress: (share: number) => void;
}

export interface CaptchaSolver<Challenge> {
  readonly kind: string;
  /** Rejects when stopped or failed; the widget then offers to try again. */
  solve(challenge: Challenge, run: CaptchaRun): Promise<CaptchaAnswer>;
}

export const workSolver: CaptchaSolver<WorkChallenge> = {
  kind: "work",
  solve: async (challenge, run) => ({ ...(await solveWork(challenge, run)) }),
};

// GeeTest, version 4: only the part of its script that is used. The script is loaded by the application when configured.

export interface GeetestChallenge {
  readonly captchaId: string;
  readonly language?: string | undefined;
}

export interface GeetestWindow {
  onReady(listener: () => void): GeetestWindow;
  onSuccess(listener: () => void): GeetestWindow;
  onError(listener: () => void): GeetestWindow;
  onClose(listener: () => void): GeetestWindow;
  showCaptcha(): void;
  getValidate(): CaptchaAnswer | false;
  destroy?(): void;
}

export type GeetestStart = (
  config: { readonly captchaId: string; readonly product: "bind"; readonly language?: string },
  ready: (shown: GeetestWindow) => void,
) => void;

export function geetestSolver(loadStart: () => Promise<GeetestStart>): CaptchaSolver<GeetestChallenge> {
  return {
    kind: "geetest",
    solve: async (challenge, run) => {
      const start = await loadStart();
      run.signal.throwIfAborted();
      const language = challenge.language === undefined ? {} : { language: challenge.language };
      return new Promise((resolve, reject) => {
        start({ captchaId: challenge.captchaId, product: "bind", ...language }, (shown) => {
          const fail = (code: string) => {
            shown.destroy?.();
            reject(new Error(code));
          };
          run.signal.addEventListener("abort", () => fail("CAPTCHA_STOPPED"), { once: true });
          shown
            .onReady(() => shown.showCaptcha())
            .onError(() => fail("CAPTCHA_FAILED"))
            .onClose(() => fail("CAPTCHA_CLOSED"))
            .onSuccess(() => {
              const answer = shown.getValidate();
              shown.destroy?.();
              if (answer === false) reject(new Error("CAPTCHA_FAILED"));
              else resolve(answer);
            });
        });
      });
    },
  };
}
