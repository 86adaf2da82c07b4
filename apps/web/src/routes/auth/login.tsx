// The one-page sign-in, with the other sites that are configured.
import { useLoaderData } from "react-router";
import { loadPayload } from "#boot/payload.ts";
import { ClassicLogin } from "../../features/sessions/classic-login.tsx";
import { SocialButtons } from "../../features/social/social-buttons.tsx";
import { type LoginData, loadProviders } from "../../features/social/social-flow.ts";

export const loader = loadProviders;

export const clientLoader = loadPayload<LoginData>;

export default function AuthClassicLogin() {
  const { providers } = useLoaderData<LoginData>();
  return <ClassicLogin others={<SocialButtons providers={providers} />} />;
}
