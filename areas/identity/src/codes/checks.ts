// Codes and passwords as every form checks them: after a captcha, counted, with growing pauses.
import type { Vault } from "@clockwork/host/vault";
import { type AccountName, mailboxOf } from "@clockwork/kit/account";
import { type Result, refused } from "@clockwork/kit/result";
import { HOUR_MS } from "@clockwork/kit/time";
import type { AttemptRule, RetryAfter } from "../attempts/rules.ts";
import type { AttemptService } from "../attempts/service.ts";
import type { CaptchaService } from "../captcha/service.ts";
import { FACTOR_TRIES, OUTSIDERS_TRIES } from "../sessions/rules.ts";
import type { CodePurpose } from "./rules.ts";
import type { CodeService } from "./service.ts";

/** What a sent code names in its message, and whose freezing the message offers. */
export interface CodeAbout {
  readonly userId: number;
  readonly title: string;
  readonly lines: readonly string[];
}

/** Hashes passwords; an object is returned instead while too many wait. */
export interface Passwords {
  hash(password: string): Promise<string | RetryAfter>;
  /** Verifies against an unmatchable hash when there is none: the same work for both. */
  verify(password: string, hash: string | undefined): Promise<boolean | RetryAfter>;
  /** Set when no further password can be queued, counting those ahead. */
  busy(ahead?: number): RetryAfter | undefined;
}

interface CheckParts {
  readonly captcha: CaptchaService;
  readonly codes: CodeService;
  readonly attempts: AttemptService;
  readonly vault: Vault;
  readonly passwords: Passwords;
  /** Written like any other message; a void one is sent to no one. */
  sendCode(to: AccountName, purpose: CodePurpose, code: string, isVoid?: boolean, about?: CodeAbout): Promise<void>;
}

export type Checks = ReturnType<typeof openChecks>;

export function openChecks(parts: CheckParts) {
  const { captcha, codes, passwords, sendCode } = parts;
  return {
    isCaptchaSolved: (answer: Readonly<Record<string, string>> | undefined, timeMs: number): Promise<boolean> =>
      captcha.isSolved(answer, timeMs),
    mintCode: mintCounted(parts),
    /** Without a count of its own. */
    judgeCode: codes.check.bind(codes),
    checkCode: countedCodes(parts),
    sendCode,
    hashBusy: passwords.busy.bind(passwords),
    hashPassword: passwords.hash.bind(passwords),
    verifyPassword: passwords.verify.bind(passwords),
    guardTries: guardTries(parts),
  };
}

/** The number of messages unauthenticated requests may send to a mailbox before it is suspended. */
const OUTSIDER_MAILS: AttemptRule = { triesMax: 20, lockMs: HOUR_MS };

/** Counts one such mail; defined where it must not be sent. */
export function mailRest(
  { attempts, vault }: Pick<CheckParts, "attempts" | "vault">,
  contact: string,
  timeMs: number,
): Promise<RetryAfter | undefined> {
  return attempts.spend(`mail:${vault.mark(mailboxOf(contact), "mail")}`, OUTSIDER_MAILS, timeMs);
}

/**
 * Codes requested from an account's own devices have a limit of their own: exhausting the shared one does not affect
 * the owner.
 */
function mintCounted(all: CheckParts) {
  return async (
    purpose: CodePurpose,
    receiver: string,
    timeMs: number,
    subject?: string,
  ): Promise<Result<string, "CODE_TOO_SOON">> => {
    const minted = await all.codes.mint(purpose, receiver, timeMs, subject);
    const contact = outsidersContact(purpose, receiver);
    if (!minted.done || contact === undefined) return minted;
    const rest = await mailRest(all, contact, timeMs);
    return rest === undefined ? minted : refused("CODE_TOO_SOON", String(rest.retryAfterSeconds));
  };
}

/** The receiver of a message requested without proof of ownership. */
function outsidersContact(purpose: CodePurpose, receiver: string): string | undefined {
  // A code for a new contact has the requester before the contact; one for a reset or release has the requesting device
  // or address after it.
  if (purpose === "contact") return receiver.slice(receiver.lastIndexOf(":") + 1);
  const [contact = "", place = ""] = receiver.split(" ");
  const isPlaced = purpose === "reset" || purpose === "release";
  return purpose === "sign-up" || (isPlaced && place.startsWith("address:")) ? contact : undefined;
}

/** Five wrong codes of one purpose, over all its codes, then growing pauses. */
function countedCodes({ codes, attempts }: CheckParts) {
  return async (
    purpose: CodePurpose,
    receiver: string,
    code: string,
    countedAs: string,
    timeMs: number,
    countedTogetherAs?: string,
  ): Promise<boolean | RetryAfter> => {
    const keys = [{ key: `code:${purpose}:${countedAs}`, rule: FACTOR_TRIES }];
    if (countedTogetherAs !== undefined)
      keys.push({ key: `code:${purpose}:${countedTogetherAs}`, rule: OUTSIDERS_TRIES });
    const verdict = await attempts.judgeAll(keys, timeMs, () => codes.judge(purpose, receiver, code, timeMs));
    // The wrong code that causes the lock is answered as wrong: the lock shows with the next refusal.
    return verdict.isRight ?? verdict.locked ?? false;
  };
}

/** Five wrong tries, then growing pauses; a try that could not be judged does not count. */
function guardTries({ attempts }: CheckParts) {
  return async (
    key: string,
    isRight: () => Promise<boolean | RetryAfter>,
    timeMs: number,
    together?: string,
  ): Promise<boolean | RetryAfter> => {
    let busy: RetryAfter | undefined;
    const keys = [{ key: `guard:${key}`, rule: FACTOR_TRIES }];
    if (together !== undefined) keys.push({ key: `guard:${together}`, rule: OUTSIDERS_TRIES });
    const verdict = await attempts.judgeAll(keys, timeMs, async () => {
      const judged = await isRight();
      if (typeof judged === "boolean") return judged;
      busy = judged;
      return undefined;
    });
    return verdict.isRight ?? busy ?? verdict.locked ?? { retryAfterSeconds: 1 };
  };
}
