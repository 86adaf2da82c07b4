// `/operator/site`: the footer, links elsewhere, downtimes of modules, and the switches every page reads.
import {
  CONFIG_KEYS,
  type ConfigKey,
  type FooterList,
  type GlobalConfig,
  MODULES,
  type ModuleList,
  type ModuleState,
  SITE_CONSOLE_CALLS,
  type SocialLink,
} from "@clockwork/site/content/contract";
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
import { TypedConfirm } from "#console/typed-confirm.tsx";
import { FailedLine } from "#session/failed-line.tsx";
import { type ConsoleText, useConsoleText } from "#words/console-text.ts";
import { readFooter, readSocial, writeFooter, writeSocial } from "./link-text.ts";

export interface SiteFacts {
  readonly footer: FooterList;
  readonly social: readonly SocialLink[];
  readonly modules: ModuleList;
  readonly config: GlobalConfig;
}

export interface SitePageProps {
  readonly me: ConsoleOperator;
  /** Null when unavailable. */
  readonly facts: SiteFacts | null;
  readonly proof: ReactNode;
}

export function SitePage({ me, facts, proof }: SitePageProps) {
  const text = useConsoleText();
  return (
    <ConsoleFrame me={me} title={text("site.title")} lead={text("site.lead")} proof={proof}>
      {facts === null ? (
        <FailedLine />
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
          <Downtimes modules={facts.modules} />
          <Switches config={facts.config} />
          <LinkCard kind="footer" first={writeFooter(facts.footer.columns)} rows={18} />
          <LinkCard kind="social" first={writeSocial(facts.social)} rows={6} />
        </div>
      )}
    </ConsoleFrame>
  );
}

function LinkCard({
  kind,
  first,
  rows,
}: {
  readonly kind: "footer" | "social";
  readonly first: string;
  readonly rows: number;
}) {
  const text = useConsoleText();
  const action = useOperatorAction();
  const [typed, setTyped] = useState(first);
  // The list as last read: changes made by others since then are not overwritten.
  const [seen, setSeen] = useState(first);
  const saveFooter = async () => {
    const [was, columns] = [readFooter(seen), readFooter(typed)];
    if (was === undefined || columns === undefined) return "broken";
    return action.run(SITE_CONSOLE_CALLS.footer, { was, columns });
  };
  const saveSocial = async () => {
    const [was, links] = [readSocial(seen), readSocial(typed)];
    if (was === undefined || links === undefined) return "broken";
    return action.run(SITE_CONSOLE_CALLS.social, { was, links });
  };
  const save = async () => {
    const done = kind === "footer" ? await saveFooter() : await saveSocial();
    if (done === "broken") action.refuse(text(`site.${kind}.broken`));
    else if (done !== undefined) setSeen(typed);
  };
  return (
    <Card title={text(`site.${kind}`)}>
      <ActionNote action={action} />
      <TextArea
        label={text(`site.${kind}.note`)}
        value={typed}
        onChange={setTyped}
        rows={rows}
        maxLength={20_000}
        className="[&_textarea]:font-mono [&_textarea]:text-[13px]"
      />
      <Button size={40} className="mt-4" busy={action.isBusy} onPress={() => void save()}>
        {text("label.save")}
      </Button>
    </Card>
  );
}

function Downtimes({ modules }: { readonly modules: ModuleList }) {
  const text = useConsoleText();
  const action = useOperatorAction();
  const { revalidate } = useRevalidator();
  const [module, setModule] = useState<(typeof MODULES)[number]>(MODULES[0]);
  const [reason, setReason] = useState("");
  const [starts, setStarts] = useState("");
  const [ends, setEnds] = useState("");
  const [requested, setRequested] = useState<{ readonly fromMs: number | null; readonly toMs: number | null }>();
  const planned = modules.modules.filter(({ startsAt }) => startsAt !== null);
  const ask = () => {
    const from = readInstant(starts);
    const to = readInstant(ends);
    if (from === undefined || to === undefined) return action.refuse(text("label.badInstant"));
    if (reason.trim() === "") return action.refuse(text("site.downtime.reasonMissing"));
    setRequested({ fromMs: from.ms, toMs: to.ms });
  };
  const plan = async (confirmation: string) => {
    if (requested === undefined) return;
    const body = { module, reason, startsAtMs: requested.fromMs ?? Date.now(), endsAtMs: requested.toMs, confirmation };
    if ((await action.run(SITE_CONSOLE_CALLS.downtime, body)) !== undefined) await revalidate();
  };
  const clear = async ({ module: name, isDown }: ModuleState) => {
    const done = isDown
      ? await action.propose(SITE_CONSOLE_CALLS.open, { module: name })
      : await action.run(SITE_CONSOLE_CALLS.clearDowntime, { module: name });
    if (done !== undefined) await revalidate();
  };
  return (
    <Card title={text("site.downtime")}>
      <ActionNote action={action} />
      {planned.length === 0 && <p className="mb-4 text-muted text-ui">{text("site.downtime.none")}</p>}
      <ul className="mb-4">
        {planned.map((state) => (
          <li key={state.module} className="flex flex-wrap items-center gap-3 border-line border-b py-2 text-ui">
            <span className="font-medium">{state.module}</span>
            <Badge tone={state.isDown ? "warn" : "info"}>
              {text(state.isDown ? "site.downtime.down" : "site.downtime.planned")}
            </Badge>
            <span className="min-w-0 flex-1 text-[13px] text-muted [overflow-wrap:anywhere]">
              {state.reason} · {state.startsAt?.slice(0, 16).replace("T", " ")} –{" "}
              {state.endsAt?.slice(0, 16).replace("T", " ") ?? text("site.downtime.open")}
            </span>
            <Button
              size={28}
              aria-label={`${text(state.isDown ? "site.downtime.end" : "site.downtime.clear")}: ${state.module}`}
              onPress={() => void clear(state)}
            >
              {text(state.isDown ? "site.downtime.end" : "site.downtime.clear")}
            </Button>
          </li>
        ))}
      </ul>
      <div className="grid gap-4">
        <FormRow>
          <ChoiceField
            label={text("site.module")}
            value={module}
            onChange={(next) => setModule(MODULES.find((one) => one === next) ?? MODULES[0])}
            options={MODULES.map((one) => [one, one])}
          />
          <TextField label={text("site.reason")} value={reason} onChange={setReason} maxLength={500} />
          <TextField label={text("label.starts")} value={starts} onChange={setStarts} maxLength={16} />
          <TextField label={text("label.ends")} value={ends} onChange={setEnds} maxLength={16} />
        </FormRow>
        <div>
          <Button kind="primary" size={40} busy={action.isBusy} onPress={ask}>
            {text("site.downtime.plan")}
          </Button>
        </div>
      </div>
      {requested !== undefined && (
        <TypedConfirm
          title={text("site.downtime.confirm", { module })}
          word={module}
          onClose={() => setRequested(undefined)}
          onConfirm={(typed) => void plan(typed)}
        >
          <p role="alert">{describeEffect(text, module, requested)}</p>
        </TypedConfirm>
      )}
    </Card>
  );
}

function describeEffect(
  text: ConsoleText,
  module: string,
  { fromMs, toMs }: { readonly fromMs: number | null; readonly toMs: number | null },
): string {
  const begins =
    fromMs === null || fromMs <= Date.now()
      ? text("site.downtime.now", { module })
      : text("site.downtime.from", { module, time: writeInstant(fromMs) });
  const ends =
    toMs === null ? text("site.downtime.forever") : text("site.downtime.until", { time: writeInstant(toMs) });
  return `${begins} ${ends}`;
}

function Switches({ config }: { readonly config: GlobalConfig }) {
  const text = useConsoleText();
  const action = useOperatorAction();
  const { revalidate } = useRevalidator();
  const [key, setKey] = useState<ConfigKey>(CONFIG_KEYS[0]);
  const [value, setValue] = useState(config[CONFIG_KEYS[0]] ?? "");
  const [isAsking, setAsking] = useState(false);
  const choose = (next: ConfigKey) => {
    setKey(next);
    setValue(config[next] ?? "");
  };
  const save = async (confirmation?: string) => {
    const body = { key, value, ...(confirmation === undefined ? {} : { confirmation }) };
    if ((await action.run(SITE_CONSOLE_CALLS.config, body)) !== undefined) await revalidate();
  };
  const isAway = key === "systemOut" && value === "1";
  return (
    <Card title={text("site.switches")}>
      <ActionNote action={action} />
      <ul className="mb-4">
        {CONFIG_KEYS.map((name) => [name, config[name] ?? ""] as const).map(([name, set]) => (
          <li key={name} className="flex items-center gap-3 border-line border-b py-2 text-ui">
            <span className="font-medium">{name}</span>
            <span className="min-w-0 flex-1 truncate text-muted">{set === "" ? "–" : set}</span>
            <Button size={28} aria-label={`${text("label.edit")}: ${name}`} onPress={() => choose(name)}>
              {text("label.edit")}
            </Button>
          </li>
        ))}
      </ul>
      <div className="grid gap-4">
        <FormRow>
          <ChoiceField
            label={text("site.switch.key")}
            value={key}
            onChange={(next) => choose(CONFIG_KEYS.find((one) => one === next) ?? CONFIG_KEYS[0])}
            options={CONFIG_KEYS.map((one) => [one, one])}
          />
          <TextField label={text("site.switch.value")} value={value} onChange={setValue} maxLength={512} />
        </FormRow>
        <p className="text-label text-muted">{text("site.switches.note")}</p>
        <div>
          <Button size={40} busy={action.isBusy} onPress={() => (isAway ? setAsking(true) : void save())}>
            {text("label.save")}
          </Button>
        </div>
      </div>
      {isAsking && (
        <TypedConfirm
          title={text("site.switch.away")}
          word={key}
          onClose={() => setAsking(false)}
          onConfirm={(typed) => void save(typed)}
        >
          <p role="alert">{text("site.switch.effect")}</p>
        </TypedConfirm>
      )}
    </Card>
  );
}
