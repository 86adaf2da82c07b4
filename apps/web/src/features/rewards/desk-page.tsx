// `/operator/rewards`: campaigns with their budgets and costs, and forms that propose campaigns, money and tasks.
import { REWARD_CONSOLE_CALLS, type RewardReport } from "@clockwork/growth/rewards/contract";
import type { Endpoint } from "@clockwork/kit/endpoint";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Badge } from "@clockwork/ui/pill";
import { type ReactNode, useState } from "react";
import { latePart } from "#boot/late-part.tsx";
import { ConsoleFrame, type ConsoleOperator } from "#console/console-frame.tsx";
import { ActionNote, FormRow, type ProposalInput, useOperatorAction } from "#console/operator-action.tsx";
import { ProposalCard, TypedFields } from "#console/proposal-form.tsx";
import { FailedLine } from "#session/failed-line.tsx";
import { type RewardsText, useRewardsText } from "#words/rewards-text.ts";
import { REWARD_KINDS } from "./reward-terms.ts";
import { describeTask, formatReward, money } from "./rewards-model.ts";

const TaskForm = latePart(async () => (await import("./task-form.tsx")).TaskForm);
const GoldForm = latePart(async () => (await import("./gold-form.tsx")).GoldForm);

type Campaign = RewardReport["campaigns"][number];

export interface DeskPageProps {
  readonly me: ConsoleOperator;
  readonly proof: ReactNode;
  readonly report: RewardReport | null;
  /** The console of spring cards, which are a separate feature. */
  readonly spring: ReactNode;
  readonly onChanged: () => void;
}

export function DeskPage({ me, proof, report, spring, onChanged }: DeskPageProps) {
  const text = useRewardsText();
  return (
    <ConsoleFrame me={me} title={text("desk.title")} lead={text("desk.lead")} proof={proof}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {report === null && <FailedLine />}
        {report?.campaigns.length === 0 && <p className="text-muted text-ui">{text("desk.none")}</p>}
        {report?.campaigns.map((campaign) => (
          <CampaignCard key={campaign.campaignId} campaign={campaign} onChanged={onChanged} />
        ))}
        <ProposeCard
          call={REWARD_CONSOLE_CALLS.campaign}
          title={text("desk.campaign")}
          send={text("desk.newCampaign")}
          fields={[
            ["campaignId", text("desk.campaignId")],
            ["name", text("desk.name")],
          ]}
        />
        <ProposeCard
          call={REWARD_CONSOLE_CALLS.fund}
          title={text("desk.budget")}
          send={text("desk.fund")}
          fields={[
            ["campaignId", text("desk.campaignId")],
            ["amount", text("desk.amount")],
            ["reason", text("desk.reason")],
          ]}
        />
        <TaskForm />
        <GoldForm />
        {spring}
      </div>
    </ConsoleFrame>
  );
}

function CampaignCard({ campaign, onChanged }: { readonly campaign: Campaign; readonly onChanged: () => void }) {
  const text = useRewardsText();
  const action = useOperatorAction();
  const { campaignId } = campaign;
  const set = async (isOpen: boolean, taskId?: string) => {
    const body = { campaignId, isOpen, ...(taskId === undefined ? {} : { taskId }) };
    await action.run(REWARD_CONSOLE_CALLS.open, body);
    onChanged();
  };
  return (
    <Card
      title={
        <>
          {campaign.name} <span className="font-normal text-muted text-ui">{campaignId}</span>{" "}
          {campaign.isSimulated && <Badge tone="outline">{text("simulated")}</Badge>}
        </>
      }
      aside={
        <Button size={28} kind="neutral" onPress={() => void set(!campaign.isOpen)}>
          {text(campaign.isOpen ? "desk.close" : "desk.open")}
        </Button>
      }
    >
      <ActionNote action={action} />
      <Figures campaign={campaign} />
      {campaign.costs.length > 0 && <Costs campaign={campaign} />}
      <Tasks campaign={campaign} text={text} onSet={(isOpen, taskId) => void set(isOpen, taskId)} />
    </Card>
  );
}

function Figures({ campaign }: { readonly campaign: Campaign }) {
  const text = useRewardsText();
  const figures = ["funded", "spent", "returned", "held", "left", "difference"] as const;
  return (
    <dl className="mb-4 grid grid-cols-2 gap-x-6 gap-y-2 sm:grid-cols-3 lg:grid-cols-6">
      {figures.map((name) => (
        <div key={name}>
          <dt className="text-label text-muted">{text(`desk.${name}`)}</dt>
          <dd
            className={`figures font-medium text-ui ${name === "difference" && campaign[name] !== "0" ? "text-danger" : "text-text"}`}
          >
            {money(campaign[name])}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Costs({ campaign }: { readonly campaign: Campaign }) {
  const text = useRewardsText();
  return (
    <table className="figures mb-4 w-full text-ui">
      <caption className="pb-1 text-left text-label text-muted">{text("desk.costs")}</caption>
      <thead className="text-label text-muted">
        <tr>
          {[text("desk.kind"), text("desk.count"), text("desk.value")].map((label, index) => (
            <th key={label} className={`py-1 font-normal ${index === 0 ? "text-left" : "text-right"}`}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {campaign.costs.map(({ kind, count, value }) => (
          <tr key={kind} className="border-line border-t">
            <td className="py-1">{formatCost(text, kind)}</td>
            <td className="text-right">{count}</td>
            <td className="text-right">{money(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Kinds of rewards, and prizes of spring cards. */
function formatCost(text: RewardsText, kind: string): string {
  const reward = REWARD_KINDS.find((one) => one === kind);
  return reward === undefined ? text("desk.spring") : text(`desk.reward.${reward}`);
}

interface TasksProps {
  readonly campaign: Campaign;
  readonly text: RewardsText;
  readonly onSet: (isOpen: boolean, taskId: string) => void;
}

function Tasks({ campaign, text, onSet }: TasksProps) {
  return (
    <ul>
      {campaign.tasks.map(({ taskId, kind, target, course, reward, done, claimed, isOpen }) => (
        <li key={taskId} className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t py-1.5 text-ui">
          <span className="min-w-0 flex-1 basis-52">
            {describeTask(text, { kind, target, course }, {})} <span className="text-label text-muted">{taskId}</span>
          </span>
          <span className="text-muted">{formatReward(text, reward)}</span>
          <span className="figures text-label text-muted">
            {text("desk.done")} {done}, {text("desk.claimed")} {claimed}
          </span>
          <Button size={28} kind="neutral" onPress={() => onSet(!isOpen, taskId)}>
            {text(isOpen ? "desk.close" : "desk.open")}
          </Button>
        </li>
      ))}
    </ul>
  );
}

interface ProposeCardProps<Called extends Endpoint> {
  readonly call: Called;
  readonly title: string;
  readonly send: string;
  /** The call's fields, all of them typed text. */
  readonly fields: readonly (readonly [name: keyof ProposalInput<Called> & string, label: string])[];
}

function ProposeCard<Called extends Endpoint>({ call, title, send, fields }: ProposeCardProps<Called>) {
  const action = useOperatorAction();
  const empty = Object.fromEntries(fields.map(([name]) => [name, ""]));
  const [form, setForm] = useState<Readonly<Record<string, string>>>(empty);
  const isWhole = Object.values(form).every((value) => value.trim() !== "");
  const propose = async () => {
    const body = Object.fromEntries(Object.entries(form).map(([name, value]) => [name, value.trim()]));
    if ((await action.propose(call, body as ProposalInput<Called>)) !== undefined) setForm(empty);
  };
  return (
    <ProposalCard title={title} action={action} send={send} isWhole={isWhole} onSend={propose}>
      <FormRow>
        <TypedFields
          fields={fields}
          form={form}
          onChange={(change) => setForm({ ...form, ...change })}
          maxLength={200}
        />
      </FormRow>
    </ProposalCard>
  );
}
