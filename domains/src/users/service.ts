// Use cases of the users slice. Today every visitor is anonymous: accounts and sessions are not built yet, and this
// file must never pretend otherwise.
import { DEFAULT_AVAILABLE_LOCALES, LOCAL_LANGUAGES } from "@clockwork/kit/constants";
import type { LanguageMenu, TopInfo } from "./api.ts";

export interface UsersService {
  topInfo(): TopInfo;
  languageMenu(): LanguageMenu;
}

export function usersService(): UsersService {
  return {
    topInfo: () => ({ id: null, userInfo: null, availableLanguage: [...DEFAULT_AVAILABLE_LOCALES] }),
    languageMenu: () => ({ whiteList: LOCAL_LANGUAGES.map((language) => ({ ...language })) }),
  };
}
