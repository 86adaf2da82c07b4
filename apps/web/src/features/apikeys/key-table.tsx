// The keys of an account: what each may do, from where, until when, and when it was last used.
import type { ApiKey } from "@clockwork/domains/apikeys/api";
import { DAY_MS, formatDate, formatMinute } from "@clockwork/kit/time";
import { CopyButton } from "@clockwork/ui/copy-button";
import { Badge } from "@clockwork/ui/pill";
import { useKeysText } from "./keys-text.ts";
import { PERMISSION_TITLES } from "./permissions.tsx";

export interface KeyTableProps {
  readonly keys: readonly ApiKey[];
  readonly nowMs: number;
  readonly onEdit: (key: ApiKey) => void;
  readonly onDelete: (key: ApiKey) => void;
}

const HEAD = "border-line border-b py-2.5 pr-4 text-left font-normal text-label text-muted";
const CELL = "border-line border-b py-3 pr-4 align-middle group-last:border-0";
const WIDE = "max-md:hidden";
const QUIET = "rounded-xs font-semibold text-[13px] hover:text-accent dark:hover:opacity-80";
/** Sooner than this an end is pointed out. */
const SOON_DAYS = 14;

export function KeyTable({ keys, nowMs, onEdit, onDelete }: KeyTableProps) {
  const text = useKeysText();
  if (keys.length === 0) return <p className="py-6 text-muted text-ui">{text("keys.none")}</p>;
  return (
    <table className="w-full border-collapse">
      <thead>
        <tr>
          <th className={HEAD}>{text("keys.name")}</th>
          <th className={`${HEAD} ${WIDE}`}>{text("keys.key")}</th>
          <th className={`${HEAD} ${WIDE}`}>{text("keys.permissions")}</th>
          <th className={`${HEAD} max-lg:hidden`}>{text("keys.addresses")}</th>
          <th className={`${HEAD} ${WIDE}`}>{text("keys.expires")}</th>
          <th className={`${HEAD} max-lg:hidden text-right`}>{text("keys.lastUse")}</th>
          <th className={HEAD} />
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <KeyRow
            key={key.apiKey}
            entry={key}
            nowMs={nowMs}
            onEdit={() => onEdit(key)}
            onDelete={() => onDelete(key)}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly entry: ApiKey;
  readonly nowMs: number;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}

function KeyRow({ entry, nowMs, onEdit, onDelete }: RowProps) {
  const text = useKeysText();
  const { apiKey, label, kind, permissions, ipList, lastUse } = entry;
  return (
    <tr className="group">
      <td className={CELL}>
        <p className="font-medium text-ui">{label}</p>
        <p className="text-label text-muted">{kind === "ED25519" ? "Ed25519" : kind}</p>
        <p className="mt-1 md:hidden">
          <Permissions names={permissions} />
        </p>
      </td>
      <td className={`${CELL} ${WIDE}`}>
        <span className="inline-flex items-center gap-1.5 font-mono text-[13px]">
          {`${apiKey.slice(0, 8)}…${apiKey.slice(-4)}`}
          <CopyButton text={apiKey} what={text("secret.key")} />
        </span>
      </td>
      <td className={`${CELL} ${WIDE}`}>
        <Permissions names={permissions} />
      </td>
      <td className={`${CELL} max-lg:hidden text-ui ${ipList.length === 0 ? "text-muted" : ""}`}>
        {ipList.length === 0 ? text("keys.any") : text("keys.addressCount", { count: ipList.length })}
      </td>
      <td className={`${CELL} ${WIDE}`}>
        <Expiry endsMs={entry.expiresAtMs} nowMs={nowMs} />
      </td>
      <td className={`${CELL} max-lg:hidden text-right`}>
        {lastUse === null ? (
          <span className="text-label text-muted">{text("keys.neverUsed")}</span>
        ) : (
          <>
            <p className="figures text-ui">{formatMinute(lastUse.timeMs)}</p>
            <p className="text-label text-muted">{`${lastUse.call.split(" ").at(-1)}, ${lastUse.address}`}</p>
          </>
        )}
      </td>
      <td className={`${CELL} whitespace-nowrap pr-0 text-right`}>
        <button type="button" className={QUIET} aria-label={`${text("keys.edit")} ${label}`} onClick={onEdit}>
          {text("keys.edit")}
        </button>
        <button
          type="button"
          className={`${QUIET} ml-4 text-danger`}
          aria-label={`${text("keys.delete")} ${label}`}
          onClick={onDelete}
        >
          {text("keys.delete")}
        </button>
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
  return days <= SOON_DAYS ? <Badge tone="warn">{words}</Badge> : <span className="text-ui">{words}</span>;
}
