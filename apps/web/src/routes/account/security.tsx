// The security centre: overview and sessions, fetched together.

import { type KeyList, PASSKEY_CALLS } from "@clockwork/identity/passkeys/contract";
import { type Overview, SECURITY_CALLS } from "@clockwork/identity/security/contract";
import { SESSION_CALLS, type SessionList } from "@clockwork/identity/sessions/contract";
import { type LinkList, SOCIAL_CALLS } from "@clockwork/identity/social/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { PasskeyCard } from "../../features/passkeys/passkey-card.tsx";
import { SecurityPage } from "../../features/security/security-page.tsx";
import { SessionTable } from "../../features/sessions/device-lists.tsx";
import { SocialCard } from "../../features/social/social-card.tsx";
import { readProviders } from "../../features/social/social-flow.ts";

interface SecurityData {
  readonly overview: Overview | null;
  readonly list: SessionList | null;
  readonly keys: KeyList | null;
  readonly links: LinkList["links"];
  readonly providers: readonly string[];
}

export async function loader({ context }: LoaderFunctionArgs): Promise<SecurityData> {
  const page = context.get(pageContext);
  const [overview, list, keys, links, providers] = await Promise.all([
    readCall(page, SECURITY_CALLS.overview, {}),
    readCall(page, SESSION_CALLS.devices, {}),
    readCall(page, PASSKEY_CALLS.list, {}),
    readCall(page, SOCIAL_CALLS.links, {}),
    readProviders(page),
  ]);
  return {
    overview: overview ?? null,
    list: list ?? null,
    keys: keys ?? null,
    links: links?.links ?? [],
    providers,
  };
}

export const clientLoader = loadPayload<SecurityData>;

export default function AccountSecurity() {
  const { overview, list, keys, links, providers } = useLoaderData<SecurityData>();
  return (
    <SecurityPage
      overview={overview}
      passkeyCount={keys?.keys.length ?? 0}
      keys={(onStale) => (
        <>
          {keys !== null && <PasskeyCard keys={keys.keys} onStale={onStale} />}
          <SocialCard providers={providers} links={links} onStale={onStale} />
        </>
      )}
    >
      {list !== null && <SessionTable list={list} />}
    </SecurityPage>
  );
}
