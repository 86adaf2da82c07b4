// The activity log.
import { type ActivityPage as Page, SESSION_CALLS } from "@clockwork/identity/sessions/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { ActivityPage } from "../../features/sessions/activity-page.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<Page | null> {
  return (await readCall(context.get(pageContext), SESSION_CALLS.activity, {})) ?? null;
}

export const clientLoader = loadPayload<Page | null>;

export default function AccountActivity() {
  return <ActivityPage first={useLoaderData<Page | null>()} />;
}
