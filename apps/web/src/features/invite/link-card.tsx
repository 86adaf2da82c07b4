// One link at a time: its address, code and QR code, its name and split, sharing it, and making another.
import { INVITE_CALLS, type InviteLink, type InviteProfile, invitePath } from "@clockwork/growth/invite/contract";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { CopyButton } from "@clockwork/ui/copy-button";
import { QrCode } from "@clockwork/ui/qr-code";
import { useId, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { latePart } from "#boot/late-part.tsx";
import { sendIntent } from "#live/intent.ts";
import { useCalls } from "#session/auth-context.ts";
import { FormError } from "#session/auth-fields.tsx";
import { LateSelect } from "#shell/late-select.tsx";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { useProgrammeText } from "#words/programme-text.ts";
import { saveCard, shareLink } from "./share.ts";

const Slider = latePart(async () => (await import("@clockwork/ui/slider")).Slider);
const BOX =
  "flex h-10 min-w-0 items-center gap-2 rounded-control border border-line2 bg-bg pr-1.5 pl-3 text-ui dark:bg-surface";

export interface LinkCardProps {
  readonly profile: InviteProfile;
  readonly origin: string;
}

export function LinkCard({ profile, origin }: LinkCardProps) {
  const text = useProgrammeText();
  const [code, setCode] = useState(profile.links[0]?.code ?? "");
  const link = profile.links.find((one) => one.code === code) ?? (profile.links[0] as InviteLink);
  const address = `${origin}${invitePath(link.code)}`;
  const { error, change, add } = useLinkCalls(profile, setCode);
  return (
    <Card
      title={text("invite.link.title")}
      {...(profile.links.length > 1
        ? {
            aside: (
              <LateSelect
                label={text("invite.choose")}
                labelHidden
                options={profile.links.map((one) => ({ id: one.code, title: one.name }))}
                value={link.code}
                onChange={setCode}
              />
            ),
          }
        : {})}
    >
      <div className="flex gap-6 max-md:flex-col">
        <div className="self-start rounded-card border border-line p-2.5">
          <QrCode text={address} label={text("invite.qr", { code: link.code })} sizePx={128} />
        </div>
        <div className="flex min-w-0 flex-1 flex-col gap-3">
          <Shown title={text("invite.link")} value={address} what={text("invite.copyLink")} />
          <div className="grid gap-3 sm:grid-cols-2">
            <Shown title={text("invite.code")} value={link.code} what={text("invite.copyCode")} isStrong />
            <NameField key={link.code} link={link} onChange={(name) => void change(link.code, { name })} />
          </div>
          <Actions profile={profile} link={link} address={address} onAdd={() => void add()} />
        </div>
      </div>
      <FormError>{error}</FormError>
      <Split
        key={link.code}
        link={link}
        shared={profile.rate.sharedPercent}
        onChange={(friendPercent) => change(link.code, { friendPercent })}
      />
    </Card>
  );
}

interface LinkChange {
  readonly name?: string;
  readonly friendPercent?: number;
}

function useLinkCalls(profile: InviteProfile, onAdded: (code: string) => void) {
  const text = useProgrammeText();
  const words = useAuthText();
  const calls = useCalls();
  const { revalidate } = useRevalidator();
  const [error, setError] = useState<string>();
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const send = async (body: LinkChange & { readonly code: string }): Promise<boolean> => {
    const answer = await (await calls()).call(INVITE_CALLS.change, body);
    setError(answer.ok ? undefined : describeFailure(words, answer));
    await revalidate();
    return answer.ok;
  };
  // One after the other: keys move the split faster than answers come, and the last one must win.
  const change = (code: string, values: LinkChange): Promise<boolean> => {
    const sent = last.current.then(() => send({ code, ...values }));
    last.current = sent.catch(() => undefined);
    return sent;
  };
  const add = async () => {
    const body = { name: text("invite.newName", { number: profile.links.length + 1 }), friendPercent: 0 };
    const intent = { mint: () => crypto.randomUUID(), nowMs: Date.now() };
    const request = await calls();
    const answer = await sendIntent("invite-link", body, intent, (clientId) =>
      request.call(INVITE_CALLS.links, { ...body, clientId }),
    );
    setError(answer.ok ? undefined : describeFailure(words, answer));
    await revalidate();
    if (answer.ok) onAdded(answer.data.code);
  };
  return { error, change, add };
}

interface ShownProps {
  readonly title: string;
  readonly value: string;
  readonly what: string;
  readonly isStrong?: true;
}

function Shown({ title, value, what, isStrong }: ShownProps) {
  return (
    <div className="min-w-0">
      <p className="mb-1 text-label">{title}</p>
      <p className={BOX}>
        <span className={`min-w-0 flex-1 truncate ${isStrong === true ? "font-semibold" : ""}`} title={value}>
          {value}
        </span>
        <CopyButton text={value} what={what} />
      </p>
    </div>
  );
}

/** Kept when it is left. */
function NameField({ link, onChange }: { readonly link: InviteLink; readonly onChange: (name: string) => void }) {
  const text = useProgrammeText();
  const id = useId();
  const keep = (name: string) => {
    if (name !== "" && name !== link.name) onChange(name);
  };
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1 block text-label">
        {text("invite.name")}
      </label>
      <input
        id={id}
        defaultValue={link.name}
        maxLength={30}
        autoComplete="off"
        className={`${BOX} w-full`}
        onBlur={(event) => keep(event.target.value.trim())}
        onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
      />
    </div>
  );
}

interface ActionsProps {
  readonly profile: InviteProfile;
  readonly link: InviteLink;
  readonly address: string;
  readonly onAdd: () => void;
}

function Actions({ profile, link, address, onAdd }: ActionsProps) {
  const text = useProgrammeText();
  const { links, rate } = profile;
  const [isCopied, setCopied] = useState(false);
  const words = {
    title: text("invite.card.title"),
    back: link.friendPercent === 0 ? "" : text("invite.card.back", { percent: link.friendPercent }),
    code: text("invite.card.code"),
  };
  const share = async () =>
    setCopied((await shareLink({ title: words.title, text: words.back, url: address })) === "copied");
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button kind="primary" size={40} icon="share" onPress={() => void share()}>
        {text(isCopied ? "invite.copied" : "invite.share")}
      </Button>
      <Button size={40} icon="image" onPress={() => void saveCard({ ...words, address, inviteCode: link.code })}>
        {text("invite.card")}
      </Button>
      <Button size={40} icon="plus" isDisabled={links.length >= rate.linksMax} onPress={onAdd}>
        {text("invite.new")}
      </Button>
      <span className="text-[13px] text-muted">
        {text("invite.count", { count: links.length, max: rate.linksMax })}
      </span>
      <span role="status" className="sr-only">
        {isCopied ? text("invite.copied") : ""}
      </span>
    </div>
  );
}

interface SplitProps {
  readonly link: InviteLink;
  readonly shared: number;
  /** True when it was taken. */
  readonly onChange: (friendPercent: number) => Promise<boolean>;
}

/** Moves by single percents; the value at release counts. */
function Split({ link, shared, onChange }: SplitProps) {
  const text = useProgrammeText();
  const [own, setOwn] = useState(shared - link.friendPercent);
  const keep = async (value: number) => {
    if (!(await onChange(shared - value))) setOwn(shared - link.friendPercent);
  };
  return (
    <div className="mt-5 border-line border-t pt-4">
      <p className="mb-2 flex flex-wrap justify-between gap-x-4">
        <span className="font-semibold text-ui">{text("invite.split", { percent: shared })}</span>
        <span className="text-[13px] text-muted">{text("invite.split.note")}</span>
      </p>
      <Slider
        label={text("invite.split.label")}
        value={own}
        min={0}
        max={shared}
        isSplit
        describe={(value) => `${value}%`}
        onChange={setOwn}
        onChangeEnd={(value) => void keep(value)}
      />
      <p className="mt-1 flex justify-between text-[13px] text-muted">
        <span>
          <b className="font-semibold text-text">{text("invite.split.you", { percent: own })}</b>{" "}
          {text("invite.split.ofFee")}
        </span>
        <span>
          <b className="font-semibold text-text">{text("invite.split.friend", { percent: shared - own })}</b>{" "}
          {text("invite.split.back")}
        </span>
      </p>
    </div>
  );
}
