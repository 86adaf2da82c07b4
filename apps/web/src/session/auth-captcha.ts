// AUTH-8 in the browser: a puzzle is fetched and solved when a form is sent, whatever its kind. One entry: forms
// request a solution, independent of the kind of captcha.
import { CAPTCHA_CALLS, type CaptchaAnswer, type CaptchaChallenge } from "@clockwork/identity/captcha/contract";
import { type GeetestStart, geetestSolver, workSolver } from "@clockwork/ui/logic/captcha";
import { useCallback, useEffect, useRef, useState } from "react";
import { useCalls } from "./auth-context.ts";

export interface CaptchaUse {
  /** The share of the expected work done; undefined when nothing is being solved. */
  readonly share: number | undefined;
  /** A solution for the next call; undefined when none is required or available. */
  solve(): Promise<CaptchaAnswer | undefined>;
}

export function useCaptcha(): CaptchaUse {
  const calls = useCalls();
  const [share, setShare] = useState<number>();
  const running = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const solve = useCallback(async () => {
    running.current?.abort();
    const run = new AbortController();
    running.current = run;
    const request = await calls();
    const answer = await request.call(CAPTCHA_CALLS.challenge, {}, { anonymous: true, signal: run.signal });
    if (!answer.ok) return undefined;
    try {
      return await solveChallenge(answer.data, run.signal, setShare);
    } catch {
      // Left without an answer, the call is refused with words for the reason.
      return undefined;
    } finally {
      setShare(undefined);
    }
  }, [calls]);
  return { share, solve };
}

async function solveChallenge(
  challenge: CaptchaChallenge,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<CaptchaAnswer | undefined> {
  if (challenge.kind === "work" && challenge.work !== undefined) {
    return workSolver.solve(challenge.work, { signal, onProgress });
  }
  if (challenge.kind === "geetest" && challenge.geetest !== undefined) {
    const { captchaId, scriptUrl } = challenge.geetest;
    return geetestSolver(() => loadGeetest(scriptUrl)).solve({ captchaId }, { signal, onProgress });
  }
  return undefined;
}

interface PolicyMaker {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: (url: string) => string },
  ) => { readonly createScriptURL: (url: string) => string };
}

let policy: ReturnType<PolicyMaker["createPolicy"]> | undefined;

/** The outside captcha's own script is the only one that comes from elsewhere: the server names it. */
function trustScript(url: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: PolicyMaker };
  policy ??= trustedTypes?.createPolicy("captcha", { createScriptURL: (text) => text });
  return policy?.createScriptURL(url) ?? url;
}

function loadGeetest(scriptUrl: string): Promise<GeetestStart> {
  const page = globalThis as { initGeetest4?: GeetestStart };
  if (page.initGeetest4 !== undefined) return Promise.resolve(page.initGeetest4);
  return new Promise((done, fail) => {
    const script = document.createElement("script");
    script.src = trustScript(scriptUrl);
    script.onload = () =>
      page.initGeetest4 === undefined ? fail(new Error("CAPTCHA_FAILED")) : done(page.initGeetest4);
    script.onerror = () => fail(new Error("CAPTCHA_FAILED"));
    document.head.append(script);
  });
}
