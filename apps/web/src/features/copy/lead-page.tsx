// `/copy/lead`: applying to lead with the five conditions and their state, the leader's overview: followers, earnings,
// pausing, the share, the note to followers.
import type { Endpoint, InputOf } from "@clockwork/kit/endpoint";
import {
  COPY_CALLS,
  type Condition,
  type CopyKind,
  type FollowerList,
  type Identity,
  type LeadOverview,
} from "@clockwork/strategies/copy/contract";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Icon } from "@clockwork/ui/icon";
import { TextArea } from "@clockwork/ui/text-area";
import { TextField } from "@clockwork/ui/text-field";
import { showToast } from "@clockwork/ui/toast";
import { useState } from "react";
import { latePart } from "#boot/late-part.tsx";
import { SiteLink } from "#boot/site-link.tsx";
import { useZone } from "#session/zone.ts";
import { ComponentLocale } from "#shell/component-locale.tsx";
import { PageHead } from "#shell/page-head.tsx";
import { pathOf, useCopyAct } from "./copy-calls.ts";
import { useLeadOverview } from "./copy-feeds.ts";
import { day, gain, money, percent, toneOf } from "./copy-figures.ts";
import { useCopyText } from "./copy-text.ts";
import { shift } from "./follow-form.ts";
import { CopyTable, Crumbs, Tiles } from "./tables.tsx";

const ConfirmDialog = latePart(async () => (await import("@clockwork/ui/confirm-dialog")).ConfirmDialog);
const LeadTrade = latePart(async () => (await import("./lead-trade.tsx")).LeadTrade);

export interface LeadPageProps {
  readonly kind: CopyKind;
  readonly first: LeadOverview;
}

interface OverviewProps {
  readonly kind: CopyKind;
  readonly identity: Identity;
  readonly onChanged: () => void;
}

export function LeadPage({ kind, first }: LeadPageProps) {
  const text = useCopyText();
  const zone = useZone();
  const { overview, refresh } = useLeadOverview(kind, first);
  const { identity, followers } = overview;
  const title = text(kind === "spot" ? "lead.spot" : "lead.title");
  const props = { kind, identity, onChanged: () => void refresh() };
  const isLeading = ["ACTIVE", "PAUSED", "CLOSING", "SUSPENDED"].includes(identity.state);
  return (
    <ComponentLocale>
      <main id="content" className="container-read min-w-0 flex-1 py-7">
        <PageHead title={title} noIndex />
        <Crumbs kind={kind} here={title} />
        <h1 className="text-section">{title}</h1>
        <p className="mt-1 mb-5 text-muted text-ui">
          {text(`lead.state.${identity.state}`)} {identity.reason}
          {identity.restUntilMs !== null && ` ${text("lead.restUntil", { date: day(identity.restUntilMs, zone) })}`}
        </p>
        {isLeading && <Overview {...props} />}
        <div
          className={`grid grid-cols-[minmax(0,1fr)] gap-4 ${isLeading && kind === "futures" ? "lg:grid-cols-3" : "lg:grid-cols-2"}`}
        >
          {kind === "futures" && isLeading && <LeadTrade identity={identity} />}
          {isLeading ? <Manage {...props} /> : <Conditions conditions={identity.conditions} />}
          {!isLeading && <Apply {...props} />}
          {kind === "futures" && <Move {...props} />}
          {isLeading && <Announce kind={kind} />}
          {kind === "futures" && !isLeading && Number(identity.equity) > 0 && <LeadTrade identity={identity} />}
        </div>
        {isLeading && <Followers followers={followers} />}
      </main>
    </ComponentLocale>
  );
}

function Overview({ identity }: OverviewProps) {
  const text = useCopyText();
  return (
    <Tiles
      tiles={[
        { label: text("lead.equityNow"), value: money(identity.equity) },
        { label: text("followers"), value: `${identity.followers}/${identity.followersMax}` },
        { label: text("lead.earned"), value: money(identity.earned) },
        { label: text("lead.held"), value: money(identity.held) },
        { label: text("share"), value: percent(identity.shareRate, 0) },
        { label: text("level", { level: "" }), value: identity.level },
      ]}
    />
  );
}

function Conditions({ conditions }: { readonly conditions: readonly Condition[] }) {
  const text = useCopyText();
  return (
    <Card title={text("lead.conditions")}>
      <ul className="text-ui">
        {conditions.map(({ name, isMet, have, need }) => (
          <li key={name} className="flex items-center gap-2 border-line border-b py-2 last:border-0">
            <Icon name={isMet ? "check" : "close"} className={isMet ? "text-up" : "text-muted"} />
            <span className="flex-1">{text(`lead.${name}`, { need })}</span>
            <span className="figures text-[13px] text-muted">
              <span className="sr-only">{text(isMet ? "lead.met" : "lead.unmet")}, </span>
              {text("lead.have", { have })}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Apply({ kind, identity, onChanged }: OverviewProps) {
  const text = useCopyText();
  const { act, busy } = useCopyAct();
  const [nickname, setNickname] = useState("");
  const [bio, setBio] = useState("");
  const [share, setShare] = useState("10");
  if (identity.state === "APPLIED")
    return (
      <Card title={text("lead.apply")}>
        <Button size={40} busy={busy} onPress={() => void act(COPY_CALLS[kind].leave, {}).then(onChanged)}>
          {text("lead.cancelApply")}
        </Button>
      </Card>
    );
  const isReady = identity.conditions.every(({ isMet }) => isMet) && identity.restUntilMs === null;
  const send = async () => {
    await act(COPY_CALLS[kind].apply, { nickname: nickname.trim(), bio: bio.trim(), shareRate: shift(share, -2) });
    onChanged();
  };
  return (
    <Card title={text("lead.apply")}>
      <div className="flex flex-col gap-3">
        <TextField label={text("lead.nickname")} value={nickname} onChange={setNickname} maxLength={20} />
        <TextArea label={text("lead.bio")} value={bio} onChange={setBio} maxLength={500} rows={3} />
        <TextField
          label={text("lead.share")}
          value={share}
          onChange={setShare}
          maxLength={5}
          inputMode="decimal"
          help={text("lead.shareHelp", { max: percent(identity.shareRateMax, 0) })}
        />
        <Button
          kind="primary"
          size={40}
          busy={busy}
          isDisabled={!isReady || nickname.trim().length < 2 || bio.trim() === ""}
          onPress={() => void send()}
        >
          {text("lead.send")}
        </Button>
      </div>
    </Card>
  );
}

function Manage({ kind, identity, onChanged }: OverviewProps) {
  const zone = useZone();
  const text = useCopyText();
  const { act, busy } = useCopyAct();
  const [share, setShare] = useState(shift(identity.shareRate, 2));
  const send = async <Called extends Endpoint>(called: Called, body: InputOf<Called>) => {
    await act(called, body);
    onChanged();
  };
  const isOpen = identity.state === "ACTIVE" || identity.state === "PAUSED";
  return (
    <Card title={identity.nickname}>
      {identity.leaderId !== null && (
        <p className="mb-3 text-ui">
          <SiteLink to={pathOf(kind, `/${identity.leaderId}`)} className="underline">
            {text("lead.page")}
          </SiteLink>
        </p>
      )}
      {kind === "spot" && <p className="mb-3 text-[13px] text-muted">{text("lead.spotTrade")}</p>}
      {isOpen && (
        <>
          <div className="flex items-end gap-2">
            <TextField
              label={text("lead.share")}
              value={share}
              onChange={setShare}
              maxLength={5}
              inputMode="decimal"
              help={
                identity.nextShareRate !== null && identity.nextShareFromMs !== null
                  ? text("lead.nextShare", {
                      share: percent(identity.nextShareRate, 0),
                      date: day(identity.nextShareFromMs, zone),
                    })
                  : text("lead.shareHelp", { max: percent(identity.shareRateMax, 0) })
              }
              className="flex-1"
            />
          </div>
          <div className="mt-3 flex flex-wrap gap-2">
            <Button
              size={40}
              busy={busy}
              onPress={() => void send(COPY_CALLS[kind].lead, { shareRate: shift(share, -2) })}
            >
              {text("lead.saveShare")}
            </Button>
            <Button
              size={40}
              busy={busy}
              onPress={() =>
                void send(COPY_CALLS[kind].lead, { state: identity.state === "ACTIVE" ? "paused" : "active" })
              }
            >
              {text(identity.state === "ACTIVE" ? "lead.pause" : "lead.resume")}
            </Button>
            <ConfirmDialog
              title={text("lead.close")}
              trigger={
                <Button size={40} busy={busy} className="text-down-text">
                  {text("lead.close")}
                </Button>
              }
              onConfirm={() => void send(COPY_CALLS[kind].leave, {})}
            >
              {text("lead.closeAsk")}
            </ConfirmDialog>
          </div>
        </>
      )}
    </Card>
  );
}

function Move({ kind, onChanged }: OverviewProps) {
  const text = useCopyText();
  const { actOnce, busy } = useCopyAct();
  const [amount, setAmount] = useState("");
  const move = async (direction: "in" | "out") => {
    if ((await actOnce(COPY_CALLS[kind].transfer, { direction, amount })) === undefined) return;
    showToast({ title: text("lead.moved"), tone: "done" });
    setAmount("");
    onChanged();
  };
  const isReady = /^[0-9]+(\.[0-9]{1,6})?$/.test(amount);
  return (
    <Card title={text("lead.transfer")}>
      <TextField
        label={text("lead.amount")}
        value={amount}
        onChange={setAmount}
        maxLength={16}
        inputMode="decimal"
        suffix={<span className="text-muted">USDT</span>}
      />
      <div className="mt-3 flex gap-2">
        <Button size={40} busy={busy} isDisabled={!isReady} onPress={() => void move("in")}>
          {text("lead.move")}
        </Button>
        <Button size={40} busy={busy} isDisabled={!isReady} onPress={() => void move("out")}>
          {text("lead.moveBack")}
        </Button>
      </div>
    </Card>
  );
}

function Announce({ kind }: { readonly kind: CopyKind }) {
  const text = useCopyText();
  const { actOnce, busy } = useCopyAct();
  const [words, setWords] = useState("");
  const send = async () => {
    if ((await actOnce(COPY_CALLS[kind].announce, { text: words.trim() })) === undefined) return;
    showToast({ title: text("lead.announced"), tone: "done" });
    setWords("");
  };
  return (
    <Card title={text("lead.announce")}>
      <TextArea label={text("lead.announce")} labelHidden value={words} onChange={setWords} maxLength={500} rows={3} />
      <Button size={40} busy={busy} isDisabled={words.trim() === ""} onPress={() => void send()} className="mt-3">
        {text("lead.announceSend")}
      </Button>
    </Card>
  );
}

function Followers({ followers }: { readonly followers: FollowerList }) {
  const text = useCopyText();
  return (
    <Card title={text("followers")} className="mt-4">
      <CopyTable
        label={text("followers")}
        rows={followers}
        keyOf={({ name }) => name}
        empty={text("noFollowers")}
        columns={[
          { title: text("follower"), isLeft: true, cell: (row) => row.name },
          { title: text("invested"), cell: (row) => money(row.invested) },
          { title: text("mine.equity"), cell: (row) => money(row.equity) },
          {
            title: text("realised"),
            cell: (row) => <span className={toneOf(row.realizedPnl)}>{gain(row.realizedPnl)}</span>,
          },
          { title: text("lead.held"), cell: (row) => money(row.held) },
          { title: text("mine.paidColumn"), cell: (row) => money(row.paid) },
          { title: text("lead.copies"), cell: (row) => row.copies },
        ]}
      />
    </Card>
  );
}
