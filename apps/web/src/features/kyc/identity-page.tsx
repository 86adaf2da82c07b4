// `/identity`: the level reached, the requirements of the next one, and the state of its review.
import {
  type BaseInfo,
  type Details,
  type FileKind,
  KYC_CALLS,
  NATIVE_NAME_COUNTRIES,
} from "@clockwork/identity/kyc/contract";
import { COUNTRIES } from "@clockwork/kit/countries";
import { documentTypesOf, hasBack } from "@clockwork/kit/identity-documents";
import { filterEnglish, filterLettersChinese } from "@clockwork/kit/validate";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Icon } from "@clockwork/ui/icon";
import { TextField } from "@clockwork/ui/text-field";
import { useState } from "react";
import { useRevalidator } from "react-router";
import { useCalls } from "#session/auth-context.ts";
import { FormError } from "#session/auth-fields.tsx";
import { AccountFrame } from "#shell/account-frame.tsx";
import { LateDateField, LateSearchSelect, LateSelect } from "#shell/late-fields.tsx";
import { describeOr, useAccountText } from "#words/account-text.ts";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { FileRow } from "./file-row.tsx";
import { LivenessRow } from "./liveness-row.tsx";

const OPEN_STATES: readonly BaseInfo["state"][] = ["NONE", "DRAFT", "APPROVED", "REJECTED", "MORE_INFO", "EXPIRED"];
/** The level whose pictures are held against a living face. */
const LIVENESS_LEVEL = 2;

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
                    : describeOr(text, `state.${info.state}`, info.state)}
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

function filesOf({ details }: BaseInfo, files: readonly FileKind[]): readonly FileKind[] {
  return files.filter((kind) => kind !== "document-back" || hasBack(details.documentType));
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
              {level.opens.map((one) => describeOr(text, `opens.${one}`, one)).join(", ")}
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
  readonly files: readonly FileKind[];
}

type Field = keyof Details;
const NATIVE_NAME: Field = "nativeName";

function useLevelForm({ info, fields, files }: LevelFormProps) {
  const text = useAccountText();
  const words = useAuthText();
  const calls = useCalls();
  const { revalidate } = useRevalidator();
  const [draft, setDraft] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries([...fields, NATIVE_NAME].map((field) => [field, String(info.details[field as Field] ?? "")])),
  );
  const [uploaded, setUploaded] = useState<readonly string[]>(info.files);
  const [isLive, setLive] = useState(info.target !== LIVENESS_LEVEL || info.liveness.state === "passed");
  const [error, setError] = useState<string>();
  const [reply, setReply] = useState("");
  const [busy, setBusy] = useState(false);
  // Missing fields are marked after a submit attempt, and no longer when they are filled.
  const [isMarked, setMarked] = useState(false);
  const save = async (submits: boolean) => {
    const isWhole =
      isLive &&
      fields.every((field) => (draft[field] ?? "").trim() !== "") &&
      files.every((file) => uploaded.includes(file));
    setReply("");
    setMarked(submits && !isWhole);
    setError(submits && !isWhole ? text("kyc.missing") : undefined);
    if (busy || (submits && !isWhole)) return;
    setBusy(true);
    const request = await calls();
    const written = Object.fromEntries(
      Object.entries(draft).filter(([field, value]) => field === NATIVE_NAME || value.trim() !== ""),
    );
    const saved = await request.call(KYC_CALLS.draft, written);
    const answer = saved.ok && submits ? await request.call(KYC_CALLS.submit, {}) : saved;
    setBusy(false);
    if (!answer.ok) setError(describeFailure(words, answer));
    else if (submits) await revalidate();
    else setReply(text("kyc.saved"));
  };
  return { draft, setDraft, uploaded, setUploaded, setLive, error, setError, reply, busy, isMarked, save };
}

/** The name in Chinese characters is requested next to the Latin one where documents have both. */
function shownFields(fields: readonly string[], draft: Readonly<Record<string, string>>): readonly string[] {
  const isAsked = fields.includes("country") && NATIVE_NAME_COUNTRIES.includes(draft.country ?? "");
  return isAsked ? [...fields, NATIVE_NAME] : fields;
}

function LevelForm(props: LevelFormProps) {
  const { info, fields, files } = props;
  const text = useAccountText();
  const form = useLevelForm(props);
  return (
    <Card title={text("kyc.form", { level: info.target })}>
      <FormError>{form.error}</FormError>
      <div className="grid gap-4 sm:grid-cols-2">
        {shownFields(fields, form.draft).map((field) => (
          <DetailField
            key={field}
            field={field}
            value={form.draft[field] ?? ""}
            country={form.draft.country || (info.details.country ?? "")}
            error={
              form.isMarked && fields.includes(field) && (form.draft[field] ?? "").trim() === ""
                ? text("kyc.required")
                : undefined
            }
            onChange={(value) => form.setDraft((before) => writeDetail(before, field, value))}
          />
        ))}
      </div>
      {files.map((kind) => (
        <FileRow
          key={kind}
          kind={kind}
          isUploaded={form.uploaded.includes(kind)}
          isMissing={form.isMarked && !form.uploaded.includes(kind)}
          onUploaded={() => form.setUploaded((before) => [...before, kind])}
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
          {form.reply === "" ? text("kyc.left", { count: info.submissionsLeft }) : form.reply}
        </span>
      </div>
    </Card>
  );
}

/** Another country may not have the kind of document that was chosen. */
function writeDetail(draft: Readonly<Record<string, string>>, field: string, value: string) {
  const written = { ...draft, [field]: value };
  const isAccepted = documentTypesOf(written.country ?? "").some((type) => type === written.documentType);
  return field !== "country" || isAccepted ? written : { ...written, documentType: "" };
}

interface DetailFieldProps {
  readonly field: string;
  readonly value: string;
  /** The document's country, which determines the available kinds. */
  readonly country: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

// Document numbers have only English letters.
const FILTERS: Readonly<Record<string, (typed: string) => string>> = {
  documentNumber: filterEnglish,
  [NATIVE_NAME]: filterLettersChinese,
};

const DAYS: readonly string[] = ["birthDate", "documentExpires"];

function DetailField({ field, value, country, error, onChange }: DetailFieldProps) {
  const text = useAccountText();
  const label = describeOr(text, `field.${field}`, field);
  if (DAYS.includes(field)) {
    return (
      <LateDateField
        label={label}
        value={value === "" ? null : value}
        error={error}
        onChange={(day) => onChange(day ?? "")}
      />
    );
  }
  const choice = { label, value: value === "" ? null : value, error, onChange, placeholder: text("kyc.select") };
  if (field === "country") {
    return <LateSearchSelect {...choice} options={COUNTRIES.map(({ code, name }) => ({ id: code, title: name }))} />;
  }
  if (field === "documentType") {
    const options = documentTypesOf(country).map((type) => ({ id: type, title: text(`document.${type}`) }));
    return <LateSelect {...choice} options={options} />;
  }
  const filter = FILTERS[field] ?? ((typed: string) => typed);
  const hint = field === NATIVE_NAME ? text("kyc.optional") : undefined;
  return (
    <TextField label={label} value={value} error={error} help={hint} onChange={(typed) => onChange(filter(typed))} />
  );
}
