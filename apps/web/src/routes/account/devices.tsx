// Devices: who is signed in, and which devices the account knows.
import type { SessionList } from "@clockwork/identity/sessions/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { AccountFrame } from "#shell/account-frame.tsx";
import { useAccountText } from "#words/account-text.ts";
import { DeviceTable, SessionTable } from "../../features/sessions/device-lists.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<SessionList | null> {
  const answer = await context.get(pageContext).callApi({ method: "GET", path: "/v2/users/devices" });
  return (readEnvelope(answer) as SessionList | undefined) ?? null;
}

export const clientLoader = loadPayload<SessionList | null>;

export default function AccountDevices() {
  const list = useLoaderData<SessionList | null>();
  const text = useAccountText();
  return (
    <AccountFrame title={text("devices.title")}>
      {list === null ? <p className="text-muted">{text("label.failed")}</p> : <SessionTable list={list} />}
      {list !== null && <DeviceTable list={list} />}
    </AccountFrame>
  );
}
