// `/login-cw/passkey`, `/operation-cw/enable-passkey` and `/bind-passkey-verification`: signing in with a passkey,
// making one, and the fresh proof that making one may need.
import { PASSKEY_CALLS } from "@clockwork/identity/passkeys/contract";
import { Button } from "@clockwork/ui/button";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { useSitePath } from "#boot/site-link.tsx";
import { AuthCard, AuthWay } from "#session/auth-card.tsx";
import { ANYBODY, useCalls, useSession } from "#session/auth-context.ts";
import { FormError } from "#session/auth-fields.tsx";
import { carriedQuery, returnPathOf } from "#session/login-path.ts";
import { createPasskey, hasPasskeys, showPasskey } from "#session/passkey-credential.ts";
import { AuthFrame } from "#shell/auth-frame.tsx";
import { type AuthText, describeFailure, useAuthText } from "#words/auth-text.ts";

/** Two different reasons, and what to do about each. */
function describeNoPasskeys(text: AuthText): string {
  const isNumeric = !/[a-z]/i.test(location.hostname);
  return isNumeric ? text("passkey.numeric", { host: location.hostname }) : text("passkey.unsupported");
}

function useRoute() {
  const navigate = useNavigate();
  const sitePath = useSitePath();
  const [search] = useSearchParams();
  const carried = carriedQuery(search);
  return {
    carried,
    target: returnPathOf(search) ?? sitePath("/"),
    go: (path: string, replace = false) => void navigate(sitePath(path) + carried, { replace }),
  };
}

export function PasskeyLogin() {
  const text = useAuthText();
  const calls = useCalls();
  const transport = useRoute();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const requested = useRef(false);
  const start = async () => {
    if (!hasPasskeys()) {
      setError(describeNoPasskeys(text));
      return;
    }
    setBusy(true);
    setError(undefined);
    const request = await calls();
    const challenge = await request.call(PASSKEY_CALLS.challenge, {}, ANYBODY);
    const shown = challenge.ok ? await showPasskey(challenge.data.options) : undefined;
    const answer =
      shown === undefined ? undefined : await request.call(PASSKEY_CALLS.login, { response: shown }, ANYBODY);
    if (answer?.ok === true) {
      transport.go("/operation-cw/stay-signed-in", true);
      return;
    }
    setBusy(false);
    const failed = answer ?? (challenge.ok ? undefined : challenge);
    setError(failed === undefined || failed.ok ? text("passkey.cancelled") : describeFailure(text, failed));
  };
  // The visitor opened this screen for it: the browser's own prompt opens at once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the screen opens
  useEffect(() => {
    if (requested.current) return;
    requested.current = true;
    void start();
  }, []);
  return (
    <AuthFrame title={text("passkey.title")} offer="register">
      <AuthCard
        title={text("passkey.title")}
        lead={text("passkey.lead")}
        onBack={() => transport.go("/login-cw")}
        ways={
          <AuthWay icon="lock" to={`/login-cw${transport.carried}`}>
            {text("passkey.password")}
          </AuthWay>
        }
      >
        <FormError>{error}</FormError>
        <Button kind="primary" size={48} wide icon="fingerprint" busy={busy} onPress={() => void start()}>
          {text("passkey.start")}
        </Button>
      </AuthCard>
    </AuthFrame>
  );
}

export function EnablePasskey() {
  const text = useAuthText();
  const calls = useCalls();
  const session = useSession();
  const transport = useRoute();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const leave = () => void session().then((control) => control.enter(transport.target));
  const make = async () => {
    if (!hasPasskeys()) {
      setError(describeNoPasskeys(text));
      return;
    }
    setBusy(true);
    setError(undefined);
    const request = await calls();
    const challenge = await request.call(PASSKEY_CALLS.bindChallenge, {});
    if (!challenge.ok && challenge.code === "STEP_UP_REQUIRED") {
      transport.go("/bind-passkey-verification");
      return;
    }
    const made = challenge.ok ? await createPasskey(challenge.data.options) : undefined;
    const answer = made === undefined ? undefined : await request.call(PASSKEY_CALLS.bind, { response: made });
    if (answer?.ok === true) {
      leave();
      return;
    }
    setBusy(false);
    const failed = answer ?? (challenge.ok ? undefined : challenge);
    setError(failed === undefined || failed.ok ? text("passkey.cancelled") : describeFailure(text, failed));
  };
  return (
    <AuthFrame title={text("passkey.enableTitle")}>
      <AuthCard title={text("passkey.enableTitle")} lead={text("passkey.enableLead")}>
        <FormError>{error}</FormError>
        <div className="flex flex-col gap-2">
          <Button kind="primary" size={48} wide icon="fingerprint" busy={busy} onPress={() => void make()}>
            {text("passkey.enable")}
          </Button>
          <Button size={48} wide onPress={leave}>
            {text("passkey.later")}
          </Button>
        </div>
      </AuthCard>
    </AuthFrame>
  );
}

/** The proof itself belongs to the security feature, which reports when it is given. */
export function BindVerification({ proof }: { readonly proof: (onProved: () => void) => ReactNode }) {
  const text = useAuthText();
  const transport = useRoute();
  return (
    <AuthFrame title={text("passkey.bindTitle")}>
      <AuthCard
        title={text("passkey.bindTitle")}
        lead={text("passkey.bindLead")}
        onBack={() => transport.go("/operation-cw/enable-passkey")}
      >
        {proof(() => transport.go("/operation-cw/enable-passkey", true))}
      </AuthCard>
    </AuthFrame>
  );
}
