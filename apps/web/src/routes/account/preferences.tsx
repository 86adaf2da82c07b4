// Preferences of the account and of this browser, and how the account is notified.
import { NOTICE_CALLS, type NoticeChoices } from "@clockwork/messaging/notices/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { latePart } from "#boot/late-part.tsx";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { PreferencesPage } from "../../features/users/account-pages.tsx";

const ChoicesCard = latePart(async () => (await import("../../features/notices/choices-card.tsx")).ChoicesCard);
const DeviceCard = latePart(async () => (await import("../../features/notices/device-card.tsx")).DeviceCard);

export async function loader({ context }: LoaderFunctionArgs): Promise<NoticeChoices | null> {
  return (await readCall(context.get(pageContext), NOTICE_CALLS.choices, {})) ?? null;
}

export const clientLoader = loadPayload<NoticeChoices | null>;

export default function AccountPreferences() {
  return (
    <PreferencesPage>
      <ChoicesCard first={useLoaderData<NoticeChoices | null>()} />
      <DeviceCard />
    </PreferencesPage>
  );
}
