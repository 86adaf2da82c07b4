// Tasks in their order: to claim, open, locked, over. A claim sent twice is one claim; the button becomes a check.
import { WELFARE_CALLS, type WelfareTask } from "@clockwork/growth/rewards/contract";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Icon } from "@clockwork/ui/icon";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import type { IconName } from "@clockwork/ui/logic/icon-paths";
import { Badge } from "@clockwork/ui/pill";
import { Segmented } from "@clockwork/ui/segmented";
import { useState } from "react";
import { hasPage } from "#boot/route-table.ts";
import { SiteLink } from "#boot/site-link.tsx";
import { useCalls } from "#session/auth-context.ts";
import { FormError } from "#session/auth-fields.tsx";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { formatShortDay } from "#words/day-text.ts";
import { useRewardsText } from "#words/rewards-text.ts";
import {
  describeTask,
  filterTasks,
  formatProgress,
  formatReward,
  shareOf,
  type TaskFilter,
  taskPath,
} from "./rewards-model.ts";

export interface TasksCardProps {
  readonly tasks: readonly WelfareTask[];
  readonly courses: Readonly<Record<string, string>>;
  readonly onChanged: () => void;
}

export function TasksCard({ tasks, courses, onChanged }: TasksCardProps) {
  const text = useRewardsText();
  const [filter, setFilter] = useState<TaskFilter>("all");
  const { claim, claiming, failure, isReceived } = useClaim(onChanged);
  const shown = filterTasks(tasks, filter);
  const first = shown.find(({ state, isSpent }) => state === "DONE" && !isSpent)?.taskId;
  const isSimulated = tasks.some((task) => task.isSimulated);
  return (
    <Card
      title={
        <>
          {text("tasks")} {isSimulated && <Badge tone="outline">{text("simulated")}</Badge>}
        </>
      }
      aside={
        <Segmented
          label={text("tasks.filter")}
          value={filter}
          onChange={(id) => setFilter(id as TaskFilter)}
          segments={[
            { id: "all", title: text("tasks.all") },
            { id: "you", title: text("tasks.you") },
            { id: "college", title: text("tasks.college") },
          ]}
        />
      }
    >
      <FormError>{failure}</FormError>
      <span role="status" className="sr-only">
        {isReceived ? text("tasks.received") : ""}
      </span>
      {shown.length === 0 && <p className="text-muted text-ui">{text("tasks.none")}</p>}
      <ul>
        {shown.map((task) => (
          <TaskRow
            key={task.taskId}
            task={task}
            tasks={tasks}
            courses={courses}
            isFirst={task.taskId === first}
            isBusy={claiming === task.taskId}
            onClaim={() => void claim(task.taskId)}
          />
        ))}
      </ul>
    </Card>
  );
}

/** On this page the row changes and the live notice names the reward; one toast is enough. */
function useClaim(onChanged: () => void) {
  const words = useAuthText();
  const calls = useCalls();
  const [claiming, setClaiming] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [isReceived, setReceived] = useState(false);
  const claim = async (taskId: string) => {
    setFailure(undefined);
    setReceived(false);
    setClaiming(taskId);
    const answer = await (await calls()).call(WELFARE_CALLS.claim, { taskId });
    setClaiming(undefined);
    setReceived(answer.ok);
    if (!answer.ok) setFailure(describeFailure(words, answer));
    onChanged();
  };
  return { claim, claiming, failure, isReceived };
}

const MARKS: Readonly<Record<WelfareTask["state"], IconName>> = {
  DONE: "check",
  CLAIMED: "check",
  OPEN: "clock",
  LOCKED: "lock",
  EXPIRED: "close",
};

interface TaskRowProps extends Omit<TasksCardProps, "onChanged"> {
  readonly task: WelfareTask;
  readonly isFirst: boolean;
  readonly isBusy: boolean;
  readonly onClaim: () => void;
}

function TaskRow({ task, tasks, courses, isFirst, isBusy, onClaim }: TaskRowProps) {
  const text = useRewardsText();
  const title = describeTask(text, task, courses);
  const isQuiet = task.state === "LOCKED" || task.state === "EXPIRED";
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line py-3 not-first:border-t">
      <span
        className={`flex size-9 shrink-0 items-center justify-center rounded-control ${task.state === "DONE" ? "bg-text text-bg" : "bg-surface text-muted dark:bg-active"}`}
      >
        <Icon name={MARKS[task.state]} />
      </span>
      <div className="min-w-0 flex-1 basis-48">
        <p className={`text-ui ${isQuiet ? "text-muted" : "font-medium text-text"}`}>{title}</p>
        <p className="text-label text-muted">
          <WhenLine task={task} tasks={tasks} courses={courses} />
        </p>
        {task.state === "OPEN" && task.target !== "1" && <Bar task={task} />}
      </div>
      <span
        className={`text-right text-ui max-sm:flex-1 max-sm:pl-13 max-sm:text-left ${isQuiet ? "text-muted" : "font-medium text-text"}`}
      >
        {formatReward(text, task.reward)}
      </span>
      <span className="flex w-24 justify-end text-ui max-sm:w-auto">
        <Action task={task} title={title} isFirst={isFirst} isBusy={isBusy} onClaim={onClaim} />
      </span>
    </li>
  );
}

function WhenLine({ task, tasks, courses }: Pick<TaskRowProps, "task" | "tasks" | "courses">) {
  const text = useRewardsText();
  const before = tasks.find(({ taskId }) => taskId === task.after);
  switch (task.state) {
    case "DONE":
      return text("tasks.done", { day: formatShortDay(task.doneAtMs ?? task.endsAtMs) });
    case "CLAIMED":
      return text("tasks.claimedOn", { day: formatShortDay(task.claimedAtMs ?? task.endsAtMs) });
    case "OPEN":
      return text("tasks.by", { day: formatShortDay(task.endsAtMs) });
    case "LOCKED":
      return before === undefined
        ? text("tasks.from", { day: formatShortDay(task.startsAtMs) })
        : text("tasks.after", { task: describeTask(text, before, courses) });
    case "EXPIRED":
      return text("tasks.ended", { day: formatShortDay(task.doneAtMs === null ? task.endsAtMs : task.claimUntilMs) });
  }
}

function Bar({ task }: { readonly task: WelfareTask }) {
  const text = useRewardsText();
  const share = shareOf(task);
  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-3">
      <span
        role="progressbar"
        aria-label={text("tasks.progress")}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.floor(share * 100)}
        className="h-1 w-40 overflow-hidden rounded-full bg-active"
      >
        <span className="block h-full rounded-full bg-text" style={{ width: `${share * 100}%` }} />
      </span>
      <span className="figures text-label text-muted">{formatProgress(text, task)}</span>
    </div>
  );
}

function Action({
  task,
  title,
  isFirst,
  isBusy,
  onClaim,
}: Omit<TaskRowProps, "tasks" | "courses"> & { readonly title: string }) {
  const text = useRewardsText();
  if (task.state === "CLAIMED") {
    // Coupons and gold are listed below; an immediate payment has its bill.
    if (task.reward.kind !== "airdrop") return <span className="text-label text-muted">{text("tasks.given")}</span>;
    return (
      <SiteLink to="/wallet/history" className="text-label text-muted underline">
        {text("tasks.bill")}
      </SiteLink>
    );
  }
  if (task.isSpent && task.state !== "EXPIRED")
    return <span className="text-label text-muted">{text("tasks.spent")}</span>;
  if (task.state === "DONE") {
    return (
      <Button
        kind={isFirst ? "primary" : "neutral"}
        size={32}
        busy={isBusy}
        aria-label={text("tasks.claimOf", { task: title })}
        onPress={onClaim}
      >
        {text("tasks.claim")}
      </Button>
    );
  }
  const path = taskPath(task);
  if (task.state === "OPEN" && hasPage(path)) {
    return (
      <SiteLink
        to={path}
        aria-label={text("tasks.goTo", { task: title })}
        className={buttonClass({ kind: "neutral", size: 32 })}
      >
        {text("tasks.go")}
      </SiteLink>
    );
  }
  if (task.state === "OPEN") return null;
  return <span className="text-muted">{text(task.state === "LOCKED" ? "tasks.locked" : "tasks.over")}</span>;
}
