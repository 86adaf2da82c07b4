// The other sites one can sign in or sign up through, as buttons. Nothing at all where none is configured.
import { Button } from "@clockwork/ui/button";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { useCalls } from "#session/auth-context.ts";
import { FormError } from "#session/auth-fields.tsx";
import { carriedQuery } from "#session/login-path.ts";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { leaveFor, nameOf } from "./social-flow.ts";

export function SocialButtons({ providers }: { readonly providers: readonly string[] }) {
  const text = useAuthText();
  const calls = useCalls();
  const [search] = useSearchParams();
  const [error, setError] = useState<string>();
  if (providers.length === 0) return null;
  const begin = async (provider: string) => {
    const answer = await leaveFor(await calls(), provider, { carried: carriedQuery(search), isLinking: false });
    if (!answer.ok) setError(describeFailure(text, answer));
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
            {providers.length === 1 ? text("social.with", { provider: nameOf(provider) }) : nameOf(provider)}
          </Button>
        ))}
      </div>
      <FormError>{error}</FormError>
    </>
  );
}
