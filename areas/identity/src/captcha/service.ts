// One entry point for every kind of captcha. An answer counts once. When an outside provider is unavailable the answer
// is refused: a captcha that admits on failure would be broken deliberately.
import type { CaptchaAnswer, CaptchaChallenge } from "./contract.ts";
import type { CaptchaNeeds } from "./needs.ts";
import { checkProof, makePuzzle, ZERO_BITS } from "./rules.ts";
import type { CaptchaStore } from "./store.ts";

const PRUNE_EVERY = 256;

export class CaptchaService {
  readonly #store: CaptchaStore;
  readonly #needs: CaptchaNeeds;
  readonly #zeroBits: number;
  #used = 0;

  constructor({
    store,
    needs,
    zeroBits = ZERO_BITS,
  }: {
    readonly store: CaptchaStore;
    readonly needs: CaptchaNeeds;
    readonly zeroBits?: number;
  }) {
    this.#store = store;
    this.#needs = needs;
    this.#zeroBits = zeroBits;
  }

  issue(timeMs: number): CaptchaChallenge {
    if (this.#needs.kind === "geetest" && this.#needs.provider !== undefined) {
      const { captchaId, scriptUrl } = this.#needs.provider;
      return { kind: "geetest", geetest: { captchaId, scriptUrl } };
    }
    if (this.#needs.kind !== "work") return { kind: "off" };
    return { kind: "work", work: makePuzzle(this.#needs.random(18), timeMs, this.#needs.mark, this.#zeroBits) };
  }

  async isSolved(answer: CaptchaAnswer | undefined, timeMs: number): Promise<boolean> {
    if (this.#needs.kind === "off") return true;
    if (answer === undefined) return false;
    if (this.#needs.kind === "work") return this.#isWorkDone(answer, timeMs);
    try {
      return (await this.#needs.provider?.check(answer)) === true;
    } catch (error) {
      this.#needs.report("captcha.provider.failed", { error });
      return false;
    }
  }

  async #isWorkDone(answer: CaptchaAnswer, timeMs: number): Promise<boolean> {
    const expiresMs = checkProof(answer.id ?? "", answer.nonce ?? "", timeMs, this.#needs.mark);
    if (expiresMs === undefined) return false;
    this.#used += 1;
    if (this.#used % PRUNE_EVERY === 0) await this.#store.remove(timeMs);
    return this.#store.use(answer.id ?? "", expiresMs);
  }
}
