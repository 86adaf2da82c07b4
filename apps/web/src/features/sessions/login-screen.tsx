// `/login-cw`: the account, then the password, one step per screen on one route. A reload in the second step continues
// while the tab stores the account, and restarts otherwise.
import { SESSION_CALLS } from "@clockwork/identity/sessions/contract";
import { Icon } from "@clockwork/ui/icon";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { PasswordField } from "@clockwork/ui/password-field";
import { type ReactNode, Suspense, useEffect, useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { SiteLink, useSitePath } from "#boot/site-link.tsx";
import { lazy } from "#boot/timeout.ts";
import { AuthCard, AuthOr } from "#session/auth-card.tsx";
import { ANYBODY, useCalls } from "#session/auth-context.ts";
import { AccountField, AuthForm, AuthSubmit, checkAccount, FieldRoom } from "#session/auth-fields.tsx";
import { useFlow } from "#session/auth-flow.ts";
import { AuthMarked } from "#session/auth-marked.tsx";
import { carriedQuery, ENDED_QUERY } from "#session/login-path.ts";
import { AuthFrame } from "#shell/auth-frame.tsx";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { useLoginActions } from "./login-actions.ts";
import { loginFlow } from "./login-flow.ts";

/** The QR code's drawing is fetched on demand. */
const QrLogin = lazy(() => import("./qr-screens.tsx").then((module) => ({ default: module.QrLogin })));

const STEPS = 3;

export interface LoginScreenProps {
  /** Other sites to sign in through, by another feature. */
  readonly others: ReactNode;
}

export function LoginScreen({ others }: LoginScreenProps) {
  const text = useAuthText();
  const [search] = useSearchParams();
  const step = search.get("step");
  const title = step === "password" ? "login.passwordTitle" : step === "scan" ? "qr.title" : "login.title";
  return (
    <AuthFrame title={text(title)} offer="register">
      {step === "password" ? (
        <PasswordStep />
      ) : step === "scan" ? (
        <Suspense fallback={<QrRoom />}>
          <QrLogin />
        </Suspense>
      ) : (
        <AccountStep others={others} />
      )}
    </AuthFrame>
  );
}

/** The picture's card while its drawing is on the way. */
function QrRoom() {
  const text = useAuthText();
  return (
    <AuthCard title={text("qr.title")} lead={text("qr.lead")}>
      <span className="block h-[200px]" />
    </AuthCard>
  );
}

/** The same route with the second step in its query. */
function useStepPath(): (step?: "password" | "scan") => string {
  const [search] = useSearchParams();
  const sitePath = useSitePath();
  return (step) => {
    const carried = carriedQuery(search);
    const query = step === undefined ? carried : `${carried === "" ? "?" : `${carried}&`}step=${step}`;
    return sitePath("/login-cw") + query;
  };
}

function AccountStep({ others }: LoginScreenProps) {
  const text = useAuthText();
  const calls = useCalls();
  const navigate = useNavigate();
  const stepPath = useStepPath();
  const [account, setAccount] = useState("");
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    const wrong = checkAccount(text, account);
    setError(wrong);
    if (wrong !== undefined || busy) return;
    setBusy(true);
    const answer = await (await calls()).call(SESSION_CALLS.loginTypes, { account: account.trim() }, ANYBODY);
    setBusy(false);
    if (!answer.ok) {
      setError(describeFailure(text, answer));
      return;
    }
    loginFlow.write({ account: account.trim() });
    void navigate(stepPath("password"));
  };
  return (
    <AuthCard title={text("login.title")} step={{ at: 1, of: STEPS }} aside={<ScanLink />}>
      <EndedNote />
      <AuthForm onSubmit={() => void submit()}>
        <AccountField
          value={account}
          error={error}
          autoFocus
          onChange={(value) => {
            setAccount(value);
            setError(undefined);
          }}
          onBlur={() => account !== "" && setError(checkAccount(text, account))}
        />
        <div className="mt-5">
          <AuthSubmit busy={busy}>{text("step.continue")}</AuthSubmit>
        </div>
      </AuthForm>
      <AuthOr />
      <OtherWays />
      {others}
      <LostAccess />
    </AuthCard>
  );
}

/** Why a signed-in user must sign in again. */
export function EndedNote() {
  const text = useAuthText();
  const [search] = useSearchParams();
  if (search.get(ENDED_QUERY) !== "1") return null;
  return (
    <p role="status" className="mb-4 rounded-control bg-info-soft px-3.5 py-2.5 text-[13px] text-info">
      {text("login.ended")}
    </p>
  );
}

/** Another device that is signed in may let this one in. */
export function ScanLink() {
  const text = useAuthText();
  const stepPath = useStepPath();
  return (
    <Link to={stepPath("scan")} className={buttonClass({ kind: "neutral", size: 32 })}>
      <Icon name="qr" />
      {text("login.scan")}
    </Link>
  );
}

export function OtherWays() {
  const text = useAuthText();
  const [search] = useSearchParams();
  return (
    <SiteLink to={`/login-cw/passkey${carriedQuery(search)}`} className={SECOND_WAY}>
      <Icon name="fingerprint" />
      {text("login.passkey")}
    </SiteLink>
  );
}

/** Everything below the main button leads elsewhere and keeps the way back. */
function LostAccess() {
  const text = useAuthText();
  const [search] = useSearchParams();
  return (
    <p className="mt-6 text-center text-[13px] text-muted">
      {text("login.lost")}{" "}
      <SiteLink
        to={`/forget-cw${carriedQuery(search)}`}
        className="rounded-xs font-semibold text-text hover:text-accent dark:hover:text-text"
      >
        {text("login.reset")}
      </SiteLink>
    </p>
  );
}

function PasswordStep() {
  const text = useAuthText();
  const flow = useFlow(loginFlow);
  const navigate = useNavigate();
  const stepPath = useStepPath();
  const actions = useLoginActions();
  const [password, setPassword] = useState("");
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [frozen, setFrozen] = useState(false);
  const first = stepPath();
  useEffect(() => {
    if (flow === null) void navigate(first, { replace: true });
  }, [flow, navigate, first]);
  const submit = async () => {
    if (busy || flow === null || flow === undefined) return;
    if (password === "") {
      setError(text("password.required"));
      return;
    }
    setBusy(true);
    setError(undefined);
    const refused = await actions.withPassword(flow.account, password, false);
    if (refused === undefined) return;
    setBusy(false);
    setError(refused.words);
    setFrozen(refused.code === "ACCOUNT_FROZEN");
  };
  return (
    <AuthCard
      title={text("login.passwordTitle")}
      step={{ at: 2, of: STEPS }}
      onBack={() => void navigate(first)}
      lead={<AuthMarked line="login.as" mark="account" value={flow?.account} />}
    >
      <AuthForm onSubmit={() => void submit()}>
        {/* Password managers look for the name next to the password. */}
        <input type="text" autoComplete="username" value={flow?.account ?? ""} readOnly hidden />
        <FieldRoom>
          <PasswordField
            label={text("password.label")}
            size={48}
            autoFocus
            value={password}
            error={error}
            onChange={(value) => {
              setPassword(value);
              setError(undefined);
            }}
            labelAside={<ForgotLink />}
          />
        </FieldRoom>
        <div className="mt-5">
          <AuthSubmit busy={busy} share={actions.share}>
            {text("login.submit")}
          </AuthSubmit>
        </div>
      </AuthForm>
      {frozen && <ReleaseLink />}
    </AuthCard>
  );
}

/** The link for a user who froze the account. */
export function ReleaseLink() {
  const text = useAuthText();
  return (
    <SiteLink to="/account/release" className={`mt-3 ${SECOND_WAY}`}>
      {text("release.title")}
    </SiteLink>
  );
}

export function ForgotLink() {
  const text = useAuthText();
  const [search] = useSearchParams();
  return (
    <SiteLink
      to={`/forget-cw${carriedQuery(search)}`}
      className="rounded-xs font-medium text-text hover:text-accent dark:hover:text-text"
    >
      {text("password.forgot")}
    </SiteLink>
  );
}

/** The look of a second way on a card. */
export const SECOND_WAY = buttonClass({ kind: "neutral", size: 48, wide: true });
