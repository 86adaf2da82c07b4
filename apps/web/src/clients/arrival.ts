// What a page does on arrival (SITE-3, AUTH-12): the browser stores the language that is shown and the list it is from;
// a signed-in user's own preferences are requested and override the browser's.
import { USER_CALLS } from "@clockwork/identity/users/contract";
import { CURRENCIES } from "@clockwork/kit/constants";
import { isLocale } from "@clockwork/kit/locale";
import type { GlobalStore } from "#boot/state.ts";
import type { RequestClient } from "#live/request.ts";
import { chooseLanguage, hasChosen, keepLanguage } from "#session/settings.ts";

export interface ArrivalParts {
  readonly store: GlobalStore;
  readonly request: Pick<RequestClient, "call">;
  /** Shows this page at its address in another language. */
  readonly go: (path: string) => void;
  readonly here: () => string;
}

export async function arrive({ store, request, go, here }: ArrivalParts): Promise<void> {
  keepLanguage(store);
  const { id } = store.getState().topInfo;
  if (id === null) return;
  const answer = await request.call(USER_CALLS.preferences, {});
  if (!answer.ok || store.getState().topInfo.id !== id) return;
  const { userLanguage, pricingCurrency } = answer.data;
  const { language, availableLanguages, currency: shown } = store.getState();
  // A choice made on this page, before or during the request, may not have reached the account when it answered.
  if (hasChosen(store)) return;
  const currency = CURRENCIES.find((one) => one === pricingCurrency);
  if (currency !== undefined && currency !== shown) store.setState({ currency });
  if (!isLocale(userLanguage) || userLanguage === language.lang || !availableLanguages.includes(userLanguage)) return;
  const path = await chooseLanguage(store, userLanguage);
  // The server shows the same language by the same preference, so this leads nowhere twice.
  if (path !== here()) go(path);
}
