// The few texts of the components themselves, with English defaults. Everything else is passed in by the screen.

import { createContext, type ReactNode, use, useMemo } from "react";
import { I18nProvider } from "react-aria-components/I18nProvider";

export interface Labels {
  readonly ok: string;
  readonly cancel: string;
  readonly clear: string;
  readonly noData: string;
  readonly noMatchingData: string;
  readonly loading: string;
  readonly illegalInput: string;
  readonly yes: string;
  readonly no: string;
  readonly closeDialog: string;
  readonly close: string;
  readonly retry: string;
  readonly copy: string;
  readonly copied: string;
  readonly search: string;
  readonly show: string;
  readonly hide: string;
  readonly increase: string;
  readonly decrease: string;
  readonly max: string;
  readonly previousPage: string;
  readonly nextPage: string;
  readonly pages: string;
  readonly page: string;
  readonly notices: string;
  readonly digit: string;
  readonly country: string;
  readonly exportCsv: string;
  readonly filter: string;
  readonly openCalendar: string;
  readonly reorder: string;
  readonly moved: string;
  readonly weak: string;
  readonly fair: string;
  readonly strong: string;
  readonly verify: string;
  readonly verifying: string;
  readonly verified: string;
  readonly verifyFailed: string;
  readonly remove: string;
  readonly breadcrumb: string;
}

export const ENGLISH_LABELS: Labels = {
  ok: "OK",
  cancel: "Cancel",
  clear: "Clear",
  noData: "No Data",
  noMatchingData: "No matching data",
  loading: "Loading",
  illegalInput: "Illegal input",
  yes: "Yes",
  no: "No",
  closeDialog: "Close this dialog",
  close: "Close",
  retry: "Retry",
  copy: "Copy",
  copied: "Copied",
  search: "Search",
  show: "Show",
  hide: "Hide",
  increase: "Increase",
  decrease: "Decrease",
  max: "Max",
  previousPage: "Previous page",
  nextPage: "Next page",
  pages: "Pages",
  page: "Page",
  notices: "Notices",
  digit: "Digit",
  country: "Country",
  exportCsv: "CSV",
  filter: "Filter",
  openCalendar: "Open the calendar",
  reorder: "Reorder",
  moved: "moved to position",
  weak: "Weak",
  fair: "Fair",
  strong: "Strong",
  verify: "Check that I am a person",
  verifying: "Checking",
  verified: "Checked",
  verifyFailed: "The check failed",
  remove: "Remove",
  breadcrumb: "You are here",
};

const LocaleContext = createContext<Labels>(ENGLISH_LABELS);

export interface LocaleProviderProps {
  readonly labels?: Partial<Labels> | undefined;
  /** BCP 47, such as "en-US". The same on server and browser, never the browser's own guess. */
  readonly locale?: string | undefined;
  readonly children: ReactNode;
}

export function LocaleProvider({ labels, locale = "en-US", children }: LocaleProviderProps) {
  const words = useMemo(() => (labels ? { ...ENGLISH_LABELS, ...labels } : ENGLISH_LABELS), [labels]);
  return (
    <I18nProvider locale={locale}>
      <LocaleContext value={words}>{children}</LocaleContext>
    </I18nProvider>
  );
}

export function useLabels(): Labels {
  return use(LocaleContext);
}
