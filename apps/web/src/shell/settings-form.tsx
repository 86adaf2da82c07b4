// The choices of a visitor: theme, language, price currency, movement colours, time zone. Shown in the header's panel
// and in the mobile menu.
import {
  CURRENCIES,
  CURRENCY_SYMBOL,
  DEFAULT_CURRENCY,
  LOCAL_LANGUAGES,
  THEMES,
  TIMEZONE_OPTION,
  type TimezoneName,
} from "@clockwork/kit/constants";
import { countDecimals } from "@clockwork/kit/decimal";
import { type ReactNode, useContext, useId } from "react";
import { useNavigate, useRouteLoaderData } from "react-router";
import { UPDOWN_VALUES } from "#boot/preferences.ts";
import type { RootData } from "#boot/root-data.ts";
import { useGlobal, useGlobalStore } from "#boot/state.ts";
import { RequestContext } from "#live/react.ts";
import { usePrice } from "#session/price.ts";
import { chooseCurrency, chooseLanguage, chooseTimezone, chooseUpdown } from "#session/settings.ts";
import { chooseTheme } from "#session/theme.ts";
import { useSiteText } from "#words/site-text.ts";

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

export function SettingsForm() {
  const text = useSiteText();
  const store = useGlobalStore();
  const state = useGlobal((now) => now);
  const request = useContext(RequestContext);
  const navigate = useNavigate();
  const root = useRouteLoaderData<RootData>("root");
  const languages = LOCAL_LANGUAGES.filter(({ lang }) => root?.available.includes(lang) ?? true);
  const zones = Object.keys(TIMEZONE_OPTION) as TimezoneName[];
  return (
    <div className="flex flex-col gap-5">
      <Choices
        title={text("settings.theme")}
        columns={3}
        chosen={state.theme}
        choices={THEMES.map((value) => ({ value, label: text(`theme.${value}`) }))}
        onChoose={(theme) => chooseTheme(store, theme)}
      />
      <Choices
        title={text("settings.language")}
        columns={2}
        chosen={state.language.lang}
        choices={languages.map(({ lang, name }) => ({ value: lang, label: name }))}
        onChoose={async (lang) => void navigate(await chooseLanguage(store, lang, request))}
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
        onChoose={(currency) => void chooseCurrency(store, currency, request)}
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
        choices={zones.map((zone) => ({ value: TIMEZONE_OPTION[zone], label: zone === "UTC0" ? "UTC+0" : "UTC+8" }))}
        onChoose={(timezone) => chooseTimezone(store, timezone)}
      />
    </div>
  );
}
