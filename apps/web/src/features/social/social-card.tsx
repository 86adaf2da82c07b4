// Accounts elsewhere in the security centre: which of the configured sites sign in here, and ways to link and unlink.
import { type LinkList, SOCIAL_CALLS } from "@clockwork/identity/social/contract";
import { formatDate } from "@clockwork/kit/time";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Icon } from "@clockwork/ui/icon";
import { useState } from "react";
import { useRevalidator } from "react-router";
import { useCalls } from "#session/auth-context.ts";
import { FormError } from "#session/auth-fields.tsx";
import { useAccountText } from "#words/account-text.ts";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { leaveFor, nameOf } from "./social-flow.ts";

export interface SocialCardProps {
  readonly providers: readonly string[];
  readonly links: LinkList["links"];
  /** Requests a fresh proof. */
  readonly onStale: () => void;
}

export function SocialCard({ providers, links, onStale }: SocialCardProps) {
  const text = useAccountText();
  const words = useAuthText();
  const calls = useCalls();
  const { revalidate } = useRevalidator();
  const [error, setError] = useState<string>();
  const [asking, setAsking] = useState<string>();
  // A link to a site that is no longer configured can still be removed.
  const rows = [...new Set([...providers, ...links.map(({ provider }) => provider)])];
  if (rows.length === 0) return null;
  const link = async (provider: string) => {
    const answer = await leaveFor(await calls(), provider, { carried: "?redirectUrl=%2Fsecurity", isLinking: true });
    if (!answer.ok) setError(describeFailure(words, answer));
  };
  const unlink = async (provider: string) => {
    if (asking !== provider) {
      setAsking(provider);
      return;
    }
    setAsking(undefined);
    const answer = await (await calls()).call(SOCIAL_CALLS.unlink, { provider });
    if (answer.ok) await revalidate();
    else if (answer.code === "STEP_UP_REQUIRED") onStale();
    else setError(describeFailure(words, answer));
  };
  return (
    <Card title={text("links.title")}>
      <FormError>{error}</FormError>
      <ul>
        {rows.map((provider) => {
          const found = links.find((one) => one.provider === provider);
          const name = nameOf(provider);
          const action = text(found === undefined ? "links.link" : asking === provider ? "links.sure" : "links.unlink");
          return (
            <li key={provider} className="flex min-h-14 items-center gap-3 border-line border-b py-2 last:border-0">
              <Icon name="globe" />
              <div className="min-w-0 flex-1">
                <p className="font-medium text-ui">{name}</p>
                <p className="truncate text-[13px] text-muted">
                  {found === undefined
                    ? text("links.none")
                    : asking === provider
                      ? text("links.warn")
                      : text("links.since", { email: found.email || name, date: formatDate(found.linkedAtMs) })}
                </p>
              </div>
              <Button
                size={32}
                aria-label={`${action}: ${name}`}
                onPress={() => void (found === undefined ? link(provider) : unlink(provider))}
                className="w-[92px]"
              >
                {action}
              </Button>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
