// The permissions of a key, each with its meaning; withdrawing requires addresses.
import { KEY_PERMISSIONS, type KeyPermission } from "@clockwork/kit/caller";
import { Checkbox } from "@clockwork/ui/checkbox";
import type { KeysTextKey } from "#locales/en-us-keys.ts";
import { useKeysText } from "./keys-text.ts";

export const PERMISSION_TITLES: Readonly<Record<KeyPermission, KeysTextKey>> = {
  read: "permission.read",
  spot: "permission.spot",
  futures: "permission.futures",
  transfer: "permission.transfer",
  withdraw: "permission.withdraw",
};
const NOTES: Readonly<Record<KeyPermission, KeysTextKey>> = {
  read: "permission.read.note",
  spot: "permission.spot.note",
  futures: "permission.futures.note",
  transfer: "permission.transfer.note",
  withdraw: "permission.withdraw.note",
};

export interface PermissionListProps {
  readonly value: readonly KeyPermission[];
  readonly hasAddresses: boolean;
  readonly onChange: (value: readonly KeyPermission[]) => void;
}

export function PermissionList({ value, hasAddresses, onChange }: PermissionListProps) {
  const text = useKeysText();
  const toggle = (name: KeyPermission, isOn: boolean) =>
    onChange(KEY_PERMISSIONS.filter((one) => (one === name ? isOn : value.includes(one))));
  const noteAt = (name: KeyPermission): KeysTextKey | undefined => {
    if (name === "read") return "permission.read.always";
    return name === "withdraw" && !hasAddresses ? "permission.withdraw.needs" : undefined;
  };
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium text-[13px]">{text("keys.permissions")}</legend>
      <div className="rounded-control border border-line px-4">
        {KEY_PERMISSIONS.map((name) => {
          const aside = noteAt(name);
          return (
            <div
              key={name}
              className="flex items-start justify-between gap-3 border-line border-b py-2.5 last:border-0"
            >
              <Checkbox
                isSelected={name === "read" || value.includes(name)}
                isDisabled={name === "read" || (name === "withdraw" && !hasAddresses)}
                onChange={(isOn) => toggle(name, isOn)}
              >
                <span>
                  <span className={name === "read" ? "block font-medium text-text" : "block font-medium"}>
                    {text(PERMISSION_TITLES[name])}
                  </span>
                  <span className="block text-label text-muted">{text(NOTES[name])}</span>
                </span>
              </Checkbox>
              {aside !== undefined && (
                <span className={`shrink-0 pt-0.5 text-label ${name === "read" ? "text-muted" : "text-warn"}`}>
                  {text(aside)}
                </span>
              )}
            </div>
          );
        })}
      </div>
    </fieldset>
  );
}
