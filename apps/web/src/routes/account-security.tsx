// The security centre: overview and sessions, fetched together.
import type { Overview } from "@clockwork/domains/security/api";
import type { SessionList } from "@clockwork/domains/sessions/api";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { OVERVIEW_PATH } from "../features/security/security-calls.ts";
import { SecurityPage } from "../features/security/security-page.tsx";
import { SessionTable } from "../features/sessions/device-lists.tsx";
import { pageContext } from "../frame/page-context.ts";
import { loadPayload } from "../frame/payload.ts";
import { readEnvelope } from "../frame/root-data.ts";

interface SecurityData {
  readonly overview: Overview | null;
  readonly list: SessionList | null;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<SecurityData> {
  const { callApi } = context.get(pageContext);
  const [overview, list] = await Promise.all([
    callApi({ method: "GET", path: OVERVIEW_PATH }),
    callApi({ method: "GET", path: "/v2/users/devices" }),
  ]);
  return {
    overview: (readEnvelope(overview) as Overview | undefined) ?? null,
    list: (readEnvelope(list) as SessionList | undefined) ?? null,
  };
}

export const clientLoader = loadPayload<SecurityData>;

export default function AccountSecurity() {
  const { overview, list } = useLoaderData<SecurityData>();
  return <SecurityPage overview={overview}>{list !== null && <SessionTable list={list} />}</SecurityPage>;
}
