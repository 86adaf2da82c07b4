// The texts of the overview page, in the visitor's language.
import { type PortfolioTextKey, portfolioCatalogue } from "#locales/en-us-portfolio.ts";
import { defineTexts } from "./text.ts";

export const usePortfolioText = defineTexts<PortfolioTextKey>(
  portfolioCatalogue,
  import.meta.glob("../locales/*.json", { query: "?area=portfolio", import: "default" }),
);
