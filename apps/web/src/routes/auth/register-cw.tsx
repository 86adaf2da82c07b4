// The stepwise registration, with the other sites that are configured.
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { SocialButtons } from "../../features/social/social-buttons.tsx";
import { PROVIDERS_PATH, readProviders } from "../../features/social/social-flow.ts";
import { RegisterStart } from "../../features/users/register-screens.tsx";

interface RegisterData {
  readonly providers: readonly string[];
}

export async function loader({ context }: LoaderFunctionArgs): Promise<RegisterData> {
  const call = { method: "GET", path: PROVIDERS_PATH, shared: true } as const;
  return { providers: readProviders(readEnvelope(await context.get(pageContext).callApi(call))) };
}

export const clientLoader = loadPayload<RegisterData>;

export default function AuthRegisterCw() {
  const { providers } = useLoaderData<RegisterData>();
  return <RegisterStart others={providers.length === 0 ? null : <SocialButtons providers={providers} />} />;
}
