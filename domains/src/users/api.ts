// What the users slice says on the wire: schemas and their types. The only file of the slice a browser may import.
import { type Static, Type } from "typebox";

export const Language = Type.Object({
  name: Type.String(),
  lang: Type.String(),
  fiatCurrency: Type.String(),
});
export type Language = Static<typeof Language>;

/** What the site knows of the visitor at start. An anonymous visitor has neither id nor userInfo. */
export const TopInfo = Type.Object({
  id: Type.Union([Type.String(), Type.Null()]),
  userInfo: Type.Null(),
  availableLanguage: Type.Array(Type.String()),
});
export type TopInfo = Static<typeof TopInfo>;

export const LanguageMenu = Type.Object({ whiteList: Type.Array(Language) });
export type LanguageMenu = Static<typeof LanguageMenu>;
