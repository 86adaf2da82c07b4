// The acts of a sign-in as screens use them: try a password, bring a code, go where the answer leads. Answers words for
// what went wrong, or nothing once the visitor is on the way.

import { type LoginAnswer, type LoginBody, SESSION_CALLS } from "@clockwork/identity/sessions/contract";
import { useNavigate, useSearchParams } from "react-router";
import { useSitePath } from "#boot/site-link.tsx";
import { useCaptcha } from "#session/auth-captcha.ts";
import { ANYBODY, useCalls, useSession } from "#session/auth-context.ts";
import { carriedQuery, returnPathOf } from "#session/login-path.ts";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { readDeviceRecord } from "./auth-device.ts";
import { type LoginFlow, loginFlow, nextStep } from "./login-flow.ts";

export interface Refused {
  readonly words: string;
  readonly code: number | string;
}

/** Where the answers of a sign-in lead. */
export function useLoginRoute() {
  const session = useSession();
  const navigate = useNavigate();
  const sitePath = useSitePath();
  const [search] = useSearchParams();
  const carried = carriedQuery(search);
  const go = (path: string, replace = false, query = carried) => void navigate(sitePath(path) + query, { replace });
  /** Follows an answer to its next step; the last one prompts to keep the session. */
  const follow = (account: string, answer: LoginAnswer, stays: boolean, query = carried) => {
    const step = nextStep(answer);
    if (step !== undefined) {
      const { ticket, next, sentTo } = answer;
      loginFlow.write({
        account,
        sentAtMs: Date.now(),
        ...(stays ? { stays } : {}),
        ...(ticket === undefined ? {} : { ticket }),
        ...(next === undefined ? {} : { next }),
        ...(sentTo === undefined ? {} : { sentTo }),
      });
      go(step, false, query);
      return;
    }
    loginFlow.clearOnLeave();
    if (stays) void session().then((control) => control.enter(returnPathOf(search) ?? sitePath("/")));
    else go("/operation-cw/stay-signed-in", true, query);
  };
  return { go, follow };
}

export function useLoginActions() {
  const calls = useCalls();
  const captcha = useCaptcha();
  const text = useAuthText();
  const { go, follow } = useLoginRoute();

  const withPassword = async (account: string, password: string, stays: boolean): Promise<Refused | undefined> => {
    const [request, solved, device] = [await calls(), await captcha.solve(), await readDeviceRecord()];
    const body: LoginBody = {
      account,
      password,
      ...(solved === undefined ? {} : { captcha: solved }),
      ...(device === undefined ? {} : { device }),
      ...(stays ? { staySignedIn: true } : {}),
    };
    const answer = await request.call(SESSION_CALLS.login, body, ANYBODY);
    if (!answer.ok) return { words: describeFailure(text, answer), code: answer.code };
    follow(account, answer.data, stays);
    return undefined;
  };

  const withCode = async (
    flow: LoginFlow,
    factor: "totp" | "email" | "phone",
    code: string,
  ): Promise<string | undefined> => {
    const request = await calls();
    const body = {
      ticket: flow.ticket ?? "",
      codes: { [factor]: code },
      ...(flow.stays === true ? { staySignedIn: true } : {}),
    };
    const answer = await request.call(SESSION_CALLS.login, body, ANYBODY);
    if (answer.ok) {
      follow(flow.account, answer.data, flow.stays === true);
      return undefined;
    }
    return describeFailure(text, answer);
  };

  const again = async (flow: LoginFlow): Promise<string | undefined> => {
    const [request, solved] = [await calls(), await captcha.solve()];
    const answer = await request.call(SESSION_CALLS.loginCode, { ticket: flow.ticket ?? "", captcha: solved }, ANYBODY);
    if (answer.ok) loginFlow.write({ ...flow, sentTo: answer.data.sentTo, sentAtMs: Date.now() });
    return answer.ok ? undefined : describeFailure(text, answer);
  };

  return { share: captcha.share, go, withPassword, withCode, again };
}
