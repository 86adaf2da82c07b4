// Verification codes: minted, checked, spent. Works on receivers, not accounts: whether a receiver has an account is
// never read here, so it cannot leak.
import { timingSafeEqual } from "node:crypto";
import type { Vault } from "@clockwork/host/vault";
import { done, type Result, refused } from "@clockwork/kit/result";
import {
  CODE_DIGITS,
  CODE_MS,
  CODE_TRIES,
  CODES_PER_DAY,
  type CodePurpose,
  codeContext,
  codeKey,
  DAY_MS,
  formatCode,
  RESEND_MS,
} from "./rules.ts";
import type { CodeStore } from "./store.ts";

const PRUNE_EVERY = 256;

export interface CodeNeeds extends Pick<Vault, "mark"> {
  /** An unpredictable whole number from 0 to bound − 1. */
  randomBelow(bound: number): number;
}

export class CodeService {
  readonly #store: CodeStore;
  readonly #needs: CodeNeeds;
  #minted = 0;

  constructor({ store, needs }: { store: CodeStore; needs: CodeNeeds }) {
    this.#store = store;
    this.#needs = needs;
  }

  /** True once for the right code. A wrong one costs a try, and so does one for another subject. */
  async check(purpose: CodePurpose, receiver: string, code: string, timeMs: number, subject = ""): Promise<boolean> {
    return (await this.judge(purpose, receiver, code, timeMs, subject)) === true;
  }

  /** The same; undefined without a valid code to guess. */
  async judge(
    purpose: CodePurpose,
    receiver: string,
    code: string,
    timeMs: number,
    subject = "",
  ): Promise<boolean | undefined> {
    const key = codeKey(purpose, receiver);
    const wanted = await this.#store.takeTry(key, timeMs);
    const given = Buffer.from(this.#needs.mark(code, codeContext(key, subject)));
    if (wanted === undefined) return undefined;
    const mark = Buffer.from(wanted);
    if (mark.length !== given.length || !timingSafeEqual(mark, given)) return false;
    return this.#store.consume(key, wanted);
  }

  /** A fresh code to send; refused with the remaining seconds as detail when one was sent just before. */
  async mint(
    purpose: CodePurpose,
    receiver: string,
    timeMs: number,
    subject = "",
  ): Promise<Result<string, "CODE_TOO_SOON">> {
    const key = codeKey(purpose, receiver);
    const known = await this.#store.find(key);
    if (known !== undefined && known.day_count >= CODES_PER_DAY && timeMs - known.day_start_ms < DAY_MS) {
      return this.#wait(known.day_start_ms + DAY_MS, timeMs);
    }
    const code = formatCode(this.#needs.randomBelow(10 ** CODE_DIGITS));
    const row = {
      key,
      mark: this.#needs.mark(code, codeContext(key, subject)),
      tries_left: CODE_TRIES,
      sent_at_ms: timeMs,
      expires_at_ms: timeMs + CODE_MS,
      day_count: 1,
      day_start_ms: timeMs,
    };
    const isPut = await this.#store.put(row, timeMs - RESEND_MS, DAY_MS);
    if (!isPut) return this.#wait((known?.sent_at_ms ?? timeMs) + RESEND_MS, timeMs);
    this.#minted += 1;
    if (this.#minted % PRUNE_EVERY === 0) await this.#store.remove(timeMs - DAY_MS);
    return done(code);
  }

  #wait(untilMs: number, timeMs: number) {
    return refused("CODE_TOO_SOON", String(Math.max(1, Math.ceil((untilMs - timeMs) / 1000))));
  }
}
