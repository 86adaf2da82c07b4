// Preferences of the account and of this browser, and how the account is told of things.
import { NOTICE_PATHS, type NoticeChoices } from "@clockwork/messaging/notices/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { latePart } from "#boot/late-part.tsx";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { PreferencesPage } from "../../features/users/account-pages.tsx";

const ChoicesCard = latePart(async () => (await import("../../features/notices/choices-card.tsx")).ChoicesCard);
const DeviceCard = latePart(async () => (await import("../../features/notices/device-card.tsx")).DeviceCard);

export async function loader({ context }: LoaderFunctionArgs): Promise<NoticeChoices | null> {
  const answer = await context.get(pageContext).callApi({ method: "GET", path: NOTICE_PATHS.choices });
  return (readEnvelope(answer) as NoticeChoices | undefined) ?? null;
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
