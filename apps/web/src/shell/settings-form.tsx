// The choices of a visitor: theme, language, price currency, movement colours, time zone. Shown in the header's panel
// and in the mobile menu.
import {
  CURRENCIES,
  CURRENCY_SYMBOL,
  DEFAULT_CURRENCY,
  LOCAL_LANGUAGES,
  THEMES,
  TIMEZONE_OPTION,
  type TimezoneValue,
} from "@clockwork/kit/constants";
import { countDecimals } from "@clockwork/kit/decimal";
import { readTimezone, timezoneLabel, timezoneValue } from "@clockwork/kit/timezone";
import { TIMEZONES } from "@clockwork/kit/timezone-list";
import { type ReactNode, useId } from "react";
import { useNavigate, useRouteLoaderData } from "react-router";
import { usePageFlags } from "#boot/page-flags.ts";
import { UPDOWN_VALUES } from "#boot/preferences.ts";
import type { RootData } from "#boot/root-data.ts";
import { useGlobal, useGlobalStore } from "#boot/state.ts";
import { useCalls } from "#session/auth-context.ts";
import { usePrice } from "#session/price.ts";
import { chooseCurrency, chooseLanguage, chooseTimezone, chooseUpdown } from "#session/settings.ts";
import { choiceOn, chooseTheme } from "#session/theme.ts";
import { useSiteText } from "#words/site-text.ts";
import { LateSelect } from "./late-select.tsx";

interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: ReactNode;
}

interface ChoicesProps<Value extends string> {
  readonly title: string;
  readonly choices: readonly Choice<Value>[];
  readonly chosen: Value;
  readonly columns: 1 | 2 | 3 | 5;
  readonly onChoose: (value: Value) => void;
}

const GRIDS = { 1: "grid-cols-1", 2: "grid-cols-2", 3: "grid-cols-3", 5: "grid-cols-5" } as const;

function Choices<Value extends string>({ title, choices, chosen, columns, onChoose }: ChoicesProps<Value>) {
  const name = useId();
  return (
    <fieldset>
      <legend className="mb-2 text-label text-muted">{title}</legend>
      <div className={`grid gap-1.5 ${GRIDS[columns]}`}>
        {choices.map(({ value, label }) => (
          <label
            key={value}
            className="flex h-9 cursor-pointer items-center justify-center gap-2 rounded-control border border-line px-2 text-[13px] text-muted hover:bg-hover has-checked:border-text has-checked:font-medium has-checked:text-text has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2"
          >
            <input
              type="radio"
              name={name}
              value={value}
              checked={value === chosen}
              onChange={() => onChoose(value)}
              className="sr-only"
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function MovementSample({ up, down }: { readonly up: string; readonly down: string }) {
  return (
    <span aria-hidden="true" className="flex gap-1">
      <span className={`h-3 w-1.5 ${up}`} />
      <span className={`mt-1 h-3 w-1.5 ${down}`} />
    </span>
  );
}

/** What a dollar is in the chosen currency, and whether that is any market's. */
function RateNote() {
  const text = useSiteText();
  const price = usePrice();
  const currency = useGlobal((state) => state.currency);
  const rate = useGlobal((state) => state.priceRate[state.currency]);
  const { simulated } = useGlobal((state) => state.rateOrigin);
  if (currency === DEFAULT_CURRENCY || rate === undefined) return null;
  return (
    <p data-rate={currency} className="-mt-3 text-label text-muted">
      {text("settings.rate", { price: price("1", { decimals: countDecimals(rate) }) })}
      {simulated && ` · ${text("settings.rateSimulated")}`}
    </p>
  );
}

/** Light, dark or as the system: for the site, or in a terminal for the terminals. */
export function ThemeChoices() {
  const text = useSiteText();
  const store = useGlobalStore();
  const page = usePageFlags();
  const chosen = useGlobal((state) => choiceOn(page, state));
  const isFixed = page?.colorMode !== undefined;
  const note = isFixed ? "theme.note.fixed" : page?.usualMode === undefined ? "theme.note.site" : "theme.note.terminal";
  return (
    <div>
      <Choices
        title={text("settings.theme")}
        columns={3}
        chosen={isFixed ? store.getState().theme : chosen}
        choices={THEMES.map((value) => ({ value, label: text(`theme.${value}`) }))}
        onChoose={(theme) => chooseTheme(store, theme, page)}
      />
      <p className="mt-2 text-label text-muted">{text(note)}</p>
    </div>
  );
}

export function SettingsForm({ withTheme = false }: { readonly withTheme?: boolean }) {
  const text = useSiteText();
  const store = useGlobalStore();
  const state = useGlobal((now) => now);
  const calls = useCalls();
  const navigate = useNavigate();
  const root = useRouteLoaderData<RootData>("root");
  const languages = LOCAL_LANGUAGES.filter(({ lang }) => root?.available.includes(lang) ?? true);
  const zones = TIMEZONES.map((zone) => ({ id: timezoneValue(zone), title: timezoneLabel(zone) }));
  return (
    <div className="flex flex-col gap-5">
      {withTheme && <ThemeChoices />}
      <Choices
        title={text("settings.language")}
        columns={2}
        chosen={state.language.lang}
        choices={languages.map(({ lang, name }) => ({ value: lang, label: name }))}
        onChoose={async (lang) => void navigate(await chooseLanguage(store, lang, calls))}
      />
      <Choices
        title={text("settings.currency")}
        columns={5}
        chosen={state.currency}
        choices={CURRENCIES.map((value) => ({
          value,
          label: (
            <abbr title={CURRENCY_SYMBOL[value]} className="no-underline">
              {value}
            </abbr>
          ),
        }))}
        onChoose={(currency) => void chooseCurrency(store, currency, calls)}
      />
      <RateNote />
      <Choices
        title={text("settings.updown")}
        columns={2}
        chosen={state.updown}
        choices={UPDOWN_VALUES.map((value) => ({
          value,
          label: (
            <span data-updown={value} className="flex items-center gap-2">
              <MovementSample up="bg-up" down="bg-down" />
              {text(`updown.${value}`)}
            </span>
          ),
        }))}
        onChoose={(updown) => chooseUpdown(store, updown)}
      />
      <Choices
        title={text("settings.timezone")}
        columns={2}
        chosen={state.timezone}
        choices={Object.values(TIMEZONE_OPTION).map((value) => ({
          value: value as TimezoneValue,
          label: timezoneLabel(readTimezone(value)),
        }))}
        onChoose={(timezone) => chooseTimezone(store, timezone)}
      />
      <LateSelect
        label={text("settings.otherTimezone")}
        labelHidden
        className="-mt-3"
        options={zones}
        value={state.timezone}
        onChange={(id) => chooseTimezone(store, timezoneValue(readTimezone(id)))}
      />
    </div>
  );
}
