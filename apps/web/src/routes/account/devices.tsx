// Devices: open sessions, and the devices recognised by the account.
import { SESSION_CALLS, type SessionList } from "@clockwork/identity/sessions/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { AccountFrame } from "#shell/account-frame.tsx";
import { useAccountText } from "#words/account-text.ts";
import { DeviceTable, SessionTable } from "../../features/sessions/device-lists.tsx";

export async function loader({ context }: LoaderFunctionArgs): Promise<SessionList | null> {
  return (await readCall(context.get(pageContext), SESSION_CALLS.devices, {})) ?? null;
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
