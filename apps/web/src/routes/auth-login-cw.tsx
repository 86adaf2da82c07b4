// The stepwise sign-in, with the other sites that are configured.
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { LoginScreen } from "../features/sessions/login-screen.tsx";
import { SocialButtons } from "../features/social/social-screens.tsx";
import { pageContext } from "../frame/page-context.ts";
import { loadPayload } from "../frame/payload.ts";
import { readEnvelope } from "../frame/root-data.ts";

interface LoginData {
  readonly providers: readonly string[];
}

export async function loader({ context }: LoaderFunctionArgs): Promise<LoginData> {
  const call = { method: "GET", path: "/v2/users/social/providers", shared: true } as const;
  const providers = readEnvelope(await context.get(pageContext).callApi(call))?.providers;
  return { providers: Array.isArray(providers) ? providers.filter((one) => typeof one === "string") : [] };
}

export const clientLoader = loadPayload<LoginData>;

export default function AuthLoginCw() {
  const { providers } = useLoaderData<LoginData>();
  return <LoginScreen others={<SocialButtons providers={providers} />} />;
}
