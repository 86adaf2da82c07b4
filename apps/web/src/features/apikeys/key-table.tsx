// The keys of an account: what each may do, from where, until when, and when it was last used.
import type { ApiKey } from "@clockwork/identity/apikeys/contract";
import { DAY_MS, formatDate, formatMinute } from "@clockwork/kit/time";
import { CopyButton } from "@clockwork/ui/copy-button";
import { Badge } from "@clockwork/ui/pill";
import { useKeysText } from "./keys-text.ts";
import { PERMISSION_TITLES } from "./permissions.tsx";

export interface KeyTableProps {
  readonly keys: readonly ApiKey[];
  readonly nowMs: number;
  readonly onRenew: (key: ApiKey) => void;
  readonly onEdit: (key: ApiKey) => void;
  readonly onDelete: (key: ApiKey) => void;
}

const HEAD = "border-line border-b py-2.5 pr-4 text-left font-normal text-label text-muted";
const CELL = "border-line border-b py-3 pr-4 align-middle group-last:border-0";
const QUIET = "rounded-xs font-semibold text-[13px] hover:text-accent dark:hover:opacity-80";
/** Sooner than this an end is pointed out. */
const SOON_DAYS = 14;

export function KeyTable({ keys, nowMs, onRenew, onEdit, onDelete }: KeyTableProps) {
  const text = useKeysText();
  if (keys.length === 0) return <p className="py-6 text-muted text-ui">{text("keys.none")}</p>;
  const rows = keys.map((entry) => ({
    entry,
    nowMs,
    onRenew: () => onRenew(entry),
    onEdit: () => onEdit(entry),
    onDelete: () => onDelete(entry),
  }));
  return (
    <>
      <ul className="md:hidden">
        {rows.map((row) => (
          <KeyCard key={row.entry.apiKey} {...row} />
        ))}
      </ul>
      <table className="w-full border-collapse max-md:hidden">
        <thead>
          <tr>
            <th className={HEAD}>{text("keys.name")}</th>
            <th className={HEAD}>{text("keys.key")}</th>
            <th className={HEAD}>{text("keys.permissions")}</th>
            <th className={`${HEAD} max-lg:hidden`}>{text("keys.addresses")}</th>
            <th className={HEAD}>{text("keys.expires")}</th>
            <th className={`${HEAD} max-lg:hidden text-right`}>{text("keys.lastUse")}</th>
            <th className={HEAD} />
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <KeyRow key={row.entry.apiKey} {...row} />
          ))}
        </tbody>
      </table>
    </>
  );
}

interface RowProps {
  readonly entry: ApiKey;
  readonly nowMs: number;
  readonly onRenew: () => void;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}

const hasEnded = ({ expiresAtMs }: ApiKey, nowMs: number): boolean => expiresAtMs !== null && expiresAtMs <= nowMs;

/** A key as a phone shows it: the same, one below the other. */
function KeyCard(row: RowProps) {
  const text = useKeysText();
  const { entry, nowMs } = row;
  const lines = [
    [text("keys.key"), <KeyText key="key" apiKey={entry.apiKey} />],
    [text("keys.addresses"), addressWords(text, entry)],
    [text("keys.expires"), <Expiry key="end" endsMs={entry.expiresAtMs} nowMs={nowMs} />],
    [text("keys.lastUse"), <LastUse key="use" use={entry.lastUse} />],
  ] as const;
  return (
    <li className="border-line border-b py-4 first:pt-1 last:border-0 last:pb-1">
      <div className="mb-2 flex items-start justify-between gap-3">
        <div>
          <p className={`font-medium text-ui ${hasEnded(entry, nowMs) ? "text-muted" : ""}`}>{entry.label}</p>
          <p className="text-label text-muted">{entry.kind === "ED25519" ? "Ed25519" : entry.kind}</p>
        </div>
        <Actions {...row} />
      </div>
      <Permissions names={entry.permissions} />
      <dl className="mt-2 flex flex-col gap-1.5">
        {lines.map(([label, value]) => (
          <div key={label} className="flex items-baseline justify-between gap-4">
            <dt className="shrink-0 text-label text-muted">{label}</dt>
            <dd className="min-w-0 text-right text-ui">{value}</dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

function addressWords(text: ReturnType<typeof useKeysText>, { ipList }: ApiKey): string {
  const count = ipList.length;
  if (count === 0) return text("keys.any");
  return count === 1 ? text("keys.addressOne") : text("keys.addressCount", { count });
}

function KeyText({ apiKey }: { readonly apiKey: string }) {
  const text = useKeysText();
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap font-mono text-[13px]">
      {`${apiKey.slice(0, 8)}…${apiKey.slice(-4)}`}
      <CopyButton text={apiKey} what={text("secret.key")} />
    </span>
  );
}

function LastUse({ use }: { readonly use: ApiKey["lastUse"] }) {
  const text = useKeysText();
  if (use === null) return <span className="text-label text-muted">{text("keys.neverUsed")}</span>;
  return (
    <>
      <p className="figures text-ui">{formatMinute(use.timeMs)}</p>
      <p className="break-words text-label text-muted">{`${use.call.split(" ").at(-1)}, ${use.address}`}</p>
    </>
  );
}

/** Renewing is offered when an end is near or past. */
function Actions({ entry, nowMs, onRenew, onEdit, onDelete }: RowProps) {
  const text = useKeysText();
  const { label, expiresAtMs } = entry;
  const isEnding = expiresAtMs !== null && expiresAtMs - nowMs <= SOON_DAYS * DAY_MS;
  const buttons = [
    ...(isEnding ? [["keys.renew", onRenew, ""] as const] : []),
    ["keys.edit", onEdit, ""] as const,
    ["keys.delete", onDelete, "text-danger"] as const,
  ];
  return (
    <span className="inline-flex shrink-0 gap-4 whitespace-nowrap">
      {buttons.map(([name, act, tone]) => (
        <button
          key={name}
          type="button"
          className={`${QUIET} ${tone}`}
          aria-label={`${text(name)} ${label}`}
          onClick={act}
        >
          {text(name)}
        </button>
      ))}
    </span>
  );
}

function KeyRow(row: RowProps) {
  const text = useKeysText();
  const { entry, nowMs } = row;
  const { label, kind, permissions, ipList, lastUse } = entry;
  return (
    <tr className={`group ${hasEnded(entry, nowMs) ? "text-muted" : ""}`}>
      <td className={CELL}>
        <p className="font-medium text-ui">{label}</p>
        <p className="text-label text-muted">{kind === "ED25519" ? "Ed25519" : kind}</p>
      </td>
      <td className={CELL}>
        <KeyText apiKey={entry.apiKey} />
      </td>
      <td className={CELL}>
        <Permissions names={permissions} />
      </td>
      <td className={`${CELL} max-lg:hidden text-ui ${ipList.length === 0 ? "text-muted" : ""}`}>
        {addressWords(text, entry)}
      </td>
      <td className={CELL}>
        <Expiry endsMs={entry.expiresAtMs} nowMs={nowMs} />
      </td>
      <td className={`${CELL} max-lg:hidden text-right`}>
        <LastUse use={lastUse} />
      </td>
      <td className={`${CELL} pr-0 text-right`}>
        <Actions {...row} />
      </td>
    </tr>
  );
}

function Permissions({ names }: { readonly names: readonly string[] }) {
  const text = useKeysText();
  return (
    <span className="inline-flex flex-wrap gap-1">
      {names.map((name) => (
        <Badge key={name}>
          {name in PERMISSION_TITLES ? text(PERMISSION_TITLES[name as keyof typeof PERMISSION_TITLES]) : name}
        </Badge>
      ))}
    </span>
  );
}

function Expiry({ endsMs, nowMs }: { readonly endsMs: number | null; readonly nowMs: number }) {
  const text = useKeysText();
  if (endsMs === null) return <span className="text-muted text-ui">{text("keys.never")}</span>;
  const days = Math.ceil((endsMs - nowMs) / DAY_MS);
  if (days <= 0) return <span className="text-muted text-ui">{text("keys.ended", { date: formatDate(endsMs) })}</span>;
  const words = text("keys.inDays", { days });
  if (days <= SOON_DAYS) return <Badge tone="warn">{words}</Badge>;
  return <span className="whitespace-nowrap text-ui">{words}</span>;
}
