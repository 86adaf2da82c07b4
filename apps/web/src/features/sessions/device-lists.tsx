// Open sessions and recognised devices, each with a way to end it.
import { SESSION_CALLS, type SessionList } from "@clockwork/identity/sessions/contract";
import { formatDate, formatMinute } from "@clockwork/kit/time";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Icon } from "@clockwork/ui/icon";
import { useState } from "react";
import { useRevalidator } from "react-router";
import { useCalls } from "#session/auth-context.ts";
import { FormError } from "#session/auth-fields.tsx";
import { describeOr, useAccountText } from "#words/account-text.ts";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { ScrollBox } from "./account-scroll.tsx";

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
      const answer = await request.call(SESSION_CALLS.revoke, body);
      // Gone already is what was wanted.
      if (!answer.ok && answer.code !== "DEVICE_UNKNOWN") setError(describeFailure(words, answer));
    }
    await revalidate();
    setBusy(false);
  };
  return { error, busy, revoke };
}

const HEAD = "border-line border-b py-2 pr-4 text-left font-normal text-label text-muted";
const CELL = "h-12 border-line border-b pr-4 text-ui group-last:border-0";
const QUIET = `${CELL} text-muted`;
/** A phone shows these under the device's name. */
const WIDE = "max-sm:hidden";

/** What both lists show of a row; the columns between address and last use are each list's own. */
interface AccessRow {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly isCurrent: boolean;
  readonly lastAtMs: number;
}

interface AccessColumn<Row> {
  readonly head: string;
  readonly show: (row: Row) => string;
  readonly isTime?: boolean;
}

interface AccessTableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly AccessColumn<Row>[];
  readonly onRevoke: (row: Row) => void;
}

function AccessTable<Row extends AccessRow>({ label, rows, columns, onRevoke }: AccessTableProps<Row>) {
  const text = useAccountText();
  return (
    <ScrollBox label={label}>
      <table className="w-full border-collapse sm:min-w-[640px]">
        <thead>
          <tr>
            <th className={HEAD}>{text("devices.device")}</th>
            <th className={`${HEAD} ${WIDE}`}>{text("devices.address")}</th>
            {columns.map(({ head, isTime }) => (
              <th key={head} className={`${HEAD} ${WIDE} ${isTime === true ? "text-right" : ""}`}>
                {head}
              </th>
            ))}
            <th className={`${HEAD} ${WIDE} text-right`}>{text("devices.last")}</th>
            <td className={HEAD} />
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} className="group">
              <td className={`${CELL} max-sm:py-2`}>
                <DeviceName name={row.name} isHere={row.isCurrent} />
                <span className="figures block pl-7 text-[13px] text-muted sm:hidden">
                  {row.address} · {row.isCurrent ? text("devices.now") : formatMinute(row.lastAtMs)}
                </span>
              </td>
              <td className={`${QUIET} ${WIDE} figures`}>{row.address}</td>
              {columns.map(({ head, isTime, show }) => (
                <td key={head} className={`${QUIET} ${WIDE} ${isTime === true ? "figures text-right" : ""}`}>
                  {show(row)}
                </td>
              ))}
              <td className={`${CELL} ${WIDE} figures text-right`}>
                {row.isCurrent ? text("devices.now") : formatMinute(row.lastAtMs)}
              </td>
              <td className={`${CELL} pr-0 text-right`}>
                {!row.isCurrent && <RevokeButton name={row.name} onPress={() => onRevoke(row)} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

export function SessionTable({ list }: { readonly list: SessionList }) {
  const text = useAccountText();
  const { error, busy, revoke } = useRevoke();
  const rows = list.sessions.map((session) => ({ ...session, name: session.deviceName, lastAtMs: session.seenAtMs }));
  const others = rows.filter(({ isCurrent }) => !isCurrent);
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
      <AccessTable
        label={text("devices.sessions")}
        rows={rows}
        columns={[
          { head: text("devices.method"), show: ({ method }) => describeOr(text, `method.${method}`, method) },
          { head: text("devices.since"), show: ({ createdAtMs }) => formatMinute(createdAtMs), isTime: true },
        ]}
        onRevoke={({ id }) => void revoke([{ session: id }])}
      />
    </Card>
  );
}

export function DeviceTable({ list }: { readonly list: SessionList }) {
  const text = useAccountText();
  const { error, revoke } = useRevoke();
  return (
    <Card title={text("devices.known")} className="mt-4">
      <FormError>{error}</FormError>
      <AccessTable
        label={text("devices.known")}
        rows={list.devices}
        columns={[{ head: text("devices.first"), show: ({ firstAtMs }) => formatDate(firstAtMs), isTime: true }]}
        onRevoke={({ id }) => void revoke([{ device: id }])}
      />
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
