// Signing in through another site: the buttons of those that are configured, and the page its answer comes back to.
import type { Begun, Finished } from "@clockwork/domains/social/api";
import { Button } from "@clockwork/ui/button";
import { useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router";
import { AuthCard, AuthWay } from "#frame/auth-card.tsx";
import { useCalls } from "#frame/auth-context.ts";
import { FormError } from "#frame/auth-fields.tsx";
import { createFlow } from "#frame/auth-flow.ts";
import { AuthFrame } from "#frame/auth-frame.tsx";
import { sayFailure, useAuthText } from "#frame/auth-text.ts";
import { carriedQuery } from "#frame/login-path.ts";
import { useSitePath } from "#frame/site-link.tsx";

const PATH = "/v2/users/social";
const ANYBODY = { anonymous: true } as const;
const KEEP_MS = 10 * 60_000;

interface SocialFlow {
  readonly secret: string;
  readonly provider: string;
  /** What the visitor was on the way to, since the other site does not bring it back. */
  readonly carried: string;
}

const socialFlow = createFlow<SocialFlow>("cw_social", KEEP_MS);

const NAMES: Readonly<Record<string, string>> = { google: "Google", apple: "Apple", telegram: "Telegram" };

function nameOf(provider: string): string {
  return NAMES[provider] ?? provider;
}

/** Nothing at all where no other site is configured. */
export function SocialButtons({ providers }: { readonly providers: readonly string[] }) {
  const text = useAuthText();
  const calls = useCalls();
  const [search] = useSearchParams();
  const [error, setError] = useState<string>();
  if (providers.length === 0) return null;
  const begin = async (provider: string) => {
    const answer = await (await calls()).postJson<Begun>(`${PATH}/begin`, { provider }, ANYBODY);
    if (!answer.ok) {
      setError(sayFailure(text, answer));
      return;
    }
    socialFlow.write({ secret: answer.data.secret, provider, carried: carriedQuery(search) });
    location.assign(answer.data.url);
  };
  return (
    <>
      <div className="mt-2 flex gap-2">
        {providers.map((provider) => (
          <Button
            key={provider}
            size={40}
            wide
            aria-label={text("social.with", { provider: nameOf(provider) })}
            onPress={() => void begin(provider)}
          >
            {nameOf(provider)}
          </Button>
        ))}
      </div>
      <FormError>{error}</FormError>
    </>
  );
}

export interface SocialReturnProps {
  /** Follows an answer as a sign-in with a password would be followed. */
  readonly onFinished: (answer: Finished, carried: string) => void;
}

/** `/login-cw/social-verification`: takes the other site's answer. */
export function SocialReturn({ onFinished }: SocialReturnProps) {
  const text = useAuthText();
  const calls = useCalls();
  const sitePath = useSitePath();
  const [failed, setFailed] = useState<string>();
  const asked = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an answer is good once
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    const flow = socialFlow.read();
    const query = location.search.slice(1);
    if (flow === null || query === "") {
      location.replace(sitePath("/login-cw"));
      return;
    }
    socialFlow.clear();
    const finish = async () => {
      const body = { secret: flow.secret, query };
      const answer = await (await calls()).postJson<Finished>(`${PATH}/finish`, body, ANYBODY);
      if (!answer.ok) setFailed(sayFailure(text, answer));
      else if (answer.data.linkTicket !== undefined) {
        setFailed(text("social.unlinked", { email: answer.data.email ?? nameOf(flow.provider) }));
      } else onFinished(answer.data, flow.carried);
    };
    void finish();
  }, []);
  return (
    <AuthFrame title={text("social.title")}>
      <AuthCard
        title={text("social.title")}
        lead={failed === undefined ? text("social.working") : undefined}
        ways={
          <AuthWay icon="lock" to="/login-cw">
            {text("social.again")}
          </AuthWay>
        }
      >
        <FormError>{failed}</FormError>
      </AuthCard>
    </AuthFrame>
  );
}
