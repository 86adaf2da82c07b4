// One door for every kind of captcha. An answer counts once. When an outside provider cannot be reached the answer is
// refused: a captcha that opens when it breaks would be broken on purpose.
import type { CaptchaAnswer, CaptchaChallenge } from "./api.ts";
import type { CaptchaNeeds } from "./needs.ts";
import { checkProof, makePuzzle, ZERO_BITS } from "./rules.ts";
import type { CaptchaStore } from "./store.ts";

export interface CaptchaService {
  issue(timeMs: number): CaptchaChallenge;
  isSolved(answer: CaptchaAnswer | undefined, timeMs: number): Promise<boolean>;
}

const FORGET_EVERY = 256;

export function captchaService(parts: {
  readonly store: CaptchaStore;
  readonly needs: CaptchaNeeds;
  readonly zeroBits?: number;
}): CaptchaService {
  const { store, needs } = parts;
  let used = 0;

  const isWorkDone = async (answer: CaptchaAnswer, timeMs: number): Promise<boolean> => {
    const expiresMs = checkProof(answer.id ?? "", answer.nonce ?? "", timeMs, needs.mark);
    if (expiresMs === undefined) return false;
    used += 1;
    if (used % FORGET_EVERY === 0) await store.forget(timeMs);
    return store.use(answer.id ?? "", expiresMs);
  };

  return {
    issue(timeMs) {
      if (needs.kind === "geetest" && needs.provider !== undefined) {
        const { captchaId, scriptUrl } = needs.provider;
        return { kind: "geetest", geetest: { captchaId, scriptUrl } };
      }
      if (needs.kind !== "work") return { kind: "off" };
      return { kind: "work", work: makePuzzle(needs.random(18), timeMs, needs.mark, parts.zeroBits ?? ZERO_BITS) };
    },
    async isSolved(answer, timeMs) {
      if (needs.kind === "off") return true;
      if (answer === undefined) return false;
      if (needs.kind === "work") return isWorkDone(answer, timeMs);
      try {
        return (await needs.provider?.check(answer)) === true;
      } catch (error) {
        needs.report("captcha.provider.failed", { error });
        return false;
      }
    },
  };
}
