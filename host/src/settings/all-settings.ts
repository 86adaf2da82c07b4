// Every setting of the process, once, in the groups and the order in which the reference lists them.
import { ACCOUNT_SETTINGS } from "./account-settings.ts";
import { ARCHIVE_SETTINGS } from "./archive-settings.ts";
import { CHAIN_SETTINGS } from "./chain-settings.ts";
import { CONTENT_SETTINGS } from "./content-settings.ts";
import { LIMIT_SETTINGS } from "./limit-settings.ts";
import { MARKET_SETTINGS } from "./market-settings.ts";
import { MESSAGE_SETTINGS } from "./message-settings.ts";
import { SERVER_SETTINGS } from "./server-settings.ts";
import type { Setting } from "./setting.ts";

export const ALL_SETTINGS = {
  ...SERVER_SETTINGS,
  ...MESSAGE_SETTINGS,
  ...ACCOUNT_SETTINGS,
  ...CHAIN_SETTINGS,
  ...MARKET_SETTINGS,
  ...CONTENT_SETTINGS,
  ...ARCHIVE_SETTINGS,
  ...LIMIT_SETTINGS,
};

export interface SettingGroup {
  readonly title: string;
  readonly settings: readonly Setting<unknown>[];
}

const group = (title: string, settings: Readonly<Record<string, Setting<unknown>>>): SettingGroup => ({
  title,
  settings: Object.values(settings),
});

export const SETTING_GROUPS: readonly SettingGroup[] = [
  group("Server", SERVER_SETTINGS),
  group("Messages", MESSAGE_SETTINGS),
  group("Accounts, operators and identity", ACCOUNT_SETTINGS),
  group("Networks and wallet", CHAIN_SETTINGS),
  group("Market", MARKET_SETTINGS),
  group("Pages, addresses and the company", CONTENT_SETTINGS),
  group("Disk, archive and memory", ARCHIVE_SETTINGS),
  group("Limits", LIMIT_SETTINGS),
];

/** A setting's key in the settings file: `CW_PUBLIC_ORIGIN` is `public_origin`. */
export const fileKeyOf = (name: string): string => name.replace(/^CW_/, "").toLowerCase();
