// `/identity`: which level somebody has reached, what the next one asks for, and where its review stands.
import type { BaseInfo, Details } from "@clockwork/domains/kyc/api";
import { COUNTRIES } from "@clockwork/kit/countries";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Icon } from "@clockwork/ui/icon";
import { useState } from "react";
import { useRevalidator } from "react-router";
import { useCalls } from "#session/auth-context.ts";
import { FormError } from "#session/auth-fields.tsx";
import { AccountFrame } from "#shell/account-frame.tsx";
import { type AccountSpeak, sayOr, useAccountText } from "#words/account-text.ts";
import { sayFailure, useAuthText } from "#words/auth-text.ts";
import { FileRow } from "./file-row.tsx";
import { LivenessRow } from "./liveness-row.tsx";

const PATH = "/v2/users/kyc";
export const BASE_INFO_PATH = `${PATH}/base-info`;
export const UPLOAD_PATH = `${PATH}/upload`;

const OPEN_STATES: readonly BaseInfo["state"][] = ["NONE", "DRAFT", "APPROVED", "REJECTED", "MORE_INFO", "EXPIRED"];
/** The level whose pictures are held against a living face. */
const LIVENESS_LEVEL = 2;
const DOCUMENTS = ["passport", "id-card", "driving-licence", "residence-permit"] as const;

export function IdentityPage({ info }: { readonly info: BaseInfo | null }) {
  const text = useAccountText();
  if (info === null) {
    return (
      <AccountFrame title={text("kyc.title")}>
        <p className="text-muted">{text("label.failed")}</p>
      </AccountFrame>
    );
  }
  const target = info.levels.find(({ level }) => level === info.target);
  const isOpen = target !== undefined && info.target > info.level && OPEN_STATES.includes(info.state);
  return (
    <AccountFrame title={text("kyc.title")} lead={text("kyc.lead", { level: info.level })}>
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_344px]">
        <div className="flex flex-col gap-4">
          <Card>
            <p role="status" data-kyc-state={info.state} className="flex items-start gap-3 text-ui">
              <Icon name={info.state === "APPROVED" ? "check" : "info"} className="mt-0.5" />
              <span>
                <b className="font-semibold">
                  {info.state === "APPROVED"
                    ? text("kyc.approved", { level: info.level })
                    : sayOr(text, `state.${info.state}`, info.state)}
                </b>
                {info.reason !== "" && <span className="block text-muted">{info.reason}</span>}
              </span>
            </p>
          </Card>
          {isOpen && (
            <LevelForm key={info.target} info={info} fields={target.fields} files={filesOf(info, target.files)} />
          )}
          {target === undefined && <p className="text-muted">{text("kyc.done")}</p>}
        </div>
        <Levels info={info} />
      </div>
    </AccountFrame>
  );
}

/** A passport has one side. */
function filesOf({ details }: BaseInfo, files: readonly string[]): readonly string[] {
  return files.filter((kind) => !(kind === "document-back" && details.documentType === "passport"));
}

function Levels({ info }: { readonly info: BaseInfo }) {
  const text = useAccountText();
  return (
    <Card className="self-start">
      <ol>
        {info.levels.map((level) => (
          <li key={level.level} className="border-line border-b py-3 first:pt-0 last:border-0 last:pb-0">
            <p className="flex items-center justify-between gap-3 font-medium text-ui">
              {text("kyc.level", { level: level.level })}
              {level.level <= info.level && (
                <span className="flex items-center gap-1.5 text-[13px]">
                  <Icon name="check" size={14} />
                  {text("kyc.reached")}
                </span>
              )}
            </p>
            <p className="figures text-[13px] text-muted">
              {text("kyc.limit", { amount: level.withdrawalUsdtPerDay.replace(/\B(?=(\d{3})+$)/g, ",") })}
            </p>
            <p className="text-[13px] text-muted">
              {level.opens.map((one) => sayOr(text, `opens.${one}`, one)).join(", ")}
            </p>
          </li>
        ))}
      </ol>
    </Card>
  );
}

interface LevelFormProps {
  readonly info: BaseInfo;
  readonly fields: readonly string[];
  readonly files: readonly string[];
}

type Field = keyof Details;

function useLevelForm({ info, fields, files }: LevelFormProps) {
  const text = useAccountText();
  const words = useAuthText();
  const calls = useCalls();
  const { revalidate } = useRevalidator();
  const [draft, setDraft] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(fields.map((field) => [field, String(info.details[field as Field] ?? "")])),
  );
  const [uploaded, setUploaded] = useState<readonly string[]>(info.files);
  const [isLive, setLive] = useState(info.target !== LIVENESS_LEVEL || info.liveness.state === "passed");
  const [error, setError] = useState<string>();
  const [said, setSaid] = useState("");
  const [busy, setBusy] = useState(false);
  const save = async (submits: boolean) => {
    const isWhole =
      isLive &&
      Object.values(draft).every((value) => value.trim() !== "") &&
      files.every((file) => uploaded.includes(file));
    setSaid("");
    setError(submits && !isWhole ? text("kyc.missing") : undefined);
    if (busy || (submits && !isWhole)) return;
    setBusy(true);
    const request = await calls();
    const written = Object.fromEntries(Object.entries(draft).filter(([, value]) => value.trim() !== ""));
    const saved = await request.postJson(`${PATH}/draft`, written);
    const answer = saved.ok && submits ? await request.postJson(`${PATH}/submit`, {}) : saved;
    setBusy(false);
    if (!answer.ok) setError(sayFailure(words, answer));
    else if (submits) await revalidate();
    else setSaid(text("kyc.saved"));
  };
  return { draft, setDraft, uploaded, setUploaded, setLive, error, setError, said, busy, save };
}

function LevelForm(props: LevelFormProps) {
  const { info, fields, files } = props;
  const text = useAccountText();
  const form = useLevelForm(props);
  return (
    <Card title={text("kyc.form", { level: info.target })}>
      <FormError>{form.error}</FormError>
      <div className="grid gap-4 sm:grid-cols-2">
        {fields.map((field) => (
          <DetailField
            key={field}
            field={field}
            value={form.draft[field] ?? ""}
            onChange={(value) => form.setDraft({ ...form.draft, [field]: value })}
          />
        ))}
      </div>
      {files.map((kind) => (
        <FileRow
          key={kind}
          kind={kind}
          path={UPLOAD_PATH}
          isUploaded={form.uploaded.includes(kind)}
          onUploaded={() => form.setUploaded([...form.uploaded, kind])}
          onError={form.setError}
        />
      ))}
      {info.target === LIVENESS_LEVEL && (
        <LivenessRow liveness={info.liveness} onPassed={() => form.setLive(true)} onError={form.setError} />
      )}
      <div className="mt-6 flex flex-wrap items-center gap-2">
        <Button kind="primary" size={40} busy={form.busy} onPress={() => void form.save(true)}>
          {text("kyc.submit")}
        </Button>
        <Button size={40} isDisabled={form.busy} onPress={() => void form.save(false)}>
          {text("kyc.save")}
        </Button>
        <span role="status" className="pl-2 text-[13px] text-muted">
          {form.said === "" ? text("kyc.left", { count: info.submissionsLeft }) : form.said}
        </span>
      </div>
    </Card>
  );
}

interface DetailFieldProps {
  readonly field: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const INPUT =
  "h-10 w-full rounded-control border border-line2 bg-bg px-3 text-ui text-text outline-none hover:border-faint focus:border-accent focus:ring-1 focus:ring-accent max-md:text-[16px] dark:bg-surface";

function listOptions(text: AccountSpeak, field: string): readonly (readonly [string, string])[] | undefined {
  if (field === "country") return COUNTRIES.map(({ code, name }) => [code, name] as const);
  if (field === "documentType") return DOCUMENTS.map((type) => [type, text(`document.${type}`)] as const);
  return undefined;
}

function DetailField({ field, value, onChange }: DetailFieldProps) {
  const text = useAccountText();
  const id = `kyc-${field}`;
  const options = listOptions(text, field);
  const isDay = field === "birthDate" || field === "documentExpires";
  return (
    <div>
      <label htmlFor={id} className="block pb-1 text-ui">
        {sayOr(text, `field.${field}`, field)}
      </label>
      {options === undefined ? (
        <input
          id={id}
          type={isDay ? "date" : "text"}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className={INPUT}
        />
      ) : (
        <select id={id} value={value} onChange={(event) => onChange(event.target.value)} className={INPUT}>
          <option value="">{text("kyc.select")}</option>
          {options.map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}
