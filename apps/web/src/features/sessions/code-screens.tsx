// `/login-cw/verification` and `/login-cw/device-verification`: the code an authenticator app shows, and the code sent
// because this browser is new to the account.
import { AuthCard } from "#session/auth-card.tsx";
import { CodeStep, LostAppWay, NoCodeWay } from "#session/auth-code-step.tsx";
import { useStepOf } from "#session/auth-flow.ts";
import { AuthMarked } from "#session/auth-marked.tsx";
import { AuthFrame } from "#shell/auth-frame.tsx";
import { useAuthText } from "#words/auth-text.ts";
import { useLoginActions } from "./login-actions.ts";
import { APP_CODE_PATH, LOGIN_PATH, loginFlow, SENT_CODE_PATH, stepOtherThan } from "./login-flow.ts";

const STEPS = 3;

const awayFromApp = stepOtherThan(APP_CODE_PATH);
const awayFromSent = stepOtherThan(SENT_CODE_PATH);

export function VerificationScreen() {
  const text = useAuthText();
  const flow = useStepOf(loginFlow, awayFromApp);
  const actions = useLoginActions();
  return (
    <AuthFrame title={text("code.totpTitle")}>
      <AuthCard
        title={text("code.totpTitle")}
        lead={text("code.totp")}
        step={{ at: STEPS, of: STEPS }}
        onBack={() => actions.go(LOGIN_PATH)}
        ways={<LostAppWay />}
      >
        <CodeStep
          onCode={async (code) => (flow === undefined ? undefined : actions.withCode(flow, "totp", code))}
          submit={text("login.submit")}
        />
      </AuthCard>
    </AuthFrame>
  );
}

export function DeviceScreen() {
  const text = useAuthText();
  const flow = useStepOf(loginFlow, awayFromSent);
  const actions = useLoginActions();
  const factor = flow?.next?.[0] === "phone" ? "phone" : "email";
  const to = flow?.sentTo ?? "";
  return (
    <AuthFrame title={text("device.title")}>
      <AuthCard
        title={text("device.title")}
        lead={to === "" ? text("device.leadUnknown") : <AuthMarked line="device.lead" mark="to" value={to} />}
        step={{ at: STEPS, of: STEPS }}
        onBack={() => actions.go(LOGIN_PATH)}
        ways={<NoCodeWay to={to} />}
      >
        <CodeStep
          onCode={async (code) => (flow === undefined ? undefined : actions.withCode(flow, factor, code))}
          submit={text("login.submit")}
          share={actions.share}
          {...(flow?.sentAtMs === undefined
            ? {}
            : { resend: { sentAtMs: flow.sentAtMs, onResend: () => actions.again(flow) } })}
        />
        <p className="mt-4 text-label text-muted">{text("device.note")}</p>
      </AuthCard>
    </AuthFrame>
  );
}
