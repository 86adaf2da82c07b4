// The acts of a registration as screens use them. Answers words for what went wrong, or nothing once the visitor is on
// the way.
import { USER_CALLS } from "@clockwork/identity/users/contract";
import { useNavigate, useSearchParams } from "react-router";
import { useSitePath } from "#boot/site-link.tsx";
import { useCaptcha } from "#session/auth-captcha.ts";
import { ANYBODY, useCalls, useSession } from "#session/auth-context.ts";
import { carriedQuery, returnPathOf } from "#session/login-path.ts";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { keepPassword, type RegisterFlow, readPassword, registerFlow } from "./register-flow.ts";

/** The classic and the stepwise flow differ in their addresses alone. */
export type RegisterBase = "/register" | "/register-cw";

export function useRegisterActions(base: RegisterBase) {
  const calls = useCalls();
  const session = useSession();
  const captcha = useCaptcha();
  const text = useAuthText();
  const navigate = useNavigate();
  const sitePath = useSitePath();
  const [search] = useSearchParams();

  const go = (step: "" | "/create" | "/verification") => void navigate(sitePath(base + step) + carriedQuery(search));

  const sendCode = async (flow: RegisterFlow): Promise<string | undefined> => {
    const [request, solved] = [await calls(), await captcha.solve()];
    const answer = await request.call(USER_CALLS.signUpCode, { account: flow.account, captcha: solved }, ANYBODY);
    // Too soon means that the last code is still valid: the visitor came back a step and continues.
    if (!answer.ok && answer.code !== "CODE_TOO_SOON") return describeFailure(text, answer);
    registerFlow.write({ ...flow, sentAtMs: answer.ok ? Date.now() : (flow.sentAtMs ?? Date.now()) });
    return undefined;
  };

  const withPassword = async (flow: RegisterFlow, password: string): Promise<string | undefined> => {
    keepPassword(password);
    const wrong = await sendCode(flow);
    if (wrong === undefined) go("/verification");
    return wrong;
  };

  const withCode = async (flow: RegisterFlow, code: string): Promise<string | undefined> => {
    const request = await calls();
    const body = {
      account: flow.account,
      code,
      password: readPassword(),
      country: flow.country || undefined,
      inviteCode: flow.inviteCode || undefined,
    };
    const answer = await request.call(USER_CALLS.signUp, body, ANYBODY);
    if (!answer.ok) return describeFailure(text, answer);
    registerFlow.clearOnLeave();
    // Where money and market are; its welcome also offers a passkey.
    (await session()).enter(returnPathOf(search) ?? sitePath("/overview"));
    return undefined;
  };

  return { share: captcha.share, go, sendCode, withPassword, withCode };
}
