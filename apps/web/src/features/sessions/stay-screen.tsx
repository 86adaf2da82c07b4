// `/operation-cw/stay-signed-in`: shown once after a sign-in, then redirects to the visitor's target.
import { SESSION_CALLS } from "@clockwork/identity/sessions/contract";
import { Button } from "@clockwork/ui/button";
import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { useSitePath } from "#boot/site-link.tsx";
import { AuthCard } from "#session/auth-card.tsx";
import { useCalls, useSession } from "#session/auth-context.ts";
import { FormError } from "#session/auth-fields.tsx";
import { returnPathOf } from "#session/login-path.ts";
import { AuthFrame } from "#shell/auth-frame.tsx";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { loginFlow } from "./login-flow.ts";

export function StayScreen() {
  const text = useAuthText();
  const calls = useCalls();
  const session = useSession();
  const home = useSitePath()("/");
  const [search] = useSearchParams();
  const [busy, setBusy] = useState<"yes" | "no">();
  const [error, setError] = useState<string>();
  const target = returnPathOf(search) ?? home;
  useEffect(() => loginFlow.clear(), []);
  const choose = async (stay: boolean) => {
    setBusy(stay ? "yes" : "no");
    const answer = await (await calls()).call(SESSION_CALLS.stay, { stay });
    if (answer.ok) {
      (await session()).enter(target);
      return;
    }
    setBusy(undefined);
    setError(describeFailure(text, answer));
  };
  return (
    <AuthFrame title={text("stay.title")}>
      <AuthCard title={text("stay.title")} lead={text("stay.lead")}>
        <FormError>{error}</FormError>
        <div className="flex flex-col gap-2">
          <Button kind="primary" size={48} wide busy={busy === "yes"} onPress={() => void choose(true)}>
            {text("stay.yes")}
          </Button>
          <Button kind="neutral" size={48} wide busy={busy === "no"} onPress={() => void choose(false)}>
            {text("stay.no")}
          </Button>
        </div>
      </AuthCard>
    </AuthFrame>
  );
}
