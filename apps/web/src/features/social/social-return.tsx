// `/login-cw/social-verification`: takes the other site's answer, and without a link here lets its owner link an
// existing account or open a new one. An account is linked only after a fresh proof of its ownership.
import { type Finished, SOCIAL_CALLS } from "@clockwork/identity/social/contract";
import { Button } from "@clockwork/ui/button";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { useSitePath } from "#boot/site-link.tsx";
import { AuthCard, AuthWay } from "#session/auth-card.tsx";
import { ANYBODY, useCalls, useSession } from "#session/auth-context.ts";
import { FormError } from "#session/auth-fields.tsx";
import { returnPathOf } from "#session/login-path.ts";
import { AuthFrame } from "#shell/auth-frame.tsx";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { nameOf, type Proof, proofFlow, RETURN_PATH, visitFlow } from "./social-flow.ts";

export interface NewAccount {
  readonly password: string;
  readonly country: string;
  readonly inviteCode: string;
}

export interface SocialReturnProps {
  readonly isSignedIn: boolean;
  /** Follows an answer as a sign-in with a password would be followed. */
  readonly onFinished: (answer: Finished, carried: string) => void;
  /** A fresh proof that it is the owner, by the security feature. */
  readonly proof: (onProved: () => void) => ReactNode;
  /** The form of a new account, by the users feature; answers what is wrong with it. */
  readonly form: (
    proof: Pick<Proof, "email" | "carried">,
    onSubmit: (account: NewAccount) => Promise<string | undefined>,
  ) => ReactNode;
}

type Phase =
  | { readonly kind: "working" }
  | { readonly kind: "failed"; readonly words: string }
  /** Not signed in: whose account is it? */
  | { readonly kind: "choice" | "create"; readonly proof: Proof }
  /** Signed in: link it to this account? `stale` requests a fresh proof first. */
  | { readonly kind: "link" | "stale"; readonly proof: Proof };

const WORKING: Phase = { kind: "working" };

export function SocialReturn(props: SocialReturnProps) {
  const text = useAuthText();
  const { phase, setPhase, link, create } = useReturn(props);
  const provider = "proof" in phase ? nameOf(phase.proof.provider) : "";
  const email = "proof" in phase && phase.proof.email !== "" ? phase.proof.email : provider;
  return (
    <AuthFrame title={text("social.title")}>
      <AuthCard
        title={text(phase.kind === "create" ? "social.createTitle" : "social.title")}
        lead={describeLead(phase, text, { provider, email })}
        onBack={phase.kind === "create" ? () => setPhase({ kind: "choice", proof: phase.proof }) : undefined}
        ways={
          <AuthWay icon="lock" to={props.isSignedIn ? "/security" : "/login-cw"}>
            {text(props.isSignedIn ? "social.leave" : "social.again")}
          </AuthWay>
        }
      >
        {phase.kind === "failed" && <FormError>{phase.words}</FormError>}
        {phase.kind === "choice" && (
          <Choice proof={phase.proof} onCreate={() => setPhase({ kind: "create", proof: phase.proof })} />
        )}
        {phase.kind === "create" && props.form(phase.proof, (account) => create(phase.proof, account))}
        {phase.kind === "link" && (
          <Button kind="primary" size={48} wide onPress={() => void link(phase.proof)}>
            {text("social.link", { provider })}
          </Button>
        )}
        {phase.kind === "stale" && props.proof(() => void link(phase.proof))}
      </AuthCard>
    </AuthFrame>
  );
}

function describeLead(
  phase: Phase,
  text: ReturnType<typeof useAuthText>,
  values: { readonly provider: string; readonly email: string },
): string | undefined {
  switch (phase.kind) {
    case "working":
      return text("social.working");
    case "failed":
      return undefined;
    case "choice":
      return text(phase.proof.isKnown ? "social.known" : "social.unlinked", values);
    case "create":
      return text("social.createLead", values);
    case "link":
      return text("social.linkLead", values);
    case "stale":
      return text("social.staleLead", values);
  }
}

/** Two ways on: an account that is there, or a new one. */
function Choice({ proof, onCreate }: { readonly proof: Proof; readonly onCreate: () => void }) {
  const text = useAuthText();
  const navigate = useNavigate();
  const sitePath = useSitePath();
  const back = `?redirectUrl=${encodeURIComponent(sitePath(RETURN_PATH))}`;
  const go = (path: string) => void navigate(sitePath(path) + back);
  return (
    <div className="flex flex-col gap-2">
      <Button kind="primary" size={48} wide onPress={() => go("/login-cw")}>
        {text("social.haveOne")}
      </Button>
      {!proof.isKnown && (
        // Without an address from the other site, the ordinary registration requests one and comes back here.
        <Button size={48} wide onPress={() => (proof.email === "" ? go("/register-cw") : onCreate())}>
          {text("social.create")}
        </Button>
      )}
    </div>
  );
}

function useReturn({ isSignedIn, onFinished }: SocialReturnProps) {
  const text = useAuthText();
  const calls = useCalls();
  const session = useSession();
  const sitePath = useSitePath();
  const [phase, setPhase] = useState<Phase>(WORKING);
  const requested = useRef(false);

  const enter = async (carried: string, other: string) => {
    proofFlow.clearOnLeave();
    (await session()).enter(returnPathOf(new URLSearchParams(carried)) ?? sitePath(other));
  };
  const link = async (proof: Proof) => {
    const answer = await (await calls()).call(SOCIAL_CALLS.link, { linkTicket: proof.linkTicket });
    if (answer.ok) await enter(proof.carried, "/security");
    else if (answer.code === "STEP_UP_REQUIRED") setPhase({ kind: "stale", proof });
    else setPhase({ kind: "failed", words: describeFailure(text, answer) });
  };
  const create = async (proof: Proof, account: NewAccount): Promise<string | undefined> => {
    const { password, country, inviteCode } = account;
    const body = {
      linkTicket: proof.linkTicket,
      password,
      country: country || undefined,
      inviteCode: inviteCode || undefined,
    };
    const answer = await (await calls()).call(SOCIAL_CALLS.signUp, body, ANYBODY);
    if (!answer.ok) return describeFailure(text, answer);
    await enter(proof.carried, "/");
    return undefined;
  };
  const finish = async (visit: NonNullable<ReturnType<typeof visitFlow.read>>, query: string) => {
    const body = { secret: visit.secret, query, isLinking: visit.isLinking || undefined };
    const answer = await (await calls()).call(SOCIAL_CALLS.finish, body, ANYBODY);
    // The answer is spent; a reload must not bring it again.
    history.replaceState(history.state, "", location.pathname);
    if (!answer.ok) {
      setPhase({ kind: "failed", words: describeFailure(text, answer) });
      return;
    }
    const { linkTicket, email = "", isKnown = false } = answer.data;
    if (linkTicket === undefined) {
      onFinished(answer.data, visit.carried);
      return;
    }
    const proof = { linkTicket, email, isKnown, provider: visit.provider, carried: visit.carried };
    proofFlow.write(proof);
    if (visit.isLinking) await link(proof);
    else setPhase({ kind: isSignedIn ? "link" : "choice", proof });
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: an answer is good once
  useEffect(() => {
    if (requested.current) return;
    requested.current = true;
    const [visit, proof, query] = [visitFlow.read(), proofFlow.read(), location.search.slice(1)];
    visitFlow.clear();
    if (visit !== null && query !== "") void finish(visit, query);
    else if (proof !== null) setPhase({ kind: isSignedIn ? "link" : "choice", proof });
    else location.replace(sitePath(isSignedIn ? "/security" : "/login-cw"));
  }, []);
  return { phase, setPhase, link, create };
}
