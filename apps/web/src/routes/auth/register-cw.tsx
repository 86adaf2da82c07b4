// The stepwise registration, with the other sites that are configured.
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { SocialButtons } from "../../features/social/social-buttons.tsx";
import { readProviders } from "../../features/social/social-flow.ts";
import { RegisterStart } from "../../features/users/register-screens.tsx";

interface RegisterData {
  readonly providers: readonly string[];
}

export async function loader({ context }: LoaderFunctionArgs): Promise<RegisterData> {
  return { providers: await readProviders(context.get(pageContext)) };
}

export const clientLoader = loadPayload<RegisterData>;

export default function AuthRegisterCw() {
  const { providers } = useLoaderData<RegisterData>();
  return <RegisterStart others={providers.length === 0 ? null : <SocialButtons providers={providers} />} />;
}
