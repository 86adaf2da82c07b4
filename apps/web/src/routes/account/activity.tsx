// The activity log.
import type { ActivityPage as Page } from "@clockwork/identity/sessions/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { ACTIVITY_PATH, ActivityPage } from "../../features/sessions/activity-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<Page | null> {
  const answer = await context.get(pageContext).callApi({ method: "GET", path: ACTIVITY_PATH });
  return (readEnvelope(answer) as Page | undefined) ?? null;
}

export const clientLoader = loadPayload<Page | null>;

export default function AccountActivity() {
  return <ActivityPage first={useLoaderData<Page | null>()} />;
}
