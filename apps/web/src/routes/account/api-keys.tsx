// API keys: the list and how the account proves itself, fetched together.
import { API_KEY_CALLS, type ApiKeyList } from "@clockwork/identity/apikeys/contract";
import { type Overview, SECURITY_CALLS } from "@clockwork/identity/security/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { AccountFrame } from "#shell/account-frame.tsx";
import { useAccountText } from "#words/account-text.ts";
import { ApiKeysPage } from "../../features/apikeys/api-keys-page.tsx";
import { useKeysText } from "../../features/apikeys/keys-text.ts";

interface KeysData {
  readonly list: ApiKeyList | null;
  readonly overview: Overview | null;
  readonly origin: string;
  readonly nowMs: number;
}

export async function loader({ context, request }: LoaderFunctionArgs): Promise<KeysData> {
  const page = context.get(pageContext);
  const [list, overview] = await Promise.all([
    readCall(page, API_KEY_CALLS.list, {}),
    readCall(page, SECURITY_CALLS.overview, {}),
  ]);
  return {
    list: list ?? null,
    overview: overview ?? null,
    origin: new URL(request.url).origin,
    nowMs: Date.now(),
  };
}

export const clientLoader = loadPayload<KeysData>;

export default function AccountApiKeys() {
  const { list, overview, origin, nowMs } = useLoaderData<KeysData>();
  const text = useAccountText();
  const words = useKeysText();
  if (list === null || overview === null) {
    return (
      <AccountFrame title={words("keys.title")}>
        <p className="text-muted">{text("label.failed")}</p>
      </AccountFrame>
    );
  }
  return <ApiKeysPage list={list} overview={overview} origin={origin} nowMs={nowMs} />;
}
