// The security centre: overview and sessions, fetched together.

import type { KeyList } from "@clockwork/identity/passkeys/contract";
import type { Overview } from "@clockwork/identity/security/contract";
import type { SessionList } from "@clockwork/identity/sessions/contract";
import type { LinkList } from "@clockwork/identity/social/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { KEYS_PATH } from "../../features/passkeys/passkey-calls.ts";
import { PasskeyCard } from "../../features/passkeys/passkey-card.tsx";
import { OVERVIEW_PATH } from "../../features/security/security-calls.ts";
import { SecurityPage } from "../../features/security/security-page.tsx";
import { SessionTable } from "../../features/sessions/device-lists.tsx";
import { SocialCard } from "../../features/social/social-card.tsx";
import { LINKS_PATH, PROVIDERS_PATH, readProviders } from "../../features/social/social-flow.ts";

interface SecurityData {
  readonly overview: Overview | null;
  readonly list: SessionList | null;
  readonly keys: KeyList | null;
  readonly links: LinkList["links"];
  readonly providers: readonly string[];
}

export async function loader({ context }: LoaderFunctionArgs): Promise<SecurityData> {
  const { callApi } = context.get(pageContext);
  const [overview, list, keys, links, providers] = await Promise.all([
    callApi({ method: "GET", path: OVERVIEW_PATH }),
    callApi({ method: "GET", path: "/v2/users/devices" }),
    callApi({ method: "GET", path: KEYS_PATH }),
    callApi({ method: "GET", path: LINKS_PATH }),
    callApi({ method: "GET", path: PROVIDERS_PATH, shared: true }),
  ]);
  return {
    overview: (readEnvelope(overview) as Overview | undefined) ?? null,
    list: (readEnvelope(list) as SessionList | undefined) ?? null,
    keys: (readEnvelope(keys) as KeyList | undefined) ?? null,
    links: (readEnvelope(links) as LinkList | undefined)?.links ?? [],
    providers: readProviders(readEnvelope(providers)),
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
