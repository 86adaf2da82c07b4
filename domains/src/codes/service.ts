// Verification codes: minted, checked, spent. Knows receivers, not accounts: whether anybody is behind a receiver is
// never asked here, so it can never be told.
import { timingSafeEqual } from "node:crypto";
import { done, type Result, refused } from "@clockwork/kit/result";
import type { CodeNeeds } from "./needs.ts";
import {
  CODE_DIGITS,
  CODE_MS,
  CODE_TRIES,
  CODES_PER_DAY,
  type CodePurpose,
  codeKey,
  DAY_MS,
  formatCode,
  RESEND_MS,
} from "./rules.ts";
import type { CodeStore } from "./store.ts";

export interface CodeService {
  /** A fresh code to send; refused with the seconds to wait as detail when one was sent a moment ago. */
  mint(purpose: CodePurpose, receiver: string, timeMs: number): Promise<Result<string, "CODE_TOO_SOON">>;
  /** True once for the right code. A wrong one costs a try. */
  check(purpose: CodePurpose, receiver: string, code: string, timeMs: number): Promise<boolean>;
  /** The same; nothing when there is no living code that could be guessed. */
  judge(purpose: CodePurpose, receiver: string, code: string, timeMs: number): Promise<boolean | undefined>;
}

const FORGET_EVERY = 256;

export function codeService({ store, needs }: { store: CodeStore; needs: CodeNeeds }): CodeService {
  let minted = 0;
  const wait = (untilMs: number, timeMs: number) =>
    refused("CODE_TOO_SOON", String(Math.max(1, Math.ceil((untilMs - timeMs) / 1000))));

  const judge: CodeService["judge"] = async (purpose, receiver, code, timeMs) => {
    const key = codeKey(purpose, receiver);
    const wanted = await store.takeTry(key, timeMs);
    const given = Buffer.from(needs.mark(code, `code:${key}`));
    if (wanted === undefined) return undefined;
    const mark = Buffer.from(wanted);
    if (mark.length !== given.length || !timingSafeEqual(mark, given)) return false;
    return store.consume(key, wanted);
  };

  return {
    judge,
    check: async (purpose, receiver, code, timeMs) => (await judge(purpose, receiver, code, timeMs)) === true,
    async mint(purpose, receiver, timeMs) {
      const key = codeKey(purpose, receiver);
      const known = await store.find(key);
      if (known !== undefined && known.day_count >= CODES_PER_DAY && timeMs - known.day_start_ms < DAY_MS) {
        return wait(known.day_start_ms + DAY_MS, timeMs);
      }
      const code = formatCode(needs.randomBelow(10 ** CODE_DIGITS));
      const row = {
        key,
        mark: needs.mark(code, `code:${key}`),
        tries_left: CODE_TRIES,
        sent_at_ms: timeMs,
        expires_at_ms: timeMs + CODE_MS,
        day_count: 1,
        day_start_ms: timeMs,
      };
      const isPut = await store.put(row, timeMs - RESEND_MS, DAY_MS);
      if (!isPut) return wait((known?.sent_at_ms ?? timeMs) + RESEND_MS, timeMs);
      minted += 1;
      if (minted % FORGET_EVERY === 0) await store.forget(timeMs - DAY_MS);
      return done(code);
    },
  };
}
