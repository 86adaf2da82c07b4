// The stepwise sign-in, with the other sites that are configured.
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { LoginScreen } from "../../features/sessions/login-screen.tsx";
import { SocialButtons } from "../../features/social/social-buttons.tsx";
import { PROVIDERS_PATH, readProviders } from "../../features/social/social-flow.ts";

interface LoginData {
  readonly providers: readonly string[];
}

export async function loader({ context }: LoaderFunctionArgs): Promise<LoginData> {
  const call = { method: "GET", path: PROVIDERS_PATH, shared: true } as const;
  return { providers: readProviders(readEnvelope(await context.get(pageContext).callApi(call))) };
}

export const clientLoader = loadPayload<LoginData>;

export default function AuthLoginCw() {
  const { providers } = useLoaderData<LoginData>();
  return <LoginScreen others={<SocialButtons providers={providers} />} />;
}
