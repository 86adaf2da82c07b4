// Who is signed in and which devices the account knows, each with a way to end it.
import type { SessionList } from "@clockwork/domains/sessions/api";
import { formatDate, formatMinute } from "@clockwork/kit/time";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Icon } from "@clockwork/ui/icon";
import { useState } from "react";
import { useRevalidator } from "react-router";
import { ScrollBox } from "#frame/account-scroll.tsx";
import { sayOr, useAccountText } from "#frame/account-text.ts";
import { useCalls } from "#frame/auth-context.ts";
import { FormError } from "#frame/auth-fields.tsx";
import { sayFailure, useAuthText } from "#frame/auth-text.ts";

const REVOKE_PATH = "/v2/users/devices/revoke";

export interface RevokeBody {
  readonly session?: string;
  readonly device?: string;
}

function useRevoke() {
  const calls = useCalls();
  const words = useAuthText();
  const { revalidate } = useRevalidator();
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const revoke = async (bodies: readonly RevokeBody[]) => {
    setBusy(true);
    setError(undefined);
    const request = await calls();
    for (const body of bodies) {
      const answer = await request.postJson(REVOKE_PATH, body);
      // Gone already is what was wanted.
      if (!answer.ok && answer.code !== "DEVICE_UNKNOWN") setError(sayFailure(words, answer));
    }
    await revalidate();
    setBusy(false);
  };
  return { error, busy, revoke };
}

const HEAD = "border-line border-b py-2 pr-4 text-left font-normal text-label text-muted";
const CELL = "h-12 border-line border-b pr-4 text-ui group-last:border-0";
const QUIET = `${CELL} text-muted`;

export function SessionTable({ list }: { readonly list: SessionList }) {
  const text = useAccountText();
  const { error, busy, revoke } = useRevoke();
  const others = list.sessions.filter(({ isCurrent }) => !isCurrent);
  return (
    <Card
      title={text("devices.sessions")}
      aside={
        others.length > 0 && (
          <Button size={32} busy={busy} onPress={() => void revoke(others.map(({ id }) => ({ session: id })))}>
            {text("devices.others")}
          </Button>
        )
      }
    >
      <FormError>{error}</FormError>
      <ScrollBox label={text("devices.sessions")}>
        <table className="w-full min-w-[640px] border-collapse">
          <thead>
            <tr>
              <th className={HEAD}>{text("devices.device")}</th>
              <th className={HEAD}>{text("devices.address")}</th>
              <th className={HEAD}>{text("devices.method")}</th>
              <th className={`${HEAD} text-right`}>{text("devices.since")}</th>
              <th className={`${HEAD} text-right`}>{text("devices.last")}</th>
              <td className={HEAD} />
            </tr>
          </thead>
          <tbody>
            {list.sessions.map((session) => (
              <tr key={session.id} className="group">
                <td className={CELL}>
                  <DeviceName name={session.deviceName} isHere={session.isCurrent} />
                </td>
                <td className={`${QUIET} figures`}>{session.address}</td>
                <td className={QUIET}>{sayOr(text, `method.${session.method}`, session.method)}</td>
                <td className={`${QUIET} figures text-right`}>{formatMinute(session.createdAtMs)}</td>
                <td className={`${CELL} figures text-right`}>
                  {session.isCurrent ? text("devices.now") : formatMinute(session.seenAtMs)}
                </td>
                <td className={`${CELL} pr-0 text-right`}>
                  {!session.isCurrent && (
                    <RevokeButton name={session.deviceName} onPress={() => void revoke([{ session: session.id }])} />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </Card>
  );
}

export function DeviceTable({ list }: { readonly list: SessionList }) {
  const text = useAccountText();
  const { error, revoke } = useRevoke();
  return (
    <Card title={text("devices.known")} className="mt-4">
      <FormError>{error}</FormError>
      <ScrollBox label={text("devices.known")}>
        <table className="w-full min-w-[640px] border-collapse">
          <thead>
            <tr>
              <th className={HEAD}>{text("devices.device")}</th>
              <th className={HEAD}>{text("devices.address")}</th>
              <th className={`${HEAD} text-right`}>{text("devices.first")}</th>
              <th className={`${HEAD} text-right`}>{text("devices.last")}</th>
              <td className={HEAD} />
            </tr>
          </thead>
          <tbody>
            {list.devices.map((device) => (
              <tr key={device.id} className="group">
                <td className={CELL}>
                  <DeviceName name={device.name} isHere={device.isCurrent} />
                </td>
                <td className={`${QUIET} figures`}>{device.address}</td>
                <td className={`${QUIET} figures text-right`}>{formatDate(device.firstAtMs)}</td>
                <td className={`${CELL} figures text-right`}>
                  {device.isCurrent ? text("devices.now") : formatMinute(device.lastAtMs)}
                </td>
                <td className={`${CELL} pr-0 text-right`}>
                  {!device.isCurrent && (
                    <RevokeButton name={device.name} onPress={() => void revoke([{ device: device.id }])} />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </Card>
  );
}

function DeviceName({ name, isHere }: { readonly name: string; readonly isHere: boolean }) {
  const text = useAccountText();
  const small = /iOS|Android|iPhone/.test(name);
  return (
    <span className="flex items-center gap-2.5 whitespace-nowrap font-medium">
      <Icon name={small ? "phone" : "laptop"} />
      {name === "" ? text("devices.unknown") : name}
      {isHere && (
        <span className="rounded-full border border-line2 px-2 py-0.5 font-normal text-label text-muted">
          {text("devices.here")}
        </span>
      )}
    </span>
  );
}

function RevokeButton({ name, onPress }: { readonly name: string; readonly onPress: () => void }) {
  const text = useAccountText();
  return (
    <button
      type="button"
      aria-label={`${text("devices.revoke")} ${name}`}
      onClick={onPress}
      className="rounded-xs font-semibold text-[13px] hover:text-accent dark:hover:opacity-80"
    >
      {text("devices.revoke")}
    </button>
  );
}
