// What an operator does to one user: restrictions by part, signing out, the second factor, documents. Each has a reason;
// stopping takes one operator, lifting and resetting are proposed to a second.
import { formatDateTime } from "@clockwork/kit/time";
import {
  RESTRICTION_CALLS,
  RESTRICTION_PARTS,
  type Restriction,
  type RestrictionPart,
} from "@clockwork/trading/restrictions/contract";
import { Button } from "@clockwork/ui/button";
import { Switch } from "@clockwork/ui/switch";
import { TextArea } from "@clockwork/ui/text-area";
import { useState } from "react";
import { useRevalidator } from "react-router";
import type { ConsoleOperator } from "#console/console-frame.tsx";
import { ActionNote, useOperatorAction } from "#console/operator-action.tsx";
import { Panel, PanelFailure } from "#console/panel.tsx";
import { ReasonDialog } from "#console/reason-dialog.tsx";
import { useSection } from "#console/use-section.ts";
import { useConsoleText } from "#words/console-text.ts";

type Asked =
  | { readonly kind: "set" | "lift"; readonly parts: readonly RestrictionPart[] }
  | { readonly kind: "signOut" | "resetFactor" | "documents" };

export function PersonActions({ user, me }: { readonly user: string; readonly me: ConsoleOperator }) {
  const text = useConsoleText();
  const action = useOperatorAction();
  const { revalidate } = useRevalidator();
  const [asked, setAsked] = useState<Asked>();
  const [message, setMessage] = useState("");
  const mayAct = me.permissions.includes("people.restrict");
  const section = useSection({
    called: RESTRICTION_CALLS.list,
    input: { user },
    rowsOf: ({ restrictions }: { readonly restrictions: readonly Restriction[] }) => restrictions,
  });
  const send = async (reason: string): Promise<string | undefined> => {
    const sent = await run(reason);
    if (sent === undefined) return text("person.refused");
    section.reload();
    await revalidate();
    return undefined;
  };
  const run = (reason: string) => {
    if (asked?.kind === "set") return action.run(RESTRICTION_CALLS.set, { user, parts: [...asked.parts], reason });
    if (asked?.kind === "lift")
      return action.propose(RESTRICTION_CALLS.lift, { user, parts: [...asked.parts], reason });
    if (asked?.kind === "signOut") return action.run(RESTRICTION_CALLS.signOut, { user, reason });
    if (asked?.kind === "resetFactor") return action.propose(RESTRICTION_CALLS.resetFactor, { user, reason });
    return action.run(RESTRICTION_CALLS.requestDocuments, { user, message: message.trim(), reason });
  };
  const rows = section.rows ?? [];
  const open = RESTRICTION_PARTS.filter((part) => !rows.some((row) => row.part === part));
  return (
    <>
      <Panel
        flush
        title={text("restrict.title")}
        aside={
          mayAct && open.length > 0 ? (
            <Button
              size={28}
              icon="snowflake"
              className="text-danger"
              onPress={() => setAsked({ kind: "set", parts: open })}
            >
              {text("restrict.freeze")}
            </Button>
          ) : undefined
        }
      >
        {section.rows === null && <PanelFailure onRetry={section.reload} />}
        <div className="px-3.5 pt-2 empty:hidden">
          <ActionNote action={action} />
        </div>
        <ul>
          {RESTRICTION_PARTS.map((part) => {
            const row = rows.find((one) => one.part === part);
            return (
              <li key={part} className="flex min-h-9 items-center gap-3 border-line border-b px-3.5 py-1.5">
                <span className="min-w-0 flex-1">
                  <span className="block font-medium">{text(`restrict.part.${part}`)}</span>
                  {row !== undefined && (
                    <span className="block text-label text-muted [overflow-wrap:anywhere]">
                      {row.reason} · {row.by} · {formatDateTime(row.setAtMs)}
                    </span>
                  )}
                </span>
                <span className={row === undefined ? "text-muted" : "text-warn"}>
                  {text(row === undefined ? "restrict.open" : row.isApplied ? "restrict.off" : "restrict.pending")}
                </span>
                <Switch
                  aria-label={text(`restrict.part.${part}`)}
                  isSelected={row === undefined}
                  isDisabled={!mayAct || section.rows === undefined}
                  onChange={(isOpen) => setAsked({ kind: isOpen ? "lift" : "set", parts: [part] })}
                />
              </li>
            );
          })}
        </ul>
        <p className="px-3.5 py-2.5 text-label text-muted">{text("restrict.rule")}</p>
      </Panel>
      {mayAct && (
        <Panel title={text("person.actions")}>
          <div className="flex flex-wrap gap-2">
            <Button size={32} icon="log-out" onPress={() => setAsked({ kind: "signOut" })}>
              {text("person.signOut")}
            </Button>
            <Button size={32} icon="key" onPress={() => setAsked({ kind: "resetFactor" })}>
              {text("person.resetFactor")}
            </Button>
            <Button size={32} icon="document" onPress={() => setAsked({ kind: "documents" })}>
              {text("person.requestDocuments")}
            </Button>
          </div>
        </Panel>
      )}
      {asked !== undefined && (
        <ReasonDialog
          title={text(`ask.${asked.kind}`)}
          lead={text(`ask.${asked.kind}Lead`, {
            parts: "parts" in asked ? asked.parts.map((part) => text(`restrict.part.${part}`)).join(", ") : "",
          })}
          action={text(`ask.${asked.kind}`)}
          isWhole={asked.kind !== "documents" || message.trim().length >= 10}
          onSend={send}
          onClose={() => setAsked(undefined)}
        >
          {asked.kind === "documents" && (
            <TextArea label={text("ask.message")} value={message} onChange={setMessage} maxLength={1_000} rows={4} />
          )}
        </ReasonDialog>
      )}
    </>
  );
}
