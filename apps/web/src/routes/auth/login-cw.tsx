// The stepwise sign-in, with the other sites that are configured.
import { useLoaderData } from "react-router";
import { loadPayload } from "#boot/payload.ts";
import { LoginScreen } from "../../features/sessions/login-screen.tsx";
import { SocialButtons } from "../../features/social/social-buttons.tsx";
import { type LoginData, loadProviders } from "../../features/social/social-flow.ts";

export const loader = loadProviders;

export const clientLoader = loadPayload<LoginData>;

export default function AuthLoginCw() {
  const { providers } = useLoaderData<LoginData>();
  return <LoginScreen others={<SocialButtons providers={providers} />} />;
}
