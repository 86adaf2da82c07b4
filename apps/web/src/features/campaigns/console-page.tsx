// `/operator/campaigns`: banners and popups, when and to whom they are shown.
import { AUDIENCES, CAMPAIGN_CALLS, type CampaignBody, type CampaignTable } from "@clockwork/growth/campaigns/contract";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Badge } from "@clockwork/ui/pill";
import { TextArea } from "@clockwork/ui/text-area";
import { TextField } from "@clockwork/ui/text-field";
import { type ReactNode, useState } from "react";
import { useRevalidator } from "react-router";
import { ConsoleFrame, type ConsoleOperator } from "#console/console-frame.tsx";
import {
  ActionNote,
  ChoiceField,
  FormRow,
  readInstant,
  useOperatorAction,
  writeInstant,
} from "#console/operator-action.tsx";
import { FailedLine } from "#session/failed-line.tsx";
import { useConsoleText } from "#words/console-text.ts";

type Row = CampaignTable["campaigns"][number];

export interface CampaignsPageProps {
  readonly me: ConsoleOperator;
  readonly table: CampaignTable | null;
  readonly proof: ReactNode;
}

export function CampaignsPage({ me, table, proof }: CampaignsPageProps) {
  const text = useConsoleText();
  return (
    <ConsoleFrame me={me} title={text("campaigns.title")} lead={text("campaigns.lead")} proof={proof}>
      {table === null ? <FailedLine /> : <CampaignConsole rows={table.campaigns} />}
    </ConsoleFrame>
  );
}

const TONES = { shown: "neutral", planned: "info", over: "outline" } as const;

function CampaignConsole({ rows }: { readonly rows: readonly Row[] }) {
  const text = useConsoleText();
  const [open, setOpen] = useState<Row>();
  return (
    <div className="grid gap-4 xl:grid-cols-[minmax(0,1fr)_460px]">
      <Card flush className="self-start">
        {rows.length === 0 && <p className="p-6 text-muted text-ui">{text("campaigns.none")}</p>}
        <ul>
          {rows.map((row) => (
            <li
              key={row.key}
              className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-b px-6 py-3 last:border-0"
            >
              <div className="min-w-0 flex-1">
                <p className="font-medium text-ui [overflow-wrap:anywhere]">{row.title}</p>
                <p className="text-[13px] text-muted">
                  {text(`campaigns.kind.${row.kind}`)} · {row.key} · {text(`campaigns.audience.${row.audience}`)} ·{" "}
                  {row.startsAtMs === 0 ? text("campaigns.always") : writeInstant(row.startsAtMs)}
                  {row.endsAtMs !== null && ` – ${writeInstant(row.endsAtMs)}`}
                </p>
              </div>
              <Badge tone={TONES[row.state]}>{text(`campaigns.state.${row.state}`)}</Badge>
              <Button size={28} aria-label={`${text("label.edit")}: ${row.title}`} onPress={() => setOpen(row)}>
                {text("label.edit")}
              </Button>
            </li>
          ))}
        </ul>
      </Card>
      <CampaignForm key={open?.key ?? ""} row={open} onClose={() => setOpen(undefined)} />
    </div>
  );
}

const EMPTY: CampaignBody = {
  key: "",
  kind: "banner",
  title: "",
  text: "",
  action: "",
  to: "",
  audience: "all",
  position: 0,
  startsAtMs: 0,
  endsAtMs: null,
  baseSetAtMs: null,
};

function bodyOf(row: Row | undefined): CampaignBody {
  if (row === undefined) return EMPTY;
  const { state: _state, setBy: _by, setAtMs: baseSetAtMs, ...body } = row;
  return { ...body, baseSetAtMs };
}

function useCampaignForm(row: Row | undefined, onClose: () => void) {
  const text = useConsoleText();
  const action = useOperatorAction();
  const { revalidate } = useRevalidator();
  const [draft, setDraft] = useState<CampaignBody>(() => bodyOf(row));
  const [starts, setStarts] = useState(writeInstant(row === undefined || row.startsAtMs === 0 ? null : row.startsAtMs));
  const [ends, setEnds] = useState(writeInstant(row?.endsAtMs ?? null));
  const save = async () => {
    const from = readInstant(starts);
    const to = readInstant(ends);
    if (from === undefined || to === undefined) return action.refuse(text("label.badInstant"));
    const body = { ...draft, startsAtMs: from.ms ?? 0, endsAtMs: to.ms };
    const saved = await action.run(CAMPAIGN_CALLS.save, body);
    if (saved === undefined) return undefined;
    setDraft((known) => ({ ...known, baseSetAtMs: saved.data.setAtMs }));
    return revalidate();
  };
  const remove = async () => {
    if ((await action.run(CAMPAIGN_CALLS.remove, { key: draft.key })) === undefined) return;
    await revalidate();
    onClose();
  };
  const change = (part: Partial<CampaignBody>) => setDraft({ ...draft, ...part });
  return { action, draft, change, starts, setStarts, ends, setEnds, save, remove };
}

function CampaignForm({ row, onClose }: { readonly row: Row | undefined; readonly onClose: () => void }) {
  const text = useConsoleText();
  const form = useCampaignForm(row, onClose);
  const { action, draft, change } = form;
  return (
    <Card title={text(row === undefined ? "campaigns.new" : "campaigns.change")}>
      <ActionNote action={action} />
      <div className="grid gap-4">
        <FormRow>
          <TextField
            label={text("campaigns.key")}
            value={draft.key}
            onChange={(key) => change({ key })}
            isDisabled={row !== undefined}
            maxLength={40}
          />
          <ChoiceField
            label={text("campaigns.kind")}
            value={draft.kind}
            onChange={(kind) => change({ kind: kind === "popup" ? "popup" : "banner" })}
            options={(["banner", "popup"] as const).map((kind) => [kind, text(`campaigns.kind.${kind}`)])}
          />
        </FormRow>
        <TextField
          label={text("campaigns.heading")}
          value={draft.title}
          onChange={(title) => change({ title })}
          maxLength={80}
        />
        <TextArea
          label={text("campaigns.text")}
          value={draft.text}
          onChange={(reply) => change({ text: reply })}
          rows={3}
          maxLength={400}
        />
        <FormRow>
          <TextField
            label={text("campaigns.action")}
            value={draft.action}
            onChange={(action) => change({ action })}
            maxLength={40}
          />
          <TextField label={text("campaigns.to")} value={draft.to} onChange={(to) => change({ to })} maxLength={300} />
          <TextField label={text("label.starts")} value={form.starts} onChange={form.setStarts} maxLength={16} />
          <TextField label={text("label.ends")} value={form.ends} onChange={form.setEnds} maxLength={16} />
          <ChoiceField
            label={text("campaigns.audience")}
            value={draft.audience}
            onChange={(audience) => change({ audience: AUDIENCES.find((one) => one === audience) ?? "all" })}
            options={AUDIENCES.map((audience) => [audience, text(`campaigns.audience.${audience}`)])}
          />
          <TextField
            label={text("campaigns.position")}
            value={String(draft.position)}
            onChange={(position) => change({ position: Number(position.replace(/\D/g, "")) })}
            inputMode="numeric"
            maxLength={4}
          />
        </FormRow>
        <div className="flex flex-wrap gap-2">
          <Button kind="primary" size={40} busy={action.isBusy} onPress={() => void form.save()}>
            {text("label.save")}
          </Button>
          {row !== undefined && (
            <>
              <Button size={40} onPress={() => void form.remove()}>
                {text("label.remove")}
              </Button>
              <Button size={40} kind="ghost" onPress={onClose}>
                {text("label.close")}
              </Button>
            </>
          )}
        </div>
      </div>
    </Card>
  );
}
