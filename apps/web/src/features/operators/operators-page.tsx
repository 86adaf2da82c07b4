// `/operator/operators`: who may do what in the console, and by which name. Administrators grant and revoke roles here.
import {
  type Me,
  OPERATOR_CALLS,
  OPERATOR_NAME_LENGTH_MAX,
  type OperatorList,
} from "@clockwork/identity/operators/contract";
import { Button, IconButton } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { TextField } from "@clockwork/ui/text-field";
import { type ReactNode, useState } from "react";
import { useRevalidator } from "react-router";
import { ConsoleFrame } from "#console/console-frame.tsx";
import { ActionNote, useOperatorAction } from "#console/operator-action.tsx";
import { FailedLine } from "#session/failed-line.tsx";
import { LateSelect } from "#shell/late-fields.tsx";
import { useConsoleText } from "#words/console-text.ts";

type Role = Me["roles"][number];
const ROLES: readonly Role[] = ["admin", "kyc-reviewer", "auditor", "editor", "support", "compliance"];

export interface OperatorsPageProps {
  readonly me: Me;
  /** Null when it could not be read; undefined for operators who may not see it. */
  readonly list: OperatorList | null | undefined;
  readonly proof: (onProved: () => void) => ReactNode;
}

export function OperatorsPage({ me, list, proof }: OperatorsPageProps) {
  const text = useConsoleText();
  const { revalidate } = useRevalidator();
  const proved = proof(() => void revalidate());
  return (
    <ConsoleFrame
      me={me}
      title={text("operators.title")}
      lead={text("operators.lead", { roles: me.roles.map((role) => text(`role.${role}`)).join(", ") })}
      proof={proved}
    >
      {list === null && <FailedLine />}
      {list && <Roles list={list} proof={proof} />}
    </ConsoleFrame>
  );
}

function Roles({ list, proof }: { readonly list: OperatorList; readonly proof: OperatorsPageProps["proof"] }) {
  const text = useConsoleText();
  const action = useOperatorAction();
  const { revalidate } = useRevalidator();
  const [account, setAccount] = useState("");
  const [role, setRole] = useState<Role>("kyc-reviewer");
  const [named, setNamed] = useState<{ readonly user: string; readonly name: string }>();
  const rename = async () => {
    if (named === undefined) return;
    const body = { user: named.user, name: named.name.trim() };
    if ((await action.run(OPERATOR_CALLS.rename, body)) === undefined) return;
    setNamed(undefined);
    await revalidate();
  };
  const grant = async () => {
    if (account.trim() === "") return;
    if ((await action.propose(OPERATOR_CALLS.grant, { account: account.trim(), role })) !== undefined) setAccount("");
  };
  const revoke = async (user: string, one: Role) => {
    if ((await action.run(OPERATOR_CALLS.revoke, { user, role: one })) !== undefined) await revalidate();
  };
  return (
    <div className="flex max-w-[860px] flex-col gap-4">
      {action.isStale ? (
        <Card title={text("operators.stale")}>{proof(action.clear)}</Card>
      ) : (
        <Card>
          <ActionNote action={action} />
          <div className="flex flex-wrap items-end gap-3">
            <div className="min-w-60 flex-1">
              <TextField label={text("operators.account")} size={40} value={account} onChange={setAccount} />
            </div>
            <div className="w-52">
              <LateSelect
                label={text("operators.role")}
                value={role}
                onChange={(one) => setRole(ROLES.find((known) => known === one) ?? role)}
                options={ROLES.map((one) => ({ id: one, title: text(`role.${one}`) }))}
              />
            </div>
            <Button kind="primary" size={40} onPress={() => void grant()}>
              {text("operators.grant")}
            </Button>
          </div>
        </Card>
      )}
      {named !== undefined && (
        <Card title={text("operators.rename")}>
          <p className="mb-3 text-muted text-ui">{text("operators.renameLead")}</p>
          <div className="flex flex-wrap items-end gap-3">
            <TextField
              label={text("operators.name")}
              size={40}
              value={named.name}
              onChange={(name) => setNamed({ ...named, name })}
              maxLength={OPERATOR_NAME_LENGTH_MAX}
              className="min-w-60 flex-1"
              autoFocus
            />
            <Button size={40} onPress={() => setNamed(undefined)}>
              {text("confirm.cancel")}
            </Button>
            <Button kind="primary" size={40} isDisabled={named.name.trim().length < 2} onPress={() => void rename()}>
              {text("label.save")}
            </Button>
          </div>
        </Card>
      )}
      <Card flush>
        <ul>
          {list.operators.map((operator) => (
            <li
              key={operator.user}
              className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b px-6 py-3 last:border-0"
            >
              <div className="min-w-48 flex-1">
                <p className="font-medium text-ui">
                  {operator.name}{" "}
                  <IconButton
                    icon="edit"
                    size={24}
                    iconSize={12}
                    label={`${text("operators.rename")}: ${operator.name}`}
                    onPress={() => setNamed({ user: operator.user, name: operator.name })}
                  />
                </p>
                <p className="figures text-[13px] text-muted">
                  {operator.user} · {text("operators.second")}:{" "}
                  {text(operator.hasTotp ? "operators.bound" : "operators.unbound")}
                </p>
              </div>
              {operator.roles.map((one) => (
                <Button
                  key={one}
                  size={32}
                  aria-label={`${text("operators.revoke")}: ${text(`role.${one}`)}, ${operator.name}`}
                  icon="close"
                  onPress={() => void revoke(operator.user, one)}
                >
                  {text(`role.${one}`)}
                </Button>
              ))}
            </li>
          ))}
        </ul>
      </Card>
    </div>
  );
}
